#include "core/io/text_format.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>

#include <limits>
#include <optional>

#include "core/base/text.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/proto/run_metadata.pb.h"
#include "core/io/wire_check.h"

namespace tideline::io {
namespace {

using google::protobuf::Arena;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

// Keeps the first complaint of the parser.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text.empty()) return;
    text = fmt::format("line {}, column {}: {}", line + 1, column + 1, printable(message));
  }
  std::string text;
};

Message* make(MessageKind message, Arena& arena) {
  switch (message) {
    case MessageKind::kSavedModel: return Arena::CreateMessage<wire::SavedModel>(&arena);
    case MessageKind::kFunctionLibrary:
      return Arena::CreateMessage<wire::FunctionDefLibrary>(&arena);
    case MessageKind::kFunctionDef: return Arena::CreateMessage<wire::FunctionDef>(&arena);
    case MessageKind::kGraphDef: return Arena::CreateMessage<wire::GraphDef>(&arena);
    case MessageKind::kMetaGraphDef: return Arena::CreateMessage<wire::MetaGraphDef>(&arena);
    case MessageKind::kNodeDef: return Arena::CreateMessage<wire::NodeDef>(&arena);
    case MessageKind::kRunMetadata: return Arena::CreateMessage<wire::RunMetadata>(&arena);
  }
  return nullptr;
}

// The path of a field that the text form cannot carry ("attr.value.99"), if there is one.
std::optional<std::string> unknown_field(const Message& message) {
  const auto* reflection = message.GetReflection();
  const auto& unknown = reflection->GetUnknownFields(message);
  if (unknown.field_count() > 0) return std::to_string(unknown.field(0).number());
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const Message& inner = field->is_repeated()
                                 ? reflection->GetRepeatedMessage(message, field, i)
                                 : reflection->GetMessage(message, field);
      if (auto path = unknown_field(inner)) return fmt::format("{}.{}", field->name(), *path);
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> text_to_wire(std::string_view text, MessageKind message) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return fail(Code::kUnsupported, "text of 2 GiB or more cannot be read; expected the .pb form");
  }
  Arena arena;
  Message* parsed = make(message, arena);
  FirstError errors;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetRecursionLimit(kMaxDepth);
  google::protobuf::io::ArrayInputStream input(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&input, parsed)) {
    return fail(Code::kCorrupt, "{}",
                errors.text.empty() ? "line 1: unreadable text" : errors.text);
  }
  std::string wire;
  {
    google::protobuf::io::StringOutputStream stream(&wire);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    if (parsed->ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
        !parsed->SerializeToCodedStream(&out)) {
      return fail(Code::kUnsupported, "a graph of 2 GiB or more cannot be read from text");
    }
  }
  return wire;
}

Result<std::string> wire_to_text(std::string_view wire, MessageKind message, int indent) {
  Arena arena;
  Message* parsed = make(message, arena);
  if (wire.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !parsed->ParseFromArray(wire.data(), static_cast<int>(wire.size()))) {
    return fail(Code::kUnsupported, "cannot be written as text");
  }
  if (const auto path = unknown_field(*parsed)) {
    return fail(Code::kUnsupported,
                "field {} is unknown and has no name in text form, so it would be lost; write .pb "
                "or .meta instead",
                *path);
  }
  std::string text;
  TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  printer.SetInitialIndentLevel(indent);
  if (!printer.PrintToString(*parsed, &text)) {
    return fail(Code::kInternal, "cannot be printed as text");
  }
  return text;
}

}  // namespace tideline::io
