// Spreads variables over devices, as TensorFlow's replica_device_setter does.
//
// Problem: with the variables of all towers on one device, that device holds all of them, and its
// link carries all gradients and values of a step.
//
// Idea: go through the variables in the order in which they were created, which is that of the
// file, and place each on one of the devices: in turn, or on the one that has the fewest bytes so
// far, the first of several. A variable and what must be where it is make a group, which is placed
// as a whole and counted as its first variable: the slots of an optimizer, what is colocated with
// it, and variables whose handles one op reads (TensorFlow refuses such an op when they are on
// different devices).
//
//   bytes 40 4 40 4, two devices    in turn: 40+40 | 4+4     balanced: 40+4 | 4+40
//
// Cost: a union of the groups, then variables x devices. Limits: slots are not counted, so that
// the result is TensorFlow's; they follow their variable, and an optimizer has the same number for
// each. A greedy choice is not the best one; as large variables come late it may be off by the
// largest. Source: tf.train.replica_device_setter, GreedyLoadBalancingStrategy and
// byte_size_load_fn of TensorFlow 1 and 2 (facts). Tested by
// unit/rewrite/replicate/variable_devices_test.cc and integration/cluster_test.py.
#include "core/rewrite/replicate/variable_devices.h"

#include <algorithm>
#include <unordered_map>

#include "core/analysis/structure/stack_links.h"
#include "core/analysis/variable_values.h"

namespace tideline::replicate {
namespace {

// Groups of ops; each is known by its first op in file order.
class Groups {
 public:
  explicit Groups(std::size_t ops) : parent_(ops) {
    for (std::uint32_t op = 0; op < ops; ++op) parent_[op] = op;
  }
  std::uint32_t first(OpId op) {
    std::uint32_t at = op.value;
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void unite(OpId one, OpId other) {
    const std::uint32_t first_one = first(one);
    const std::uint32_t first_other = first(other);
    parent_[std::max(first_one, first_other)] = std::min(first_one, first_other);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

Groups find_groups(const Context& context, const std::vector<OpId>& anchors) {
  Groups groups(context.graph.op_count());
  for (const VariableUse& use : context.variables) {
    groups.unite(use.variable, anchors[use.variable.index()]);
    for (const OpId slot : use.slots) groups.unite(use.variable, slot);
  }
  for (const OpId op : context.graph.ops()) {
    const std::vector<OpId> handles = handles_read_by(context, op);
    for (std::size_t i = 1; i < handles.size(); ++i) groups.unite(handles.front(), handles[i]);
  }
  return groups;
}

}  // namespace

std::vector<OpId> handles_read_by(const Context& context, OpId op) {
  std::vector<OpId> handles;
  for (const TensorId input : context.graph.inputs(op)) {
    if (context.tensors.type(input) != DataType::kResource) continue;
    const OpId variable = behind_views(context.graph, context.facts, input.op);
    if (context.is_variable(variable)) handles.push_back(variable);
  }
  return handles;
}

Result<SpreadVariables> spread_variables(const Context& context, const std::vector<OpId>& anchors,
                                         const ReplicateOptions& options) {
  SpreadVariables spread;
  spread.device_of.resize(context.graph.op_count());
  for (const std::string& device : options.variable_devices) spread.devices.push_back({device});
  TIDELINE_TRY(const VariableValues values, VariableValues::find(context.known, context.tensors));
  Groups groups = find_groups(context, anchors);
  std::vector<Bytes> load(spread.devices.size());         // as far as it is counted
  std::unordered_map<std::uint32_t, std::size_t> chosen;  // by group; only looked up
  for (const VariableUse& use : context.variables) {
    TIDELINE_TRY(const Bytes bytes, values.bytes(use.variable));
    const std::size_t turn = chosen.size() % load.size();
    const auto [place, is_new] = chosen.emplace(groups.first(use.variable), turn);
    if (is_new && options.variables == VariableSpread::kBalanced) {
      const auto least = std::min_element(load.begin(), load.end());
      place->second = static_cast<std::size_t>(least - load.begin());
      *least += bytes;
    }
    VariableDevice& device = spread.devices[place->second];
    device.variables += 1;
    device.bytes += bytes;
    spread.device_of[use.variable.index()] = device.device;
  }
  return spread;
}

}  // namespace tideline::replicate
