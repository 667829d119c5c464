// What an origin is: RFC 6454, of which a browser's policy knows names and IPv4 addresses alone
// (CSP Level 3, host-source). Tested by unit/web/framing_test.cc and web/framing_test.py.
#include "app/web/framing.h"

#include <algorithm>

namespace tideline::web {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
constexpr std::string_view kNobody = "'none'";

// "hub.example.org": labels of letters, digits and dashes.
bool is_host(std::string_view host) {
  constexpr std::size_t kMost = 253;
  if (host.empty() || host.size() > kMost) return false;
  while (true) {
    const std::string_view label = host.substr(0, host.find('.'));
    if (label.empty() || label.find_first_not_of(kLetters) != std::string_view::npos ||
        label.front() == '-' || label.back() == '-') {
      return false;
    }
    if (label.size() == host.size()) return true;
    host.remove_prefix(label.size() + 1);
  }
}

bool is_port(std::string_view port) {
  constexpr int kMostPort = 65'535;
  constexpr std::size_t kMostDigits = 5;
  return !port.empty() && port.size() <= kMostDigits && port.front() != '0' &&
         port.find_first_not_of(kDigits) == std::string_view::npos &&
         std::stoi(std::string(port)) <= kMostPort;
}

bool is_origin(std::string_view text) {
  const bool is_plain = text.starts_with("http://");
  if (!is_plain && !text.starts_with("https://")) return false;
  text.remove_prefix(text.find("//") + 2);
  const std::size_t colon = text.find(':');
  if (!is_host(text.substr(0, colon))) return false;
  if (colon == std::string_view::npos) return true;
  const std::string_view port = text.substr(colon + 1);
  return is_port(port) && port != (is_plain ? "80" : "443");
}

}  // namespace

std::string why_no_origin(const std::string& text) {
  if (is_origin(text)) return {};
  return "expected one origin as the address bar begins, without a path: http://localhost:8888, "
         "https://hub.example.org";
}

void let_frame(Response& response, const std::string& origin) {
  if (origin.empty()) return;
  response.fields.emplace_back(
      kPolicyField, std::string(kPolicy.substr(0, kPolicy.size() - kNobody.size())) + origin);
}

}  // namespace tideline::web
