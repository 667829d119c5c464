#include "core/io/write_document.h"

#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/io/text_format.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

constexpr std::uint32_t kOpsBetweenReports = 1U << 14U;

std::string field_header(std::uint32_t number, std::size_t size) {
  std::string header;
  append_varint(header, std::uint64_t{number} << 3U | static_cast<std::uint64_t>(WireType::kBytes));
  append_varint(header, size);
  return header;
}

// Whether `inner` is a piece of `outer`, not only equal to one.
bool is_view_into(std::string_view inner, std::string_view outer) {
  return inner.data() >= outer.data() && inner.data() + inner.size() <= outer.data() + outer.size();
}

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

// Walks the parts of the encoded GraphDef in the order of the file: ops, other fields where they
// stood, added ops after the last op that was there.
class GraphParts {
 public:
  GraphParts(const Document& document, const Graph& graph) : document_(document), graph_(graph) {}

  template <typename OnOp, typename OnField>
  Status walk(const OnOp& on_op, const OnField& on_field, Progress& progress) const {
    auto field = document_.fields.begin();
    const std::uint32_t original = document_.graph.op_count();
    for (const OpId op : graph_.ops()) {
      while (field != document_.fields.end() && field->ops_before <= op.value &&
             op.value < original) {
        TIDELINE_RETURN_IF_ERROR(on_field(*field++));
      }
      TIDELINE_RETURN_IF_ERROR(on_op(op));
      if (op.value % kOpsBetweenReports == 0 &&
          !progress.report("writing", op.value, graph_.op_count())) {
        return cancelled();
      }
    }
    while (field != document_.fields.end()) TIDELINE_RETURN_IF_ERROR(on_field(*field++));
    return {};
  }

  // Tag and length as they stand in the file when the op is as it was there, else the shortest.
  [[nodiscard]] std::size_t old_header_size(OpId op) const {
    const auto& sizes = document_.op_header_sizes;
    const bool known =
        op.index() < sizes.size() && is_view_into(graph_.encoded(op), document_.wire->bytes());
    return known ? sizes[op.index()] : 0;
  }

 private:
  const Document& document_;
  const Graph& graph_;
};

// Out: whatever has `Status append(std::string_view)`.
template <typename Out>
class BinaryWriter {
 public:
  BinaryWriter(const Document& document, const Graph& graph, Out& out, Progress& progress)
      : document_(document),
        graph_(graph),
        parts_(document, graph),
        out_(out),
        progress_(progress) {}

  Status write(Format format) {
    if (format == Format::kGraph) return write_graph();
    if (document_.format == Format::kGraph) {
      // An empty MetaInfoDef marks the message as a MetaGraphDef.
      TIDELINE_RETURN_IF_ERROR(out_.append(field_header(meta_graph_def::kMetaInfo, 0)));
    }
    TIDELINE_RETURN_IF_ERROR(out_.append(document_.before_graph));
    const std::size_t size = graph_size();
    const bool same_size = !document_.graph_header.empty() && size == document_.graph_bytes.size();
    TIDELINE_RETURN_IF_ERROR(out_.append(same_size ? document_.graph_header
                                                   : field_header(meta_graph_def::kGraph, size)));
    TIDELINE_RETURN_IF_ERROR(write_graph());
    return out_.append(document_.after_graph);
  }
  [[nodiscard]] std::size_t graph_size() {
    std::size_t size = 0;
    Progress silent;
    const Status counted = parts_.walk(
        [&](OpId op) -> Status {
          size += header_size(op) + graph_.encoded(op).size();
          return {};
        },
        [&](const GraphField& field) -> Status {
          size += field.whole.size();
          return {};
        },
        silent);
    return counted ? size : 0;
  }
  Status write_graph() {
    return parts_.walk(
        [&](OpId op) -> Status {
          const std::string_view encoded = graph_.encoded(op);
          if (const std::size_t old = parts_.old_header_size(op)) {
            const char* start = encoded.data() - old;
            return out_.append({start, old + encoded.size()});
          }
          TIDELINE_RETURN_IF_ERROR(out_.append(field_header(graph_def::kNode, encoded.size())));
          return out_.append(encoded);
        },
        [&](const GraphField& field) { return out_.append(field.whole); }, progress_);
  }

 private:
  [[nodiscard]] std::size_t header_size(OpId op) const {
    if (const std::size_t old = parts_.old_header_size(op)) return old;
    std::size_t size = 2;
    for (std::size_t length = graph_.encoded(op).size(); length > 0x7f; length >>= 7U) ++size;
    return size;
  }

  const Document& document_;
  const Graph& graph_;
  GraphParts parts_;
  Out& out_;
  Progress& progress_;
};

struct SinkOutput {
  const Sink& sink;
  [[nodiscard]] Status append(std::string_view piece) const { return sink(piece); }
};

class TextWriter {
 public:
  TextWriter(const Document& document, const Graph& graph, OutputFile& out, Progress& progress)
      : document_(document), graph_(graph), out_(out), progress_(progress) {}

  Status write(Format format) {
    if (format == Format::kGraph) return write_graph(0);
    std::string before(document_.before_graph);
    std::string after(document_.after_graph);
    if (share_a_field({before, after})) after = std::exchange(before, {}) + after;
    TIDELINE_RETURN_IF_ERROR(append_text(before, TextMessage::kMetaGraphDef, 0));
    TIDELINE_RETURN_IF_ERROR(out_.append("graph_def {\n"));
    TIDELINE_RETURN_IF_ERROR(write_graph(1));
    TIDELINE_RETURN_IF_ERROR(out_.append("}\n"));
    return append_text(after, TextMessage::kMetaGraphDef, 0);
  }

 private:
  Status append_text(std::string_view wire, TextMessage message, int indent) {
    auto text = wire_to_text(wire, message, indent);
    if (!text) return tl::unexpected(std::move(text).error());
    return out_.append(*text);
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
          TIDELINE_RETURN_IF_ERROR(out_.append(margin + "node {\n"));
          if (Status status = append_text(graph_.encoded(op), TextMessage::kNodeDef, indent + 1);
              !status) {
            return tl::unexpected(
                with_context(std::move(status).error(), fmt::format("op '{}'", graph_.name(op))));
          }
          return out_.append(margin + "}\n");
        },
        [&](const GraphField& field) -> Status {
          if (!together) return append_text(field.whole, TextMessage::kGraphDef, indent);
          at_end += field.whole;
          return {};
        },
        progress_);
    if (!walked) return walked;
    return append_text(at_end, TextMessage::kGraphDef, indent);
  }

  const Document& document_;
  const Graph& graph_;
  OutputFile& out_;
  Progress& progress_;
};

}  // namespace

Result<OutputFormat> output_format_of(const std::string& path, const Document& document) {
  if (path.ends_with(".pb")) return OutputFormat{Format::kGraph, Encoding::kBinary};
  if (path.ends_with(".meta")) return OutputFormat{Format::kMetaGraph, Encoding::kBinary};
  if (path.ends_with(".pbtxt")) {
    const bool stays_meta =
        document.format == Format::kMetaGraph && document.encoding == Encoding::kText;
    return OutputFormat{stays_meta ? Format::kMetaGraph : Format::kGraph, Encoding::kText};
  }
  return fail(Code::kInvalidArgument, "{}: expected a name that ends in .pb, .pbtxt or .meta",
              path);
}

std::vector<std::string> losses(const Document& document, OutputFormat format) {
  std::vector<std::string> sentences;
  if (document.format == Format::kMetaGraph && format.format == Format::kGraph) {
    sentences.push_back(fmt::format(
        "A GraphDef holds only the graph: {} collections and the other fields of the MetaGraph are "
        "not in the output.",
        document.collections.entries.size()));
  }
  return sentences;
}

Status write_document(const Document& document, const Graph& graph, OutputFormat format,
                      OutputFile& out, Progress& progress) {
  Status status = format.encoding == Encoding::kBinary
                      ? BinaryWriter(document, graph, out, progress).write(format.format)
                      : TextWriter(document, graph, out, progress).write(format.format);
  return status;
}

Status write_graph_def(const Document& document, const Graph& graph, const Sink& sink,
                       Progress& progress) {
  SinkOutput out{sink};
  return BinaryWriter(document, graph, out, progress).write_graph();
}

std::uint64_t graph_def_size(const Document& document, const Graph& graph) {
  Progress silent;
  const Sink nowhere;
  SinkOutput out{nowhere};
  return BinaryWriter(document, graph, out, silent).graph_size();
}

}  // namespace tideline::io
