#include "core/io/text_format.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/stubs/strutil.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/text.h"
#include "core/io/parse_message.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/proto/run_metadata.pb.h"
#include "core/io/wire.h"
#include "core/io/wire_check.h"

namespace tideline::io {
namespace {

using google::protobuf::Arena;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::LogSilencer;
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

// Whether neither "nan" nor "-nan" is read as these bits.
bool is_other_nan(float value) {
  constexpr float kRead = std::numeric_limits<float>::quiet_NaN();
  return std::isnan(value) &&
         std::bit_cast<std::uint32_t>(std::abs(value)) != std::bit_cast<std::uint32_t>(kRead);
}
bool is_other_nan(double value) {
  constexpr double kRead = std::numeric_limits<double>::quiet_NaN();
  return std::isnan(value) &&
         std::bit_cast<std::uint64_t>(std::abs(value)) != std::bit_cast<std::uint64_t>(kRead);
}

bool has_other_nan(const Message& message, const FieldDescriptor* field) {
  const auto* reflection = message.GetReflection();
  const auto any = [&](auto get, auto get_repeated) {
    if (!field->is_repeated()) return is_other_nan((reflection->*get)(message, field));
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      if (is_other_nan((reflection->*get_repeated)(message, field, i))) return true;
    }
    return false;
  };
  using google::protobuf::Reflection;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_FLOAT:
      return any(&Reflection::GetFloat, &Reflection::GetRepeatedFloat);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return any(&Reflection::GetDouble, &Reflection::GetRepeatedDouble);
    default: return false;
  }
}

// The path of a field that the text form cannot carry ("attr.value.99"), if there is one, and why.
std::optional<std::string> unknown_field(const Message& message) {
  const auto* reflection = message.GetReflection();
  const auto& unknown = reflection->GetUnknownFields(message);
  if (unknown.field_count() > 0) {
    return fmt::format("{} is unknown and has no name in text form", unknown.field(0).number());
  }
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (has_other_nan(message, field)) {
      return fmt::format("{} has a NaN whose bits text form does not tell", field->name());
    }
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

// The same for entries of maps. The protobuf library drops their unknown fields and merges values
// that are given twice, so this is found in the bytes alone.
std::optional<std::string> lost_in_map(std::string_view wire, const Descriptor& type,
                                       bool is_entry = false) {
  FieldReader reader(wire);
  Field field;
  int keys = 0;
  int values = 0;
  while (reader.next(field)) {
    const FieldDescriptor* known = type.FindFieldByNumber(static_cast<int>(field.number));
    if (is_entry) {
      if (known == nullptr) {
        return fmt::format("{} is unknown and has no name in text form", field.number);
      }
      int& count = known->number() == 1 ? keys : values;
      if (++count > 1) return fmt::format("{} is given twice", known->name());
    }
    if (known == nullptr || known->message_type() == nullptr || field.type != WireType::kBytes) {
      continue;
    }
    if (auto path = lost_in_map(field.bytes, *known->message_type(), known->is_map())) {
      return fmt::format("{}.{}", known->name(), *path);
    }
  }
  return std::nullopt;
}

// Hands text on in pieces.
class PieceStream final : public google::protobuf::io::CopyingOutputStream {
 public:
  explicit PieceStream(const std::function<Status(std::string_view)>& out) : out_(out) {}
  bool Write(const void* buffer, int size) override {
    status_ = out_({static_cast<const char*>(buffer), static_cast<std::size_t>(size)});
    return status_.has_value();
  }
  [[nodiscard]] Status status() && { return std::move(status_); }

 private:
  const std::function<Status(std::string_view)>& out_;
  Status status_;
};

constexpr int kPieceBytes = 1 << 16;

// Prints as the library does with SetUseUtf8StringEscaping, with two differences. Bytes are escaped
// piece by piece: each byte by itself, so that it does not matter where a piece ends. And a NaN has
// its sign, which the library reads, in C++ and in Python, but does not print; the NaN that x86
// computes has one.
class PiecePrinter final : public TextFormat::FastFieldValuePrinter {
 public:
  void PrintString(const std::string& value,
                   TextFormat::BaseTextGenerator* generator) const override {
    generator->PrintLiteral("\"");
    generator->PrintString(google::protobuf::strings::Utf8SafeCEscape(value));
    generator->PrintLiteral("\"");
  }
  void PrintBytes(const std::string& value,
                  TextFormat::BaseTextGenerator* generator) const override {
    generator->PrintLiteral("\"");
    for (std::size_t at = 0; at < value.size(); at += kPieceBytes) {
      generator->PrintString(google::protobuf::CEscape(value.substr(at, kPieceBytes)));
    }
    generator->PrintLiteral("\"");
  }
  void PrintFloat(float value, TextFormat::BaseTextGenerator* generator) const override {
    if (is_negative_nan(value)) return generator->PrintLiteral("-nan");
    FastFieldValuePrinter::PrintFloat(value, generator);
  }
  void PrintDouble(double value, TextFormat::BaseTextGenerator* generator) const override {
    if (is_negative_nan(value)) return generator->PrintLiteral("-nan");
    FastFieldValuePrinter::PrintDouble(value, generator);
  }

 private:
  template <typename Float>
  static bool is_negative_nan(Float value) {
    return std::isnan(value) && std::signbit(value);
  }
};

}  // namespace

Result<std::string> text_to_wire(std::string_view text, MessageKind message) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return fail(Code::kUnsupported, "text of 2 GiB or more cannot be read; expected the .pb form");
  }
  text = without_byte_order_mark(text);
  const LogSilencer silencer;  // the library logs each string that is not UTF-8
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
  std::string text;
  TIDELINE_RETURN_IF_ERROR(wire_to_text(wire, message, indent, [&text](std::string_view piece) {
    text += piece;
    return Status();
  }));
  return text;
}

Status wire_to_text(std::string_view wire, MessageKind message, int indent,
                    const std::function<Status(std::string_view)>& out) {
  Arena arena;
  Message* parsed = make(message, arena);
  if (!parse_message(wire, *parsed)) {
    return fail(Code::kUnsupported, "cannot be written as text");
  }
  auto lost = unknown_field(*parsed);
  if (!lost) lost = lost_in_map(wire, *parsed->GetDescriptor());
  if (lost) {
    return fail(Code::kUnsupported, "field {}, so it would be lost; write .pb or .meta instead",
                *lost);
  }
  TextFormat::Printer printer;
  printer.SetDefaultFieldValuePrinter(new PiecePrinter);  // the printer owns it
  printer.SetInitialIndentLevel(indent);
  PieceStream pieces(out);
  bool printed = false;
  {
    google::protobuf::io::CopyingOutputStreamAdaptor stream(&pieces, kPieceBytes);
    printed = printer.Print(*parsed, &stream) && stream.Flush();
  }
  TIDELINE_RETURN_IF_ERROR(std::move(pieces).status());
  if (!printed) return fail(Code::kInternal, "cannot be printed as text");
  return {};
}

}  // namespace tideline::io
