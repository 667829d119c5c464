// Tested by unit/checkpoint/state_file_test.cc.
#include "core/checkpoint/state_file.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tideline::checkpoint {
namespace {

constexpr std::string_view kLatest = "model_checkpoint_path";
constexpr std::size_t kMostNameBytes = 4096;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

int state_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0U | code >> 6U);
  } else {
    if (code < 0x10000) {
      byte(0xe0U | code >> 12U);
    } else {
      byte(0xf0U | code >> 18U);
      byte(0x80U | (code >> 12U & 0x3fU));
    }
    byte(0x80U | (code >> 6U & 0x3fU));
  }
  byte(0x80U | (code & 0x3fU));
}

// Fields of the message one after the other; what they hold is looked at for strings alone.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<std::string> latest() {
    std::optional<std::string> found;  // the last one counts, as for every field of a message
    while (true) {
      skip_blanks();
      if (at_ == text_.size()) return found;
      const std::string_view name = take_name();
      if (name.empty()) return found;
      skip_blanks();
      if (peek() == ':') ++at_;
      skip_blanks();
      if (peek() == '"' || peek() == '\'') {
        auto value = take_strings();
        if (!value) return std::nullopt;
        if (name == kLatest) found = std::move(value);
      } else if (!skip_value()) {
        return found;
      }
    }
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::string_view(" \t\r\n,;").find(text_[at_]) == std::string_view::npos) {
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // A number, a word or a list of such. No field of the message holds messages.
  bool skip_value() {
    if (peek() == '[') {
      at_ = std::min(text_.find(']', at_), text_.size());
      if (at_ < text_.size()) ++at_;
      return true;
    }
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,;#", at_), text_.size());
    const bool is_there =
        end > at_ && std::string_view("{<>}").find(peek()) == std::string_view::npos;
    at_ = end;
    return is_there;
  }

  // Strings that follow one another are one.
  std::optional<std::string> take_strings() {
    std::string value;
    while (peek() == '"' || peek() == '\'') {
      const char quote = text_[at_++];
      while (peek() != quote) {
        if (at_ == text_.size() || peek() == '\n' || value.size() > kMostNameBytes) {
          return std::nullopt;
        }
        if (peek() != '\\') {
          value += text_[at_++];
        } else if (++at_; !take_escape(value)) {
          return std::nullopt;
        }
      }
      ++at_;
      skip_blanks();
    }
    if (value.size() > kMostNameBytes) return std::nullopt;
    return value;
  }

  // At most `most` digits of the base; nullopt without any.
  std::optional<std::uint32_t> take_number(int base, int most) {
    std::uint32_t value = 0;
    int count = 0;
    for (; count < most && at_ < text_.size() && state_digit(text_[at_]) < base; ++count) {
      value = value * static_cast<std::uint32_t>(base) +
              static_cast<std::uint32_t>(state_digit(text_[at_++]));
    }
    return count == 0 ? std::nullopt : std::optional(value);
  }

  bool take_escape(std::string& value) {
    constexpr std::string_view kLetters = "abfnrtv";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
    const char c = peek();
    if (state_digit(c) < 8) {
      value += static_cast<char>(*take_number(8, 3) & 0xffU);
      return true;
    }
    if (at_ == text_.size()) return false;
    ++at_;
    if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
      value += kMeanings[known];
      return true;
    }
    if (c == 'x' || c == 'X' || c == 'u' || c == 'U') {
      const auto code = take_number(16, c == 'u' ? 4 : c == 'U' ? 8 : 2);
      if (!code || *code > 0x10ffff) return false;
      if (c == 'x' || c == 'X') {
        value += static_cast<char>(*code);
      } else {
        append_utf8(value, *code);
      }
      return true;
    }
    value += c;
    return std::string_view("\\'\"?").find(c) != std::string_view::npos;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::string> parse_state_file(std::string_view text) {
  auto latest = Reader(text).latest();
  if (!latest || latest->empty()) {
    return fail(Code::kCorrupt, "expected a line with model_checkpoint_path");
  }
  return *std::move(latest);
}

}  // namespace tideline::checkpoint
