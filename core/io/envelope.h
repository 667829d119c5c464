// Splits messages around the field of the next inner message: SavedModel, MetaGraphDef, GraphDef
// and, for functions, FunctionDefLibrary and FunctionDef.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/document.h"
#include "core/io/wire_check.h"

namespace tideline::io {

/// A kCorrupt error with the offset of `problem` in `all`.
[[nodiscard]] tl::unexpected<Error> corrupt_at(std::string_view all, const WireProblem& problem);

/// The tags in the given fields of a MetaGraphDef, which may be a part of it.
[[nodiscard]] std::vector<std::string> tags_of(std::string_view meta_graph_fields);

/// The tag of a SavedModel that is made of a graph without tags: TensorFlow finds a graph by them.
inline constexpr const char* kDefaultTag = "serve";

/// Number of the field of a `kind` that holds the next inner message.
[[nodiscard]] std::uint32_t inner_field(MessageKind kind);

/// Splits `message` around `inner`, the content of one of its fields.
/// Precondition: `message` passed the wire check and has that field.
[[nodiscard]] Envelope split_around(MessageKind kind, std::string_view message,
                                    std::string_view inner);

/// The GraphDef in an encoded MetaGraphDef at nesting depth `depth`; everything else in it gets the
/// wire check. Errors: kCorrupt with the offset in `file`; kUnsupported for two graphs.
[[nodiscard]] Result<std::string_view> find_graph(std::string_view file,
                                                  std::string_view meta_graph, int depth);

/// A MetaGraphDef of a SavedModel.
struct ChosenMetaGraph {
  std::string_view bytes;
  std::string place;   ///< "tags serve", with its number where others have the same; may be empty
  std::string others;  ///< not empty when it was taken among several with the same tags: which
};

/// The MetaGraphDef of an encoded SavedModel that `options` select: the one of that number, or with
/// these tags in any order, or else the only one that has them among others. Of several with the
/// same tags the first is taken. The others get the wire check. Errors: as above;
/// kInvalidArgument, listing the tags, when there are several and the options do not select one.
[[nodiscard]] Result<ChosenMetaGraph> find_meta_graph(std::string_view saved_model,
                                                      const ReadOptions& options);

}  // namespace tideline::io
