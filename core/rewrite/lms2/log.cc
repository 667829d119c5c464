#include "core/rewrite/lms2/log.h"

#include <algorithm>

#include "core/analysis/edges.h"
#include "core/analysis/summary.h"
#include "core/analysis/unshaped_variables.h"

namespace tideline::lms2 {
namespace {

double in_gib(Bytes bytes) {
  return static_cast<double>(bytes) / kBytesPerGiB;
}

const char* sync_mode_meaning(int sync_mode) {
  switch (sync_mode) {
    case 0: return "both copies are asynchronous";
    case 1: return "swap-outs are synchronous, swap-ins asynchronous";
    case 2: return "swap-outs are asynchronous, swap-ins synchronous";
    default: return "both copies are synchronous";
  }
}

// Handles have no rank that would matter.
bool is_value(DataType type) {
  return base_type(type) != DataType::kResource && base_type(type) != DataType::kVariant;
}

// The same step swaps more where the file says the shapes of variables, as SavedModels do.
void note_unshaped_variables(const Context& context, std::int64_t of_unknown_rank,
                             std::vector<Warning>& warnings) {
  const UnshapedVariables unshaped = find_unshaped_variables(context.graph, context.tensors);
  if (unshaped.count == 0) return;
  warnings.push_back(
      {"no effect",
       fmt::format(
           "{} tensors have an unknown rank and are not swapped: the graph does not record "
           "the shapes of "
           "{} variables that are passed to it, as in graphs of trace_export; open the "
           "SavedModel of the "
           "same step, which records them, or give shapes, beginning with {{shape}} {}=DIMS",
           of_unknown_rank, unshaped.count, context.graph.name(unshaped.first_read)),
       {},
       of_unknown_rank});
}

}  // namespace

void log_graph(const Context& context, Bytes parameters, std::vector<std::string>& log) {
  const Graph& graph = context.graph;
  log.push_back(fmt::format("The graph has {} vertices and {} edges.", graph.op_count(),
                            count_edges(graph).data));
  log.push_back(fmt::format("The graph has {:.2f} MiB of learning parameters.",
                            static_cast<double>(parameters) / kBytesPerMiB));
  const OpId largest =
      largest_operation(graph, context.tensors, context.placement, context.inactive);
  if (largest.valid()) {
    log.push_back(fmt::format("The largest GPU operation is {} consuming {:.2f} GiB.",
                              graph.name(largest),
                              in_gib(op_bytes(graph, context.tensors, largest))));
  }
  for (const OpId op : graph.ops()) {
    if (!context.while_names.in_loop(op)) continue;
    log.emplace_back(
        "The graph has a while-loop. Its body is not swapped here; TensorFlow swaps it if the loop "
        "is built with swap_memory=True.");
    break;
  }
  log.push_back(
      fmt::format("Original categorized topological sort has {} levels.", context.levels.count()));
}

void log_parameters(const Lms2Options& options, std::vector<std::string>& log) {
  const char* note = options.syncs_swap_ins() ? " (not used in this sync_mode)" : "";
  log.emplace_back("LMS will use the following parameter set:");
  log.push_back(
      fmt::format("  sync_mode: {} ({})", options.sync_mode, sync_mode_meaning(options.sync_mode)));
  log.push_back(fmt::format("  swapout_threshold: {}", options.swapout_threshold));
  log.push_back(fmt::format("  swapin_ahead: {}{}", options.swapin_ahead, note));
  log.push_back(fmt::format("  swapin_groupby: {}", options.swapin_groupby));
}

void log_result(const LmsPlan& plan, std::vector<std::string>& log) {
  log.push_back(added_operations(plan));
}

void note_lists(LmsPlan& plan) {
  const auto count = static_cast<std::int64_t>(plan.lists.size());
  const std::int64_t unknown =
      std::count_if(plan.lists.begin(), plan.lists.end(),
                    [](const SwappedList& list) { return !list.elements || !list.element_bytes; });
  if (count == 0) return;
  plan.warnings.push_back(
      {"not tried",
       fmt::format(
           "{} swapped: whether a copy of a list moves its tensors between a GPU and the "
           "host was not tried",
           count == 1 ? "1 list of a loop is" : fmt::format("{} lists of loops are", count)),
       {},
       count});
  if (unknown == 0) return;
  plan.warnings.push_back(
      {"loop",
       fmt::format("{} swapped list{} of unknown size, because rounds of loops or shapes of "
                   "elements are unknown; {{rounds}} gives rounds",
                   unknown, unknown == 1 ? " is" : "s are"),
       {},
       unknown});
}

void note_ineffective(const Context& context, std::vector<Warning>& warnings) {
  const Graph& graph = context.graph;
  std::int64_t on_device = 0;
  std::int64_t with_known_rank = 0;
  std::int64_t of_unknown_rank = 0;
  for (const OpId op : graph.ops()) {
    if (!context.is_active_device_op(op)) continue;
    ++on_device;
    for (std::uint32_t slot = 0; slot < context.tensors.output_count(op); ++slot) {
      if (context.tensors.shape({op, slot}).has_rank) {
        ++with_known_rank;
      } else if (is_value(context.tensors.type({op, slot}))) {
        ++of_unknown_rank;
      }
    }
  }
  if (graph.op_count() > 0 && on_device == 0) {
    warnings.push_back(
        {"no effect",
         fmt::format("no op runs on the device '{}'; the devices of the graph are: '{}'",
                     context.options.gpu_device.value_or("any but a CPU"),
                     fmt::join(graph.devices(), "', '"))});
  } else if (on_device > 0 && with_known_rank == 0) {
    warnings.push_back(
        {"no effect",
         "the file records no shapes: no tensor has a known rank, so none is swapped"});
  } else if (of_unknown_rank > 0) {
    note_unshaped_variables(context, of_unknown_rank, warnings);
  }
}

void note_loops(const Context& context, std::vector<Warning>& warnings) {
  std::int64_t large = 0;  // ops with an output that could be swapped
  std::int64_t without_level = 0;
  OpId first;
  for (const OpId op : context.graph.ops()) {
    if (!context.is_active_device_op(op)) continue;
    bool is_large = false;
    for (std::uint32_t slot = 0; slot < context.tensors.output_count(op); ++slot) {
      is_large = is_large || context.tensors.shape({op, slot}).rank() >= 2;
    }
    if (!is_large) continue;
    ++large;
    if (context.levels.level(op) != kNoLevel) continue;
    if (without_level++ == 0) first = op;
  }
  if (without_level == 0 || 2 * without_level < large) return;
  warnings.push_back(
      {"no effect",
       fmt::format("nothing is swapped; {} of {} ops with tensors of rank 2 or more belong to a "
                   "loop or depend on one, the first is {}: they have no level, and distances are "
                   "counted in levels",
                   without_level, large, context.graph.name(first)),
       {},
       without_level,
       {std::string(context.graph.name(first))}});
}

}  // namespace tideline::lms2
