// The text form of a graph, op by op. Tested by unit/io/document_test.cc.
#include <array>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/io/graph_parts.h"
#include "core/io/text_format.h"
#include "core/io/wire.h"
#include "core/io/write_document.h"

namespace tideline::io {
namespace {

// Whether two of `parts` hold fields of the same number. Readers merge those; text must not say a
// field twice.
bool share_a_field(const std::vector<std::string_view>& parts) {
  std::set<std::uint32_t> all;
  for (const std::string_view part : parts) {
    std::set<std::uint32_t> numbers;
    FieldReader reader(part);
    Field field;
    while (reader.next(field)) numbers.insert(field.number);
    for (const std::uint32_t number : numbers) {
      if (!all.insert(number).second) return true;
    }
  }
  return false;
}

// Text of a GraphDef or MetaGraphDef, op by op.
class TextWriter {
 public:
  TextWriter(const Document& document, const Graph& graph, const Sink& out, Progress& progress)
      : document_(document), graph_(graph), out_(out), progress_(progress) {}

  Status write(Format format) {
    if (format == Format::kGraph) return write_graph(0);
    const Envelope* meta = document_.envelope(MessageKind::kMetaGraphDef);
    std::string before(meta == nullptr ? std::string_view() : meta->before);
    std::string after(meta == nullptr ? std::string_view() : meta->after);
    if (share_a_field({before, after})) after = std::exchange(before, {}) + after;
    TIDELINE_RETURN_IF_ERROR(append_text(before, MessageKind::kMetaGraphDef, 0));
    TIDELINE_RETURN_IF_ERROR(out_("graph_def {\n"));
    TIDELINE_RETURN_IF_ERROR(write_graph(1));
    TIDELINE_RETURN_IF_ERROR(out_("}\n"));
    return append_text(after, MessageKind::kMetaGraphDef, 0);
  }

 private:
  Status append_text(std::string_view wire, MessageKind message, int indent) {
    return wire_to_text(wire, message, indent, out_);
  }
  Status write_graph(int indent) {
    const std::string margin(static_cast<std::size_t>(indent) * 2, ' ');
    std::vector<std::string_view> fields;
    for (const GraphField& field : document_.fields) fields.push_back(field.whole);
    const bool together = share_a_field(fields);
    std::string at_end;
    const GraphParts parts(document_, graph_);
    Status walked = parts.walk(
        [&](OpId op) -> Status {
          TIDELINE_RETURN_IF_ERROR(out_(margin + "node {\n"));
          if (Status status = append_text(graph_.encoded(op), MessageKind::kNodeDef, indent + 1);
              !status) {
            return tl::unexpected(
                with_context(std::move(status).error(), fmt::format("op '{}'", graph_.name(op))));
          }
          return out_(margin + "}\n");
        },
        [&](std::string_view field) -> Status {
          if (!together) return append_text(field, MessageKind::kGraphDef, indent);
          at_end += field;
          return {};
        },
        progress_);
    if (!walked) return walked;
    return append_text(at_end, MessageKind::kGraphDef, indent);
  }

  const Document& document_;
  const Graph& graph_;
  const Sink& out_;
  Progress& progress_;
};

// By Format.
constexpr std::array kMessages = {MessageKind::kGraphDef, MessageKind::kMetaGraphDef,
                                  MessageKind::kSavedModel};

Status write_text(const Document& document, const Graph& graph, Format format, const Sink& out,
                  Progress& progress) {
  if (format != Format::kSavedModel && document.function.empty()) {
    return TextWriter(document, graph, out, progress).write(format);
  }
  // A SavedModel, or a file in which a function was opened: through the binary form.
  std::string wire;
  wire.reserve(document.wire->bytes().size());  // about as large; growing would hold it twice
  TIDELINE_RETURN_IF_ERROR(kBinaryFormat.write(document, graph, format, append_to(wire), progress));
  return wire_to_text(wire, kMessages.at(static_cast<std::size_t>(format)), 0, out);
}

}  // namespace

constinit const GraphFormat kTextFormat = {
    .word = "text",
    .names = {{{"saved_model.pbtxt", Format::kSavedModel},
               {".pbtxt", Format::kGraph},
               {".prototxt", Format::kGraph, false}}},
    .sniff = sniff_text,
    .to_wire =
        [](std::string_view bytes, Format message) {
          return text_to_wire(bytes, kMessages.at(static_cast<std::size_t>(message)));
        },
    .write = write_text,
};

}  // namespace tideline::io
