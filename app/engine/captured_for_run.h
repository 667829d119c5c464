// What running a graph by itself takes of the variables that it only captures.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/document.h"
#include "core/runtime/captured_variables.h"

namespace tideline::app {

/// The captured variables of the document's graph whose type and shape are known, in file order.
/// Where no checkpoint has them, trainable ones begin with numbers drawn by their names, small ones
/// where they are weights; averages of the forward pass with ones; what optimizers keep with zeros,
/// but single floats, learning rates among them, with 0.01. Errors: those of TensorTable and
/// VariableValues. Cost: one pass over the ops where nothing is captured, else that of roles.
[[nodiscard]] Result<std::vector<runtime::CapturedVariable>> captured_for_run(
    const io::Document& document);

/// The same for a graph that is compared with one that has captured `original`: what both capture
/// begins with the same values. Errors: also kInvalidArgument for a variable of another type or
/// shape.
[[nodiscard]] Result<std::vector<runtime::CapturedVariable>> captured_like(
    const io::Document& document, const std::vector<runtime::CapturedVariable>& original);

/// The checkpoint in the SavedModel that the document is from, as open_checkpoint takes it; empty
/// where there is none.
[[nodiscard]] std::string checkpoint_of_model(const io::Document& document);

}  // namespace tideline::app
