// What the objects of a SavedModel say about the variables that its functions capture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/dtype.h"
#include "core/graph/shape.h"
#include "core/io/document.h"

namespace tideline::io {

/// A variable among the objects of a SavedModel.
struct SavedVariable {
  std::string name;  ///< "dense/kernel:0" without the slot; may occur twice
  DataType type = DataType::kInvalid;
  Shape shape = Shape::unknown();
  bool is_trainable = false;
  std::string path;  ///< the names of the objects that lead to it, "model/dense/kernel"
};

/// The captured arguments of the function `name`, which are its last ones, in their order; nullopt
/// for one that is no variable: a table, a constant. Empty when the document is no SavedModel or
/// its objects do not name the function. Precondition: the bytes passed the wire check.
/// Cost: O(bytes of the objects).
[[nodiscard]] std::vector<std::optional<SavedVariable>> captured_variables(const Document& document,
                                                                           std::string_view name);

}  // namespace tideline::io
