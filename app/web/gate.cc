// Tested by unit/web/gate_test.cc.
#include "app/web/gate.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/base/check.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

template <std::size_t kBytes>
std::string random_hex() {
  std::array<unsigned char, kBytes> bytes;
  std::size_t have = 0;
  while (have < kBytes) {
    const ssize_t got = ::getrandom(bytes.data() + have, kBytes - have, 0);
    TIDELINE_CHECK(got > 0 || errno == EINTR);
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// Takes as long for a token that is almost right as for any other.
bool is_equal(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char c = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(c) ^ static_cast<unsigned char>(expected[i]);
  }
  return difference == 0;
}

// "localhost" of "localhost:8080"; any port, because forwarded ones differ.
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.ends_with(']')) return host;
  const std::string_view port = host.substr(colon + 1);
  const bool is_port =
      !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == port.npos;
  return is_port ? host.substr(0, colon) : host;
}

bool is_same_origin(std::string_view origin, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme) &&
        lower_case(origin.substr(scheme.size())) == lower_case(host)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string random_token() {
  return random_hex<32>();
}

std::string random_id() {
  return random_hex<16>();
}

Gate::Gate(std::string token, std::vector<std::string> hosts) : token_(std::move(token)) {
  for (const std::string& host : hosts) hosts_.push_back(lower_case(host));
}

bool Gate::is_own_host(std::string_view host) const {
  const std::string name = lower_case(without_port(host));
  if (name == "localhost" || name == "127.0.0.1" || name == "[::1]") return true;
  return std::find(hosts_.begin(), hosts_.end(), name) != hosts_.end() ||
         std::find(hosts_.begin(), hosts_.end(), lower_case(host)) != hosts_.end();
}

std::optional<Response> Gate::refuse(const Request& request, bool needs_token) const {
  if (token_.empty()) return std::nullopt;
  const std::string_view host = request.field("host");
  if (request.has_two_hosts || !is_own_host(host)) {
    return error_response(421, "wrong_host",
                          "this server is not called so; expected localhost, 127.0.0.1, [::1] or "
                          "a name given by --allow-host");
  }
  const bool has_origin = request.fields.contains("origin");
  if (has_origin && !is_same_origin(request.field("origin"), host)) {
    return error_response(403, "wrong_origin", "a page of another server may not ask");
  }
  if (request.field("sec-fetch-site") == "cross-site" &&
      (request.field("sec-fetch-mode") != "navigate" || request.method != "GET")) {
    return error_response(403, "wrong_origin", "a page of another server may not ask");
  }
  if (!needs_token) return std::nullopt;
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = request.field("authorization");
  if (!given.starts_with(kScheme) || !is_equal(given.substr(kScheme.size()), token_)) {
    return error_response(401, "no_token",
                          "expected the token of the address that tideline serve printed");
  }
  return std::nullopt;
}

}  // namespace tideline::web
