#include "core/io/wire_check.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/io/wire.h"

namespace tideline::io {
namespace {

class Checker {
 public:
  bool message(const char* at, const char* end, const MessageRules* rules, int depth,
               std::uint64_t open_group = 0);
  WireProblem problem;

 private:
  bool stop(const char* at, std::string what) {
    problem = {at, std::move(what)};
    return false;
  }
  bool length_delimited(const char*& at, const char* end, const MessageRules* rules,
                        std::uint64_t number, int depth);
  bool packed(std::string_view content, FieldRule::Packed kind, const FieldRule& rule);

  const char* group_end_ = nullptr;
};

std::string field_name(const MessageRules* rules, std::uint64_t number) {
  const FieldRule* rule = rules != nullptr ? rules->find(number) : nullptr;
  return rule != nullptr && !rule->name.empty() ? fmt::format("field '{}'", rule->name)
                                                : fmt::format("field number {}", number);
}

// Whether `content` reads as a message in a message in a message ..., deeper than is allowed.
bool nests_too_deep(std::string_view content) {
  for (int depth = 0; depth <= kMaxDepth; ++depth) {
    FieldReader reader(content);
    Field field;
    std::string_view longest;
    while (reader.next(field)) {
      if (field.type == WireType::kBytes && field.bytes.size() > longest.size()) {
        longest = field.bytes;
      }
    }
    if (reader.damaged() || longest.empty()) return false;
    content = longest;
  }
  return true;
}

std::string not_text(const FieldRule& rule, std::string_view content) {
  if (nests_too_deep(content)) {
    return fmt::format("field '{}' holds messages that nest more than {} deep; expected UTF-8 text",
                       rule.name, kMaxDepth);
  }
  return fmt::format("field '{}' holds '{}'; expected UTF-8 text", rule.name,
                     printable(content, 60));
}

bool Checker::packed(std::string_view content, FieldRule::Packed kind, const FieldRule& rule) {
  if (kind == FieldRule::Packed::kVarint) {
    const char* at = content.data();
    const char* end = at + content.size();
    std::uint64_t value = 0;
    while (at < end) {
      const char* start = at;
      if (!read_varint(at, end, value)) {
        return stop(start, fmt::format("field '{}': broken number in a packed list", rule.name));
      }
    }
    return true;
  }
  const std::size_t size = kind == FieldRule::Packed::kFixed32 ? 4 : 8;
  if (kind != FieldRule::Packed::kNo && content.size() % size != 0) {
    return stop(content.data(), fmt::format("field '{}': packed list of {} bytes; expected a "
                                            "multiple of {}",
                                            rule.name, content.size(), size));
  }
  return true;
}

bool Checker::length_delimited(const char*& at, const char* end, const MessageRules* rules,
                               std::uint64_t number, int depth) {
  const char* start = at;
  std::uint64_t length = 0;
  if (!read_length(at, end, length)) {
    return stop(start, fmt::format("{}: broken length", field_name(rules, number)));
  }
  if (length > static_cast<std::uint64_t>(end - at)) {
    return stop(start, fmt::format("{} is {} bytes long, {} are left; truncated or damaged",
                                   field_name(rules, number), length, end - at));
  }
  const std::string_view content(at, static_cast<std::size_t>(length));
  at += length;
  const FieldRule* rule = rules != nullptr ? rules->find(number) : nullptr;
  if (rule == nullptr) return true;
  switch (rule->kind) {
    case FieldRule::Kind::kUnknown:
    case FieldRule::Kind::kBytes: return true;
    case FieldRule::Kind::kScalar: return packed(content, rule->packed, *rule);
    case FieldRule::Kind::kText:
      if (is_utf8(content)) return true;
      return stop(content.data(), not_text(*rule, content));
    case FieldRule::Kind::kMessage:
      if (depth + 1 > kMaxDepth) {
        return stop(start, fmt::format("messages nest more than {} deep", kMaxDepth));
      }
      return message(content.data(), content.data() + content.size(), rule->message, depth + 1);
  }
  return true;
}

bool Checker::message(const char* at, const char* end, const MessageRules* rules, int depth,
                      std::uint64_t open_group) {
  while (at < end) {
    const char* start = at;
    std::uint64_t tag = 0;
    if (!read_tag(at, end, tag)) return stop(start, "broken field tag");
    const std::uint64_t number = tag >> 3U;
    if (number == 0) return stop(start, "field number 0 does not exist");
    std::uint64_t value = 0;
    switch (static_cast<WireType>(tag & 7U)) {
      case WireType::kVarint:
        if (!read_varint(at, end, value)) {
          return stop(start, fmt::format("{}: broken number", field_name(rules, number)));
        }
        break;
      case WireType::kFixed64:
      case WireType::kFixed32: {
        const std::ptrdiff_t size = (tag & 7U) == 1 ? 8 : 4;
        if (end - at < size) {
          return stop(start, fmt::format("{}: truncated number", field_name(rules, number)));
        }
        at += size;
        break;
      }
      case WireType::kBytes:
        if (!length_delimited(at, end, rules, number, depth)) return false;
        break;
      case WireType::kGroupStart:
        if (depth + 1 > kMaxDepth) {
          return stop(start, fmt::format("byte groups nest more than {} deep", kMaxDepth));
        }
        if (!message(at, end, nullptr, depth + 1, number)) return false;
        at = group_end_;
        break;
      case WireType::kGroupEnd:
        if (open_group != number) return stop(start, "end of a group without a beginning");
        group_end_ = at;
        return true;
      default: return stop(start, fmt::format("wire type {} does not exist", tag & 7U));
    }
  }
  if (open_group != 0) return stop(end, "a group is not closed");
  return true;
}

}  // namespace

std::optional<WireProblem> check_message(std::string_view message, const MessageRules& rules,
                                         int depth) {
  Checker checker;
  if (checker.message(message.data(), message.data() + message.size(), &rules, depth)) {
    return std::nullopt;
  }
  return std::move(checker.problem);
}

}  // namespace tideline::io
