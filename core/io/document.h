// A graph file as it was read: the graph, what surrounds it, and everything needed to write it
// back.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/io/message_kind.h"
#include "core/io/op_header_sizes.h"

namespace tideline::io {

enum class Format : std::uint8_t { kGraph, kMetaGraph, kSavedModel };
enum class Encoding : std::uint8_t { kBinary, kText };

/// The word of the JSON: "graph", "metagraph", "savedmodel".
[[nodiscard]] const char* format_name(Format format);

/// A message around the one that holds the ops, split at the field that holds the next one inward.
struct Envelope {
  MessageKind kind = MessageKind::kMetaGraphDef;
  std::string_view before;  ///< fields before the inner message
  std::string_view header;  ///< tag and length of the inner message
  std::string_view after;   ///< fields after it
};

/// A field of the GraphDef (of the FunctionDef, for a function's body) that is no op, and how many
/// ops stand before it.
struct GraphField {
  std::uint32_t ops_before = 0;
  std::string_view whole;
};

/// An opened file. Invariant: writing it back without an edit gives the bytes that were read (for a
/// text file: the same meaning).
struct Document {
  std::string path;
  Format format = Format::kGraph;
  Encoding encoding = Encoding::kBinary;
  Graph graph;
  Collections collections;  ///< what a MetaGraph lists; empty for a GraphDef
  Diagnostics diagnostics;

  SharedBytes source;               ///< the file
  SharedBytes wire;                 ///< the wire form; the same object unless the file is text
  std::vector<Envelope> envelopes;  ///< outermost first
  std::string_view graph_bytes;     ///< the encoded GraphDef, or FunctionDef
  std::vector<GraphField> fields;
  OpHeaderSizes op_header_sizes;

  /// For the body of a function (function_body.h): its name, else empty. The body's first ops stand
  /// for its arguments and its last ones for its results; these are in no file.
  std::string function;
  std::uint32_t argument_count = 0;
  std::vector<std::string_view> result_names;

  /// The folder of a SavedModel that was opened as one; else empty.
  std::string folder;
  /// Where in the file or folder the graph was found, when there is a choice: "tags serve",
  /// "run train, tag step_1"; else empty.
  std::string place;
  /// The run of a log, as its folder is called relative to the log ("." for the log itself); empty
  /// for a graph that comes from no log.
  std::string run;

  [[nodiscard]] bool has_functions() const;
  /// Whether `op` of `graph` is in the file; not so for arguments and results of a function.
  [[nodiscard]] bool is_in_file(OpId op) const {
    return op.value >= argument_count && op.value < graph.op_count() - result_names.size();
  }
  [[nodiscard]] const Envelope* envelope(MessageKind kind) const;
};

/// Whether a graph with a cycle is an error. Only who looks for the cycle himself allows one.
enum class Cycles : std::uint8_t { kRefuse, kAllow };

/// What to open when a file holds several graphs.
struct ReadOptions {
  Cycles cycles = Cycles::kRefuse;
  /// Which MetaGraph of a SavedModel: its tags joined by commas, or one tag that only it has.
  std::string tag = {};
  /// How the file's bytes are held where the reader opens it.
  Hold hold = Hold::kMap;
};

/// Opens `path`: a GraphDef, MetaGraphDef or SavedModel in wire or text form, told apart by content
/// alone. The wire structure of everything, attributes included, is checked; attributes are not
/// decoded. Errors: kNotFound, kIo; kCorrupt with the byte or line; kUnsupported for other kinds of
/// files; kInvalidArgument when there are several MetaGraphs and `tag` does not choose one.
/// Messages begin with the path. Cost: one pass over the bytes; memory for ops and inputs only.
[[nodiscard]] Result<Document> read_document(const std::string& path, Progress& progress,
                                             const ReadOptions& options = {});
/// The same for bytes that are already there; `path` is for messages.
[[nodiscard]] Result<Document> read_document(const std::string& path, SharedBytes bytes,
                                             Progress& progress, const ReadOptions& options = {});

}  // namespace tideline::io
