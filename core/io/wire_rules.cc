#include "core/io/wire_rules.h"

#include <google/protobuf/descriptor.h>

#include <map>
#include <memory>

#include "core/base/check.h"
#include "core/io/proto/event.pb.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/proto/run_metadata.pb.h"

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

const RuleBook& book() {
  static const RuleBook kRules;
  return kRules;
}

}  // namespace

const MessageRules& graph_def_rules() {
  static const MessageRules& rules = book().find("tideline.wire.GraphDef");
  return rules;
}
const MessageRules& node_def_rules() {
  static const MessageRules& rules = book().find("tideline.wire.NodeDef");
  return rules;
}
const MessageRules& attribute_entry_rules() {
  static const MessageRules& rules = book().find("tideline.wire.NodeDef.AttrEntry");
  return rules;
}
const MessageRules& meta_graph_def_rules() {
  static const MessageRules& rules = book().find("tideline.wire.MetaGraphDef");
  return rules;
}
const MessageRules& event_rules() {
  static const MessageRules& rules = book().find("tideline.wire.Event");
  return rules;
}

const MessageRules& step_stats_rules() {
  static const MessageRules& rules = book().find("tideline.wire.StepStats");
  return rules;
}

const MessageRules& saved_model_rules() {
  static const MessageRules& rules = book().find("tideline.wire.SavedModel");
  return rules;
}

}  // namespace tideline::io
