#include "core/io/wire_check.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <map>
#include <memory>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/io/proto/event.pb.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/proto/run_metadata.pb.h"
#include "core/io/wire.h"

namespace tideline::io {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

class RuleBook {
 public:
  RuleBook() {
    add(wire::SavedModel::descriptor());
    add(wire::Event::descriptor());
    add(wire::StepStats::descriptor());
  }

  const MessageRules& find(const std::string& name) const {
    const auto rules = rules_.find(name);
    TIDELINE_CHECK(rules != rules_.end());
    return *rules->second;
  }

 private:
  const MessageRules* add(const Descriptor* message) {
    const auto [entry, added] = rules_.try_emplace(message->full_name());
    if (!added) return entry->second.get();
    entry->second = std::make_unique<MessageRules>();
    MessageRules& rules = *entry->second;
    rules.name = message->name();
    for (int i = 0; i < message->field_count(); ++i) {
      const FieldDescriptor* field = message->field(i);
      const auto number = static_cast<std::size_t>(field->number());
      if (rules.fields.size() <= number) rules.fields.resize(number + 1);
      rules.fields[number] = rule_of(field);
    }
    return &rules;
  }

  FieldRule rule_of(const FieldDescriptor* field) {
    FieldRule rule;
    rule.name = field->name();
    switch (field->type()) {
      case FieldDescriptor::TYPE_MESSAGE:
        rule.kind = FieldRule::Kind::kMessage;
        rule.message = add(field->message_type());
        return rule;
      case FieldDescriptor::TYPE_STRING: rule.kind = FieldRule::Kind::kText; return rule;
      case FieldDescriptor::TYPE_BYTES: rule.kind = FieldRule::Kind::kBytes; return rule;
      default: break;
    }
    rule.kind = FieldRule::Kind::kScalar;
    if (!field->is_repeated()) return rule;
    switch (field->type()) {
      case FieldDescriptor::TYPE_FLOAT:
      case FieldDescriptor::TYPE_FIXED32:
      case FieldDescriptor::TYPE_SFIXED32: rule.packed = FieldRule::Packed::kFixed32; break;
      case FieldDescriptor::TYPE_DOUBLE:
      case FieldDescriptor::TYPE_FIXED64:
      case FieldDescriptor::TYPE_SFIXED64: rule.packed = FieldRule::Packed::kFixed64; break;
      default: rule.packed = FieldRule::Packed::kVarint; break;
    }
    return rule;
  }

  std::map<std::string, std::unique_ptr<MessageRules>> rules_;
};

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

const CheckedMessages& message_rules() {
  static const RuleBook kBook;
  const auto find = [](const char* message) -> const MessageRules& {
    return kBook.find(fmt::format("tideline.wire.{}", message));
  };
  static const CheckedMessages kMessages = {
      find("GraphDef"),   find("NodeDef"), find("NodeDef.AttrEntry"), find("MetaGraphDef"),
      find("SavedModel"), find("Event"),   find("StepStats")};
  return kMessages;
}

std::optional<WireProblem> check_message(std::string_view message, const MessageRules& rules,
                                         int depth) {
  Checker checker;
  if (checker.message(message.data(), message.data() + message.size(), &rules, depth)) {
    return std::nullopt;
  }
  return std::move(checker.problem);
}

}  // namespace tideline::io
