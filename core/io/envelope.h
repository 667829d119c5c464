// Splits messages around the field that holds the next one inward: SavedModel, MetaGraphDef,
// GraphDef, and for functions FunctionDefLibrary and FunctionDef.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/document.h"
#include "core/io/wire_check.h"

namespace tideline::io {

/// kCorrupt, with the offset of `problem` in `all`.
[[nodiscard]] tl::unexpected<Error> corrupt_at(std::string_view all, const WireProblem& problem);

/// The tags in (some of) the fields of a MetaGraphDef.
[[nodiscard]] std::vector<std::string> tags_of(std::string_view meta_graph_fields);

/// The number and the name of the field of a `kind` that holds the message inward of it.
[[nodiscard]] std::uint32_t inner_field(MessageKind kind);
[[nodiscard]] const char* inner_field_name(MessageKind kind);

/// Splits `message` around `inner`, the content of one of its fields.
/// Precondition: `message` passed the wire check and has that field.
[[nodiscard]] Envelope split_around(MessageKind kind, std::string_view message,
                                    std::string_view inner);

/// The GraphDef in an encoded MetaGraphDef; everything else in it is checked, `depth` levels deep.
/// Errors: kCorrupt with the byte counted from the start of `file`; kUnsupported for two graphs.
[[nodiscard]] Result<std::string_view> find_graph(std::string_view file,
                                                  std::string_view meta_graph, int depth);

/// The MetaGraphDef of an encoded SavedModel that `tag` chooses; the others are checked.
/// `tags` gets the tags of the one chosen, joined by commas. Errors: as above; kInvalidArgument,
/// listing the tags, when there are several and `tag` does not choose one.
[[nodiscard]] Result<std::string_view> find_meta_graph(std::string_view saved_model,
                                                       const std::string& tag, std::string& tags);

}  // namespace tideline::io
