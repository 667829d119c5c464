// Problem: a reference variable of TensorFlow 1 is a buffer that its readers share, and an update
// writes into it. Nothing says that a tower has done with the old value before: an optimizer's
// gradients are not gated, so that the first layers of one tower may read what the last layers of
// all towers have changed already. In one process with one thread the order is always the same; on
// servers a value may be on its way to another task when it changes, and a run has other losses
// than the one before, once in a while. Variables that are resources are copied when they are
// written while somebody reads them.
//
// Idea: what gate_gradients=GATE_GRAPH does in an optimizer. One op waits for the gradients of all
// towers and for the loss, and all writes of the update wait for it:
//
//   AddN, AddN_1, ..., loss  ->  gradient_aggregating/all  ->  ApplyAdam, ApplyAdam_1, ...
//
// What is computed behind a write of the update (a second optimizer that waits for the first) is
// left out, as it would wait for itself.
//
// Cost: a control edge for each gradient and each write; all gradients are there at one moment.
// Limits: what reads a variable and leads neither to a gradient nor to the loss is not waited for.
// Source: tf.train.Optimizer.GATE_GRAPH; what was seen on five servers. Tested by
// unit/rewrite/replicate/reference_gate_test.cc and integration/cluster_test.py.
#include "core/rewrite/replicate/reference_gate.h"

#include <set>

#include "core/graph/device_name.h"
#include "core/graph/walks.h"

namespace tideline::replicate {
namespace {

bool is_on_several_tasks(const TowerPlan& plan) {
  std::set<std::pair<std::string, std::string>> tasks;
  const auto add = [&tasks](const std::string& device) {
    const DeviceName name = parse_device(device).value_or(DeviceName{});
    tasks.emplace(name.job, name.task);
  };
  for (std::size_t tower = 0; tower < plan.towers(); ++tower) add(plan.devices().tower(tower));
  add(plan.devices().parameters());
  for (const VariableDevice& one : plan.devices().of_variables()) add(one.device);
  return tasks.size() > 1;
}

std::vector<OpId> reference_writes(const Context& context, const Regions& regions) {
  std::vector<OpId> writes;
  for (const OpId op : context.graph.ops()) {
    if (!regions.update.is_update[op.index()] || regions.has_copies(op)) continue;
    const VariableUse* written = context.is_writer(op) ? context.written_by(op) : nullptr;
    if (written != nullptr && is_reference(context.tensors.type({written->variable, 0}))) {
      writes.push_back(op);
    }
  }
  return writes;
}

}  // namespace

void gate_references(const Context& context, const Regions& regions,
                     const std::vector<CombinedTensor>& combined, TowerPlan& plan) {
  if (regions.update.is_update.empty() || !is_on_several_tasks(plan)) return;
  const std::vector<OpId> writes = reference_writes(context, regions);
  if (writes.empty()) return;
  OpWalk behind(context.graph);
  for (const OpId op : writes) behind.add(op);
  while (const auto op = behind.next()) {
    behind.add_readers(context.consumers, *op, Edges::kDataAndControl);
  }
  std::vector<OpId> all;
  for (const auto& [tensor, result] : combined) {
    if (!behind.has(tensor.op)) all.push_back(result.op);
  }
  const OpId gate = plan.add(
      {"NoOp", "gradient_aggregating/all", plan.devices().parameters(), {}, std::move(all)});
  for (const OpId op : writes) plan.plan().control.push_back({op, gate});
}

}  // namespace tideline::replicate
