// Tested by unit/rewrite/replicate/tower_devices_test.cc.
#include "core/rewrite/replicate/tower_devices.h"

#include "core/graph/device_name.h"

namespace tideline::replicate {
namespace {

constexpr std::string_view kColocatedWith = "loc:@";

// The op that `_class` names; invalid when there is none.
OpId colocated_with(const Graph& graph, OpId op) {
  const auto groups = graph.attribute(op, "_class");
  if (!groups || !*groups) return {};
  for (const std::string& group : (*groups)->strings) {
    if (!group.starts_with(kColocatedWith)) continue;
    const OpId other = graph.find(std::string_view(group).substr(kColocatedWith.size()));
    if (other.valid()) return other;
  }
  return {};
}

// The variable whose handle `op` gets; invalid when there is none. Functions are placed by
// TensorFlow op by op.
OpId handle_of(const Context& context, OpId op) {
  if (context.kind(op) == OpKind::kCall) return {};
  const std::vector<OpId> handles = handles_read_by(context, op);
  return handles.empty() ? OpId{} : handles.front();
}

// Whether `device` says nothing else than `tower`, though it may say more.
bool is_on(const std::string& device, const std::string& tower) {
  const auto name = parse_device(device);
  const auto both = parse_device(merged_device(device, tower));
  return name && both && device_text(*name) == device_text(*both);
}

}  // namespace

TowerDevices::TowerDevices(const Context& context, const Regions& regions,
                           const ReplicateOptions& options)
    : context_(context),
      regions_(regions),
      towers_(options.devices),
      parameters_(parameter_device(options)),
      is_writer_(context.graph.op_count()) {
  for (const OpId op : regions.writers) is_writer_[op.index()] = true;
  find_anchors();
}

Status TowerDevices::spread(const ReplicateOptions& options) {
  if (options.variables == VariableSpread::kFirst) return {};
  TIDELINE_TRY(spread_, spread_variables(context_, anchor_, options));
  return {};
}

const std::string& TowerDevices::of_variable(OpId variable) const {
  if (spread_.device_of.empty()) return parameters_;
  const std::string& device = spread_.device_of[variable.index()];
  return device.empty() ? parameters_ : device;
}

void TowerDevices::find_anchors() {
  const Graph& graph = context_.graph;
  std::vector<OpId> next;
  next.reserve(graph.op_count());
  for (const OpId op : graph.ops()) {
    OpId other = handle_of(context_, op);
    if (!other.valid()) other = colocated_with(graph, op);
    next.push_back(other.valid() ? other : op);
  }
  anchor_ = next;
  constexpr int kMostSteps = 64;  // a longer chain, or a circle, is no colocation of TensorFlow's
  for (const OpId op : graph.ops()) {
    OpId at = next[op.index()];
    for (int step = 0; step < kMostSteps && next[at.index()] != at; ++step) at = next[at.index()];
    anchor_[op.index()] = at;
  }
}

std::string TowerDevices::of(OpId op, std::size_t tower) const {
  const OpId anchor = anchor_[op.index()];
  std::string base;
  if (context_.kind(anchor) == OpKind::kVariable) {
    base = merged_device(of_variable(anchor), context_.graph.device(anchor));
  } else if (regions_.has_copies(anchor)) {
    base = merged_device(towers_[tower], context_.graph.device(anchor));
  } else if (context_.is_shared_read(anchor)) {
    const OpId variable = context_.graph.inputs(anchor).front().op;
    base = merged_device(of_variable(variable), context_.graph.device(anchor));
  } else if (regions_.update.is_update[anchor.index()] || is_writer_[anchor.index()]) {
    const VariableUse* written = context_.written_by(anchor);
    const std::string& on = written == nullptr ? parameters_ : of_variable(written->variable);
    base = merged_device(on, context_.graph.device(anchor));
  } else {
    base = context_.graph.device(anchor);
  }
  return merged_device(base, context_.graph.device(op));
}

void TowerDevices::count(std::size_t number, Tower& tower) const {
  for (const OpId op : regions_.replicated) {
    const std::string device = of(op, number);
    if (is_on(device, tower.device)) {
      ++tower.ops_on_device;
    } else if (follows_variable(op)) {
      ++tower.beside_variables;
    } else {
      ++tower.kept[device];
    }
  }
}

}  // namespace tideline::replicate
