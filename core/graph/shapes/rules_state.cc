// Variables, and the optimizers that update them.
#include <optional>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// The oldest kind: there a scalar's shape means that none is known.
void old_variable(RuleContext& context) {
  const DimsId shape = context.shape_attribute("shape");
  if (shape != DimLists::scalar()) context.set_shape(0, shape);
}

void variable_handle(RuleContext& context) {
  scalar(context);
  context.set_handle(0, Handle::of_content(context.shape_attribute("shape")));
}

// Several handles at once.
void variable_handles(RuleContext& context) {
  const auto shapes = context.shape_list("shapes");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    context.set_shape(i, DimLists::scalar());
    context.set_handle(i, Handle::of_content(shapes[i]));
  }
}

void read_variables(RuleContext& context) {
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    const DimsId content = context.content(i);
    if (content == kNothing && context.graph().is_function_body()) {
      // Callers often know nothing of the handle. A variable's shape does not depend on them.
      const auto recorded = context.shape_list("_output_shapes");
      if (i < recorded.size()) context.set_shape(i, recorded[i]);
    } else if (content != kPending) {
      context.set_shape(i, content);
    }
  }
}

// The variable afterwards: without validation it takes any shape.
void assign(RuleContext& context) {
  if (context.boolean("validate_shape", true)) {
    meet_inputs(context, 0, 2, 0);
  } else {
    context.set_shape(0, context.fact(1).shape);
  }
}

// The shape of a slice as savers write it: "25000 64 0,12500:-" are 12500 rows of all columns.
// Nothing when the text is something else, as for a whole tensor, whose shape stands in the file.
std::optional<Dims> slice_shape(std::string_view text) {
  const std::size_t last_space = text.rfind(' ');
  if (last_space == std::string_view::npos) return std::nullopt;
  const auto whole = split_list(text.substr(0, last_space), ' ');
  const auto parts = split_list(text.substr(last_space + 1), ':');
  if (whole.size() != parts.size()) return std::nullopt;
  Dims dims;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::size_t comma = parts[i].find(',');
    const std::string_view size = comma == std::string::npos
                                      ? std::string_view(whole[i])
                                      : std::string_view(parts[i]).substr(comma + 1);
    if (comma == std::string::npos && parts[i] != "-") return std::nullopt;
    const auto number = parse_as<std::int64_t>(size);
    if (!number || *number < 0) return std::nullopt;
    dims.push_back(Dim::of(*number));
  }
  return dims;
}

// prefix, tensor names, shapes and slices
void restore(RuleContext& context) {
  const auto slices = context.constant_input(2);
  if (!slices || !slices->texts) return;
  for (std::size_t i = 0; i < slices->texts->size(); ++i) {
    if (const auto dims = slice_shape((*slices->texts)[i])) context.set_shape(i, *dims);
  }
}

constexpr ShapeRuleEntry kStateTable[] = {
    {"RestoreV2 RestoreSlice TmciLoad", restore},
    {"Variable", old_variable},
    {"VarHandleOp", variable_handle},
    {"_VarHandlesOp", variable_handles},
    {"ReadVariableOp _ReadVariablesOp", read_variables},
    {"Assign", assign},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kStateRules = kStateTable;

}  // namespace tideline::shapes
