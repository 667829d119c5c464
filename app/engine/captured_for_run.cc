// Tested by unit/engine/captured_for_run_test.cc and tests/integration/run_captured_test.py.
#include "app/engine/captured_for_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "core/analysis/variable_values.h"
#include "core/base/text.h"
#include "core/graph/handle_attributes.h"
#include "core/io/functions.h"

namespace tideline::app {
namespace {

// For a single number of which nothing says what it is: it may be a learning rate, and with 0
// nothing would be learned.
constexpr double kSmallNumber = 0.01;

// Glorot's limit: what goes in and what comes out, with the window of a convolution.
double weight_limit(const std::vector<std::int64_t>& dims) {
  double window = 1;
  for (std::size_t i = 0; i + 2 < dims.size(); ++i) window *= static_cast<double>(dims[i]);
  const double sides = static_cast<double>(dims[dims.size() - 2] + dims.back());
  return std::sqrt(6 / std::max(window * sides, 1.0));
}

void choose_numbers(VariableRole role, runtime::FeedRequest& first) {
  const bool is_weight = first.dims.size() > 1;
  switch (role) {
    case VariableRole::kTrainable:
      first.max = is_weight ? weight_limit(first.dims) : 1;
      first.min = is_weight ? -first.max : 0.5;
      break;
    case VariableRole::kModel: first.min = first.max = 1; break;
    default: first.min = first.max = first.dims.empty() ? kSmallNumber : 0; break;
  }
}

std::string text_attribute(const Graph& graph, OpId op, const char* key) {
  const auto value = graph.attribute(op, key);
  return value && *value ? (*value)->string : std::string();
}

std::vector<std::string> names_in_checkpoint(const Graph& graph, OpId op) {
  std::vector<std::string> names;
  if (std::string path = text_attribute(graph, op, kSavedPath); !path.empty()) {
    names.push_back(path + "/.ATTRIBUTES/VARIABLE_VALUE");
  }
  if (std::string name = text_attribute(graph, op, kSavedName); !name.empty()) {
    names.push_back(name.substr(0, name.find(':')));
  }
  return names;
}

bool may_capture(const Graph& graph, OpId op) {
  const std::string_view type = graph.type(op);
  if (type != "_Arg" && !type.starts_with("Placeholder")) return false;
  const auto value = graph.attribute(op, type == "_Arg" ? "T" : "dtype");
  return value && *value && base_type((*value)->type) == DataType::kResource;
}

bool captures_anything(const Graph& graph) {
  for (const OpId op : graph.ops()) {
    if (may_capture(graph, op)) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<runtime::CapturedVariable>> captured_for_run(const io::Document& document) {
  std::vector<runtime::CapturedVariable> captured;
  const Graph& graph = document.graph;
  if (!captures_anything(graph)) return captured;
  Diagnostics of_functions;
  const FunctionLibrary functions = io::read_functions(document, of_functions);
  const GraphFacts facts(graph, &functions);
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(graph, {.functions = &functions}));
  TIDELINE_TRY(const VariableValues values, VariableValues::find(facts, tensors));
  std::map<OpId, VariableRole> roles;
  for (const VariableUse& use : facts.variables()) roles.emplace(use.variable, use.role);
  for (const CapturedHandle& handle : values.captured()) {
    const VariableValue& value = values.of(handle.op);
    if (!handle.holds_tensor || !value.is_known() || element_bytes(value.type).value_or(0) == 0) {
      continue;
    }
    const auto role = roles.find(handle.op);
    runtime::CapturedVariable& variable = captured.emplace_back();
    variable.first.name = graph.name(handle.op);
    variable.first.type = value.type;
    variable.first.dims = value.shape.dims;
    choose_numbers(role == roles.end() ? VariableRole::kOther : role->second, variable.first);
    variable.saved_as = names_in_checkpoint(graph, handle.op);
  }
  return captured;
}

Result<std::vector<runtime::CapturedVariable>> captured_like(
    const io::Document& document, const std::vector<runtime::CapturedVariable>& original) {
  TIDELINE_TRY(std::vector<runtime::CapturedVariable> captured, captured_for_run(document));
  for (const runtime::CapturedVariable& variable : original) {
    const OpId op = document.graph.find(variable.first.name);
    if (!op.valid() || !may_capture(document.graph, op)) continue;
    const auto own = std::find_if(captured.begin(), captured.end(), [&](const auto& other) {
      return other.first.name == variable.first.name;
    });
    if (own == captured.end()) {
      captured.push_back(variable);
      continue;
    }
    const auto text = [](const runtime::FeedRequest& first) {
      return fmt::format("{} {}", data_type_name(first.type), to_string(Shape::of(first.dims)));
    };
    if (own->first.type != variable.first.type || own->first.dims != variable.first.dims) {
      return fail(Code::kInvalidArgument,
                  "{}: variable '{}' is {}; expected {}, as the graph that it is compared with has "
                  "it",
                  document.path, printable(own->first.name), text(own->first),
                  text(variable.first));
    }
    *own = variable;
  }
  return captured;
}

std::string checkpoint_of_model(const io::Document& document) {
  if (document.folder.empty()) return {};
  const std::filesystem::path prefix =
      std::filesystem::path(document.folder) / "variables" / "variables";
  std::error_code error;
  return std::filesystem::exists(prefix.native() + ".index", error) ? prefix.native()
                                                                    : std::string();
}

}  // namespace tideline::app
