// How files say a graph. A new way is a file or a folder, and a line in graph_formats.cc.
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

/// How files are called that say a message.
struct GraphName {
  std::string_view ending;  ///< ".pb"; without the dot the whole name
  Format message = Format::kGraph;
  bool is_written = true;  ///< false: others call them so
};

/// What it says is one of the messages of `Format`. Everything but reading and writing bytes works
/// on their wire form.
struct GraphFormat {
  std::string_view word;           ///< as in JSON: "binary"
  std::array<GraphName, 4> names;  ///< tried one by one; empty ones are none
  /// A sentence for the user about what cannot be said; empty: everything can.
  std::string_view loss = {};
  /// The message that a file is. Examines the first bytes only, so that a damaged one is
  /// recognised.
  std::optional<Format> (*sniff)(std::string_view bytes) = nullptr;
  /// The wire form. Null: the bytes are it. Errors: kCorrupt with the place.
  Result<std::string> (*to_wire)(std::string_view bytes, Format message) = nullptr;
  /// As write_document. Deterministic.
  Status (*write)(const Document& document, const Graph& graph, Format message, const Sink& out,
                  Progress& progress) = nullptr;

  /// The one that a file of this name has; null if it has none.
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

/// The message that the wire form or the text form says.
[[nodiscard]] std::optional<Format> sniff_wire(std::string_view bytes);
[[nodiscard]] std::optional<Format> sniff_text(std::string_view text);

/// What is written: a file, or the folder of a SavedModel.
struct OutputFormat {
  Format format = Format::kGraph;
  const GraphFormat* encoding = &kBinaryFormat;
  bool is_folder = false;
};
/// The format for the name `path`. A MetaGraph in text form stays a MetaGraph as .pbtxt, as there
/// is no name for one; a SavedModel in text form stays text in a folder. Errors: kInvalidArgument
/// for names that no format has.
[[nodiscard]] Result<OutputFormat> output_format_of(const std::string& path,
                                                    const Document& document);

/// ".pb", ".pbtxt", ".meta": how names of written files end, by message.
[[nodiscard]] std::vector<std::string> written_endings(std::initializer_list<Format> messages = {
                                                           Format::kGraph, Format::kMetaGraph});
/// Whether files of this name say graphs as a rule; what is in one shows when it is opened.
[[nodiscard]] bool is_graph_name(std::string_view file);
/// "a GraphDef (.pb, .pbtxt), a MetaGraphDef (.meta)", for messages.
[[nodiscard]] std::string readable_graphs(const char* article = "a ");

/// Whether `path` names a folder: an existing one, or a name that ends in a slash or has no dot.
[[nodiscard]] bool is_folder_name(const std::string& path);

/// Sentences for the user about what is lost because the output format cannot represent it.
[[nodiscard]] std::vector<std::string> losses(const Document& document, OutputFormat format);

}  // namespace tideline::io
