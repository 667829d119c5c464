// Tested by unit/model/file_picks_test.cc.
#include "render/model/file_picks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace tideline::ui {
namespace {

constexpr std::array<std::string_view, 10> kLossTypes = {
    "Mean", "Sum", "AddN", "Add", "AddV2", "Mul", "RealDiv", "DivNoNan", "Select", "SelectV2"};
constexpr std::array<std::string_view, 5> kInputTypes = {
    "Placeholder", "PlaceholderV2", "PlaceholderWithDefault", "IteratorGetNext", "IteratorV2"};

template <std::size_t kCount>
bool is_one_of(std::string_view type, const std::array<std::string_view, kCount>& types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool applies_gradients(std::string_view type) {
  return type.starts_with("Apply") || type.starts_with("ResourceApply") ||
         type.starts_with("SparseApply") || type.starts_with("ResourceSparseApply");
}

std::vector<std::string> losses(const Graph& graph, const LevelMap& levels) {
  std::vector<OpId> found;
  for (const OpId op : graph.ops()) {
    const std::string_view name = graph.name(op);
    if (!is_one_of(graph.type(op), kLossTypes) || !contains_ignoring_case(name, "loss")) continue;
    if (name.starts_with("gradients") || contains_ignoring_case(name, "_grad/")) continue;
    found.push_back(op);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](OpId a, OpId b) { return levels.level(a) > levels.level(b); });
  std::vector<std::string> names;
  for (const OpId op : found) names.push_back(graph.tensor_name({op, 0}));
  return names;
}

std::vector<std::string> train_ops(const Graph& graph) {
  // An update, what waits for updates, and what waits for that: a group, and a counter of steps.
  std::vector<char> is_train(graph.op_count(), 0), is_awaited(graph.op_count(), 0);
  for (const OpId op : graph.ops())
    is_train[op.index()] = applies_gradients(graph.type(op)) ? 1 : 0;
  for (char round = 2; round <= 3; ++round) {
    for (const OpId op : graph.ops()) {
      for (const OpId before : graph.control_inputs(op)) {
        const char own = is_train[before.index()];
        if (own == 0 || own >= round) continue;
        is_awaited[before.index()] = 1;
        if (is_train[op.index()] == 0) is_train[op.index()] = round;
      }
    }
  }
  for (const OpId op : graph.ops()) {
    for (const TensorId read : graph.inputs(op)) is_awaited[read.op.index()] = 1;
  }
  std::vector<std::string> last, others;
  for (const OpId op : graph.ops()) {
    if (is_train[op.index()] < 2) continue;
    (is_awaited[op.index()] == 0 ? last : others).emplace_back(graph.name(op));
  }
  last.insert(last.end(), others.begin(), others.end());
  return last;
}

}  // namespace

FilePicks file_picks(const Graph& graph, const LevelMap& levels) {
  FilePicks picks = {losses(graph, levels), train_ops(graph), {}};
  for (const OpId op : graph.ops()) {
    if (is_one_of(graph.type(op), kInputTypes)) picks.inputs.emplace_back(graph.name(op));
  }
  for (auto* list : {&picks.losses, &picks.train_ops, &picks.inputs}) {
    if (list->size() > kMostPicks) list->resize(kMostPicks);
  }
  return picks;
}

}  // namespace tideline::ui
