// Formats of graph files. A new one is a file or a folder, and a line in graph_formats.cc.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::io {

/// Receives the bytes of a file in pieces.
using Sink = std::function<Status(std::string_view)>;

/// How the names of files with one kind of message end.
struct GraphName {
  std::string_view ending;  ///< ".pb"; without the dot the whole name
  Format message = Format::kGraph;
  bool is_written = true;  ///< false: such files are read, but not written by this name
};

/// One encoding of the messages that `Format` lists. Reading converts a file to the wire form, on
/// which everything else works.
struct GraphFormat {
  std::string_view word;           ///< as in JSON: "binary"
  std::array<GraphName, 4> names;  ///< tried in this order; unused ones are empty
  /// A sentence for the user about what the format cannot represent; empty: nothing.
  std::string_view loss = {};
  /// The message in a file with this format, else nullopt. Examines the first bytes only, so that a
  /// damaged file is recognised.
  std::optional<Format> (*sniff)(std::string_view bytes) = nullptr;
  /// Converts a file to the wire form; null where the file is the wire form. Errors: kCorrupt with
  /// the place.
  Result<std::string> (*to_wire)(std::string_view bytes, Format message) = nullptr;
  /// As write_document. Deterministic.
  Status (*write)(const Document& document, const Graph& graph, Format message, const Sink& out,
                  Progress& progress) = nullptr;

  /// The entry of `names` that `file` matches, or null.
  [[nodiscard]] const GraphName* name_of(std::string_view file) const;
};

/// All of them, in the order in which they are tried.
[[nodiscard]] std::span<const GraphFormat* const> graph_formats();

enum class FileKind : std::uint8_t {
  kEmpty,
  kGraph,
  kEventLog,   ///< TFRecord framing
  kForeign,    ///< of another program: foreign_files.h says which
  kOtherText,  ///< text, but not the text form of a graph
  kUnknown,
};
struct Sniffed {
  FileKind kind = FileKind::kUnknown;
  const GraphFormat* format = nullptr;  ///< of a graph, as its message
  Format message = Format::kGraph;
};

/// Examines the first few fields only, so that a truncated or damaged file is still recognised.
/// Cost: O(1), plus skipping those fields. Thread: pure.
[[nodiscard]] Sniffed sniff(std::string_view bytes);

/// The message that begins with these bytes, in the wire form or as text.
[[nodiscard]] std::optional<Format> sniff_wire(std::string_view bytes);
[[nodiscard]] std::optional<Format> sniff_text(std::string_view text);

/// What is written: a file, or the folder of a SavedModel.
struct OutputFormat {
  Format format = Format::kGraph;
  const GraphFormat* encoding = &kBinaryFormat;
  bool is_folder = false;
};
/// The format that the name `path` asks for. A MetaGraph in text form stays one as .pbtxt, because
/// it has no ending of its own; a SavedModel in text form stays text in a folder. Errors:
/// kInvalidArgument for names that no format has.
[[nodiscard]] Result<OutputFormat> output_format_of(const std::string& path,
                                                    const Document& document);

/// ".pb", ".pbtxt", ".meta": how names of written files end, by message.
[[nodiscard]] std::vector<std::string> written_endings(std::initializer_list<Format> messages = {
                                                           Format::kGraph, Format::kMetaGraph});
/// Whether a format has this name. The content may be something else, which opening tells.
[[nodiscard]] bool is_graph_name(std::string_view file);
/// "a GraphDef (.pb, .pbtxt), a MetaGraphDef (.meta)", for messages.
[[nodiscard]] std::string readable_graphs(const char* article = "a ");

/// Whether `path` names a folder: an existing one, or a name that ends in a slash or has no dot.
[[nodiscard]] bool is_folder_name(const std::string& path);

/// Sentences for the user about what is lost because the output format cannot represent it.
[[nodiscard]] std::vector<std::string> losses(const Document& document, OutputFormat format);

}  // namespace tideline::io
