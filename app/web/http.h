// Parses the header of an HTTP/1 request. The only file that sees Boost.Beast.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/web/message.h"

namespace tideline::web {

inline constexpr std::size_t kMostHeaderBytes = 16 * 1024;
inline constexpr std::size_t kMostFields = 100;

/// Parses one header that comes in pieces. What Beast refuses is refused: lines without end, two
/// lengths, a length with chunks, line feeds alone, spaces before a colon. Thread: not shared.
class HeaderParser {
 public:
  HeaderParser();
  ~HeaderParser();
  HeaderParser(const HeaderParser&) = delete;
  HeaderParser& operator=(const HeaderParser&) = delete;

  /// How parsing stands: `problem` is why the header is refused.
  struct State {
    std::size_t used = 0;  ///< bytes of the front of `bytes` that are done with
    bool is_done = false;
    std::optional<Response> problem = {};
  };
  /// `bytes` begins with what was not used before. Memory: at most a few times kMostHeaderBytes.
  [[nodiscard]] State take(std::string_view bytes);
  /// Precondition: it is done. Nullopt: the target is no path ("/a?b=c").
  [[nodiscard]] std::optional<Request> request() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// Replaces %41 and the like; nullopt for what is malformed and for zero bytes.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace tideline::web
