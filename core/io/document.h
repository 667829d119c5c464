// An opened graph file: the graph, its surroundings, and everything needed to write it back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/source_bytes.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/io/message_kind.h"
#include "core/io/op_header_sizes.h"

namespace tideline::io {

enum class Format : std::uint8_t { kGraph, kMetaGraph, kSavedModel };
struct GraphFormat;  // graph_format.h; here protocol buffers as they are, and as text
extern const GraphFormat kBinaryFormat, kTextFormat;

/// As in JSON: "graph", "metagraph", "savedmodel".
[[nodiscard]] const char* format_name(Format format);

/// A message that encloses the one with the ops, split at the field of the next inner message.
struct Envelope {
  MessageKind kind = MessageKind::kMetaGraphDef;
  std::string_view before;  ///< fields before the inner message
  std::string_view header;  ///< tag and length of the inner message
  std::string_view after;   ///< fields after it
};

/// A field of the GraphDef (for a function's body, of the FunctionDef) other than an op, and the
/// number of ops before it.
struct GraphField {
  std::uint32_t ops_before = 0;
  std::string_view whole;
};

/// An opened file. Invariant: writing it back unedited gives the bytes that were read (for a text
/// file, an equal message). Thread: immutable, any number of readers.
struct Document {
  std::string path;
  Format format = Format::kGraph;
  const GraphFormat* encoding = &kBinaryFormat;
  Graph graph;
  Collections collections;  ///< of a MetaGraph; empty for a GraphDef
  Diagnostics diagnostics;

  SharedBytes source;               ///< the file
  SharedBytes wire;                 ///< the wire form; the same object unless the file is text
  std::vector<Envelope> envelopes;  ///< outermost first
  std::string_view graph_bytes;     ///< the encoded GraphDef, or FunctionDef
  std::vector<GraphField> fields;
  OpHeaderSizes op_header_sizes;

  /// Name of the function if the graph is a body (function_body.h), else empty. The first ops of a
  /// body stand for its arguments and the last ones for its results; they are not in the file.
  std::string function;
  std::uint32_t argument_count = 0;
  std::vector<std::string_view> result_names;

  /// The folder of the SavedModel, if it was opened as a folder; else empty.
  std::string folder;
  /// Where the graph was found if there is a choice: "tags serve", "run train, tag step_1"; else
  /// empty.
  std::string place;
  /// The run of a log: its folder relative to the log, "." for the log itself; empty for graphs
  /// that are not from a log.
  std::string run;

  [[nodiscard]] bool has_functions() const;
  /// Whether `op` is in the file: false for arguments and results of a function.
  [[nodiscard]] bool is_in_file(OpId op) const {
    return op.value >= argument_count && op.value < graph.op_count() - result_names.size();
  }
  /// The envelope of that kind, or null.
  [[nodiscard]] const Envelope* envelope(MessageKind kind) const;
};

/// Whether a graph with a cycle is an error. kAllow is for callers that check for cycles
/// themselves.
enum class Cycles : std::uint8_t { kRefuse, kAllow };

/// Options of read_document.
struct ReadOptions {
  Cycles cycles = Cycles::kRefuse;
  /// The MetaGraph of a SavedModel: its tags joined by commas, or some that only it has.
  std::string tag = {};
  /// Whether the path may be a pipe.
  Pipes pipes = Pipes::kRefuse;
  /// The number of the MetaGraph in a SavedModel, from 1 on; 0: chosen by `tag`, and among equal
  /// tags the first.
  std::int64_t meta_graph = 0;
};

/// Opens `path`: a GraphDef, MetaGraphDef or SavedModel in any of graph_formats(), detected from
/// the content alone. The wire structure of everything, attributes included, is checked; attributes
/// are not decoded. Errors: kNotFound, kIo; kCorrupt with the byte or line; kUnsupported for other
/// kinds of files; kInvalidArgument when there are several MetaGraphs and `tag` does not select
/// one. Messages begin with the path. Cost: one pass over the bytes; memory for ops and inputs
/// only.
[[nodiscard]] Result<Document> read_document(const std::string& path, Progress& progress,
                                             const ReadOptions& options = {});
/// The same for bytes in memory; `path` is used in messages.
[[nodiscard]] Result<Document> read_document(const std::string& path, SharedBytes bytes,
                                             Progress& progress, const ReadOptions& options = {});

}  // namespace tideline::io
