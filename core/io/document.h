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

namespace tideline::io {

enum class Format : std::uint8_t { kGraph, kMetaGraph };
enum class Encoding : std::uint8_t { kBinary, kText };

/// The word of the JSON: "graph", "metagraph".
[[nodiscard]] const char* format_name(Format format);

/// A field of the GraphDef that is no op, and how many ops stand before it.
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

  SharedBytes source;             ///< the file
  SharedBytes wire;               ///< the wire form; the same object unless the file is text
  std::string_view before_graph;  ///< fields of the MetaGraph before its GraphDef
  std::string_view graph_bytes;   ///< the encoded GraphDef
  std::string_view graph_header;  ///< tag and length of the GraphDef inside a MetaGraph
  std::string_view after_graph;
  std::vector<GraphField> fields;
  /// Bytes of tag and length of every op, when some are not in their shortest form; else empty.
  std::vector<std::uint8_t> op_header_sizes;

  [[nodiscard]] bool has_functions() const;
};

/// Whether a graph with a cycle is an error. Only who looks for the cycle himself allows one.
enum class Cycles : std::uint8_t { kRefuse, kAllow };

/// Opens `path`: a GraphDef or MetaGraphDef in wire or text form, told apart by content alone.
/// The wire structure of everything, attributes included, is checked; attributes are not decoded.
/// Errors: kNotFound, kIo; kCorrupt with the byte or line; kUnsupported for other kinds of files.
/// Messages begin with the path. Cost: one pass over the bytes; memory for ops and inputs only.
[[nodiscard]] Result<Document> read_document(const std::string& path, Progress& progress,
                                             Cycles cycles = Cycles::kRefuse);
/// The same for bytes that are already there; `path` is for messages.
[[nodiscard]] Result<Document> read_document(const std::string& path, SharedBytes bytes,
                                             Progress& progress, Cycles cycles = Cycles::kRefuse);

}  // namespace tideline::io
