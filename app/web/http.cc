// Tested by unit/web/http_test.cc and fuzz/fuzz_http.cc.
//
// Why a parser of others: the ways in which a header can be wrong are many and known, and each of
// them was somebody's hole. Beast's parser is given our limits and sees nothing but memory;
// sockets, times and bodies are ours (app/web/connection.cc), so that nobody can make the program
// wait or store. Measured with the parser: lines without end, 100,000 fields, negative, two and
// huge lengths, a length beside chunks, line feeds alone: all are refused, and memory stays as it
// is.
#include "app/web/http.h"

#include <algorithm>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/parser.hpp>

#include "core/base/text.h"

namespace tideline::web {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t kMostParameters = 100;

std::string text_of(boost::beast::string_view view) {
  return {view.data(), view.size()};
}

Response refused(const boost::beast::error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return error_response(431, "headers_too_large",
                          fmt::format("the header is longer than {} bytes", kMostHeaderBytes));
  }
  return error_response(400, "bad_request",
                        fmt::format("this is no HTTP/1 request: {}", error.message()));
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "a=b&c=d"; false if it is malformed or too much.
bool parse_query(std::string_view text, Values& query) {
  std::size_t count = 0;
  while (!text.empty()) {
    if (++count > kMostParameters) return false;
    const std::size_t end = text.find('&');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (part.empty()) continue;
    const std::size_t equal = part.find('=');
    std::string value(equal == std::string_view::npos ? "" : part.substr(equal + 1));
    std::replace(value.begin(), value.end(), '+', ' ');
    auto name = percent_decoded(part.substr(0, equal));
    auto decoded = percent_decoded(value);
    if (!name || !decoded) return false;
    query[*std::move(name)] = *std::move(decoded);
  }
  return true;
}

}  // namespace

struct HeaderParser::Parser {
  http::request_parser<http::empty_body> beast;
};

HeaderParser::HeaderParser() : parser_(std::make_unique<Parser>()) {
  parser_->beast.header_limit(kMostHeaderBytes);
  parser_->beast.body_limit(boost::none);  // what comes behind the header is not its business
  parser_->beast.skip(true);
}

HeaderParser::~HeaderParser() = default;

HeaderParser::State HeaderParser::take(std::string_view bytes) {
  State state;
  auto& beast = parser_->beast;
  boost::beast::error_code error;
  while (!bytes.empty() && !beast.is_header_done()) {
    const std::size_t used = beast.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    state.used += used;
    bytes.remove_prefix(used);
    if (error == http::error::need_more) break;
    if (error) {
      state.problem = refused(error);
      return state;
    }
    if (used == 0) break;
  }
  if (state.used + bytes.size() > kMostHeaderBytes && !beast.is_header_done()) {
    state.problem = refused(http::make_error_code(http::error::header_limit));
    return state;
  }
  const auto& fields = beast.get();
  if (std::distance(fields.begin(), fields.end()) > static_cast<std::ptrdiff_t>(kMostFields)) {
    state.problem = error_response(431, "headers_too_large",
                                   fmt::format("there are more than {} fields", kMostFields));
    return state;
  }
  state.is_done = beast.is_header_done();
  return state;
}

std::optional<Request> HeaderParser::request() const {
  const auto& header = parser_->beast.get();
  Request request;
  request.method = text_of(header.method_string());
  const std::string target = text_of(header.target());
  if (!target.starts_with('/')) return std::nullopt;
  const std::size_t question = target.find('?');
  auto path = percent_decoded(std::string_view(target).substr(0, question));
  if (!path) return std::nullopt;
  request.path = *std::move(path);
  if (question != std::string::npos &&
      !parse_query(std::string_view(target).substr(question + 1), request.query)) {
    return std::nullopt;
  }
  for (const auto& field : header) {
    std::string name = lower_case(text_of(field.name_string()));
    if (name == "host" && request.fields.contains(name)) request.has_two_hosts = true;
    request.fields[std::move(name)] = text_of(field.value());
  }
  const auto length = parser_->beast.content_length();
  if (length) request.length = *length;
  request.is_chunked = parser_->beast.chunked() || request.fields.contains("transfer-encoding");
  request.keeps_alive = parser_->beast.keep_alive();
  return request;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit_of(text[i + 1]);
    const int low = digit_of(text[i + 2]);
    if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
    decoded += static_cast<char>(16 * high + low);
    i += 2;
  }
  return decoded;
}

}  // namespace tideline::web
