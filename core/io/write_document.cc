#include "core/io/write_document.h"

#include "core/io/envelope.h"
#include "core/io/graph_parts.h"
#include "core/io/op_header_sizes.h"
#include "core/io/wire.h"

namespace tideline::io {
namespace {

std::string field_header(std::uint32_t number, std::size_t size) {
  std::string header;
  append_varint(header, std::uint64_t{number} << 3U | static_cast<std::uint64_t>(WireType::kBytes));
  append_varint(header, size);
  return header;
}

// What is written around the message that holds the ops, outermost first.
struct Layer {
  MessageKind kind;
  std::string before;
  std::string_view old_before;
  std::string_view old_header;
  std::string_view old_after;
  std::string after;
};

std::vector<Layer> layers_for(const Document& document, Format format) {
  std::vector<Layer> layers;
  for (const Envelope& envelope : document.envelopes) {
    const bool wanted = envelope.kind == MessageKind::kSavedModel ? format == Format::kSavedModel
                        : envelope.kind == MessageKind::kMetaGraphDef ? format != Format::kGraph
                                                                      : true;
    if (!wanted) continue;
    layers.push_back({envelope.kind, {}, envelope.before, envelope.header, envelope.after, {}});
  }
  if (format != Format::kGraph && document.format == Format::kGraph) {
    // An empty MetaInfoDef marks the message as a MetaGraphDef.
    layers.insert(
        layers.begin(),
        {MessageKind::kMetaGraphDef, field_header(meta_graph_def::kMetaInfo, 0), {}, {}, {}, {}});
  }
  if (format == Format::kSavedModel && document.format != Format::kSavedModel) {
    const Envelope* meta = document.envelope(MessageKind::kMetaGraphDef);
    if (meta == nullptr || (tags_of(meta->before).empty() && tags_of(meta->after).empty())) {
      // TensorFlow finds the graph of a SavedModel by its tags. A second MetaInfoDef is merged.
      std::string info;
      append_bytes(info, meta_graph_def::kTags, kDefaultTag);
      append_bytes(layers.front().after, meta_graph_def::kMetaInfo, info);
    }
    std::string version;
    append_varint_field(version, saved_model::kSchemaVersion, 1);
    layers.insert(layers.begin(), {MessageKind::kSavedModel, version, {}, {}, {}, {}});
  }
  return layers;
}

class BinaryWriter {
 public:
  BinaryWriter(const Document& document, const Graph& graph, const Sink& out, Progress& progress)
      : document_(document),
        graph_(graph),
        parts_(document, graph),
        out_(out),
        progress_(progress) {}

  Status write(Format format) {
    const std::vector<Layer> layers = layers_for(document_, format);
    TIDELINE_TRY(const std::size_t innermost, graph_size());
    // Lengths are known from the inside out, and written from the outside in.
    std::vector<std::string> headers(layers.size());
    std::size_t size = innermost;
    std::size_t old_size = document_.graph_bytes.size();
    for (std::size_t i = layers.size(); i-- > 0;) {
      const Layer& layer = layers[i];
      headers[i] = !layer.old_header.empty() && size == old_size
                       ? std::string(layer.old_header)
                       : field_header(inner_field(layer.kind), size);
      old_size += layer.old_before.size() + layer.old_header.size() + layer.old_after.size();
      size += layer.before.size() + layer.old_before.size() + headers[i].size() +
              layer.old_after.size() + layer.after.size();
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      TIDELINE_RETURN_IF_ERROR(out_(layers[i].before));
      TIDELINE_RETURN_IF_ERROR(out_(layers[i].old_before));
      TIDELINE_RETURN_IF_ERROR(out_(headers[i]));
    }
    TIDELINE_RETURN_IF_ERROR(write_graph());
    for (std::size_t i = layers.size(); i-- > 0;) {
      TIDELINE_RETURN_IF_ERROR(out_(layers[i].old_after));
      TIDELINE_RETURN_IF_ERROR(out_(layers[i].after));
    }
    return {};
  }

  Status write_graph() {
    return parts_.walk(
        [&](OpId op) -> Status {
          const std::string_view encoded = graph_.encoded(op);
          if (const std::size_t old = parts_.old_header_size(op)) {
            const char* start = encoded.data() - old;
            return out_({start, old + encoded.size()});
          }
          TIDELINE_RETURN_IF_ERROR(out_(field_header(parts_.op_field(), encoded.size())));
          return out_(encoded);
        },
        [&](std::string_view field) { return out_(field); }, progress_);
  }

 private:
  [[nodiscard]] Result<std::size_t> graph_size() {
    std::size_t size = 0;
    Progress silent;
    TIDELINE_RETURN_IF_ERROR(parts_.walk(
        [&](OpId op) -> Status {
          size += header_size(op) + graph_.encoded(op).size();
          return {};
        },
        [&](std::string_view field) -> Status {
          size += field.size();
          return {};
        },
        silent));
    return size;
  }
  [[nodiscard]] std::size_t header_size(OpId op) const {
    if (const std::size_t old = parts_.old_header_size(op)) return old;
    return OpHeaderSizes::shortest(graph_.encoded(op).size());
  }

  const Document& document_;
  const Graph& graph_;
  GraphParts parts_;
  const Sink& out_;
  Progress& progress_;
};

}  // namespace

constinit const GraphFormat kBinaryFormat = {
    .word = "binary",
    .names = {{{"saved_model.pb", Format::kSavedModel},
               {".pb", Format::kGraph},
               {".meta", Format::kMetaGraph},
               {".graphdef", Format::kGraph, false}}},
    .sniff = sniff_wire,
    .write =
        [](const Document& document, const Graph& graph, Format message, const Sink& out,
           Progress& progress) {
          return BinaryWriter(document, graph, out, progress).write(message);
        },
};

Status write_document(const Document& document, const Graph& graph, OutputFormat format,
                      const Sink& out, Progress& progress) {
  return format.encoding->write(document, graph, format.format, out, progress);
}

Status write_graph_message(const Document& document, const Graph& graph, const Sink& out,
                           Progress& progress) {
  return BinaryWriter(document, graph, out, progress).write_graph();
}

Status write_document(const Document& document, const Graph& graph, OutputFormat format,
                      OutputFile& out, Progress& progress) {
  return write_document(
      document, graph, format, [&out](std::string_view bytes) { return out.append(bytes); },
      progress);
}

}  // namespace tideline::io
