// Tested by unit/rewrite/changed_ops_test.cc.
#include "core/rewrite/plan/changed_ops.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

namespace tideline {
namespace {

using AttributeSet = std::map<std::string_view, std::string_view>;

AttributeSet attributes(const Graph& graph, OpId op) {
  AttributeSet set;
  graph.codec().for_each_attribute(
      graph.encoded(op), [&](std::string_view key, std::string_view value) { set[key] = value; });
  return set;
}

bool have_same_inputs(const Graph& before, OpId op, const Graph& after, OpId twin) {
  const auto reads = before.inputs(op), now = after.inputs(twin);
  return std::equal(reads.begin(), reads.end(), now.begin(), now.end(),
                    [&](TensorId a, TensorId b) {
                      return a.slot == b.slot && before.name(a.op) == after.name(b.op);
                    });
}

std::vector<std::string_view> names_of(const Graph& graph, std::span<const OpId> ops) {
  std::vector<std::string_view> names;
  names.reserve(ops.size());
  for (const OpId op : ops) names.push_back(graph.name(op));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

ChangedOp compare(const Graph& before, OpId op, const Graph& after, OpId twin) {
  ChangedOp changed{op, twin};
  changed.inputs = !have_same_inputs(before, op, after, twin);
  changed.control = !control_difference(before, op, after, twin).empty();
  // Most ops have the very same bytes.
  if (before.encoded(op) == after.encoded(twin)) return changed;
  changed.type = before.type(op) != after.type(twin);
  changed.device = before.device(op) != after.device(twin);
  changed.fields = !attribute_differences(before, op, after, twin).empty();
  const bool is_explained = changed.type || changed.device || changed.fields;
  if (!is_explained) {
    changed.fields = !before.codec().same_besides_inputs(before.encoded(op), after.encoded(twin));
  }
  return changed;
}

}  // namespace

std::vector<AttributeDifference> attribute_differences(const Graph& before, OpId op,
                                                       const Graph& after, OpId twin) {
  using Kind = AttributeDifference::Kind;
  const AttributeSet had = attributes(before, op), has = attributes(after, twin);
  std::vector<AttributeDifference> differences;
  for (const auto& [key, value] : had) {
    const auto found = has.find(key);
    if (found == has.end()) {
      differences.push_back({std::string(key), Kind::kLost});
    } else if (found->second != value && !before.codec().same_value(found->second, value)) {
      differences.push_back({std::string(key), Kind::kChanged});
    }
  }
  for (const auto& [key, value] : has) {
    if (!had.contains(key)) differences.push_back({std::string(key), Kind::kNew});
  }
  return differences;
}

std::string_view difference_word(AttributeDifference::Kind kind) {
  switch (kind) {
    case AttributeDifference::Kind::kLost: return "is lost";
    case AttributeDifference::Kind::kChanged: return "changed";
    case AttributeDifference::Kind::kNew: break;
  }
  return "is new";
}

ControlDifference control_difference(const Graph& before, OpId op, const Graph& after, OpId twin) {
  const auto had = names_of(before, before.control_inputs(op));
  const auto has = names_of(after, after.control_inputs(twin));
  ControlDifference found;
  std::set_difference(had.begin(), had.end(), has.begin(), has.end(),
                      std::back_inserter(found.lost));
  std::set_difference(has.begin(), has.end(), had.begin(), had.end(),
                      std::back_inserter(found.added));
  return found;
}

std::vector<ChangedOp> find_changed_ops(const Graph& before, const Graph& after) {
  std::vector<ChangedOp> changed;
  for (const OpId op : before.ops()) {
    const OpId twin = after.find(before.name(op));
    if (!twin.valid()) {
      changed.push_back({op, {}});
      continue;
    }
    const ChangedOp one = compare(before, op, after, twin);
    if (one.type || one.device || one.fields || one.inputs || one.control) changed.push_back(one);
  }
  for (const OpId op : after.ops()) {
    if (!before.find(after.name(op)).valid()) changed.push_back({{}, op});
  }
  return changed;
}

}  // namespace tideline
