// Reads an encoded FunctionDef as a graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/source_bytes.h"
#include "core/graph/graph.h"
#include "core/io/document.h"
#include "core/io/op_header_sizes.h"
#include "core/io/saved_objects.h"

namespace tideline::io {

/// The body, for open_function and read_functions.
struct FunctionBody {
  Graph graph;
  std::uint32_t argument_count = 0;
  std::vector<std::string_view> result_names;
  std::vector<GraphField> fields;
  OpHeaderSizes op_header_sizes;
  /// Arguments whose handle data contradict what the objects of the SavedModel say.
  std::vector<std::string> contradicted;
};

/// Reads `function`, a part of `owner`. `captured` are the variables of its last arguments, as far
/// as a SavedModel tells them; they count more than its handle data. Errors: kCorrupt, naming op
/// and input, for a body that is not a valid graph. Precondition: the bytes passed the wire check.
/// Cost: O(bytes).
[[nodiscard]] Result<FunctionBody> read_function_body(
    std::string_view function, SharedBytes owner,
    const std::shared_ptr<const DeclaredSignatures>& declared,
    std::span<const std::optional<SavedVariable>> captured = {});

}  // namespace tideline::io
