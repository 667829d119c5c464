#include "core/rewrite/lms1/readers.h"

#include <algorithm>
#include <span>

#include "core/analysis/placement.h"
#include "core/rewrite/lms/fusions.h"

namespace tideline::lms1 {
namespace {

// Grappler's copies stand on the devices of both ends.
bool is_beside_cpu(const Context& context, OpId source, OpId consumer) {
  return context.options.copy_mode == CopyMode::kGrappler &&
         (Placement::names_cpu(context.graph.device(source)) ||
          Placement::names_cpu(context.graph.device(consumer)));
}

struct Reading {
  std::uint32_t slot = 0;  // of the output that is read
  OpId consumer;
  bool can_be_rerouted = false;
};

// Distinct consumers of each output, by output slot, then file order.
std::vector<Reading> readings_of(const Context& context, OpId source) {
  std::vector<Reading> readings;
  for (const Use use : context.consumers.data(source)) {
    const bool fixed = context.graph.reads_reference(use.consumer, use.slot) ||
                       context.loops.is_back_edge(context.graph, source, use.consumer) ||
                       is_beside_cpu(context, source, use.consumer) ||
                       (context.options.keep_fusion && !context.overrides.swaps_output_of(source) &&
                        may_be_merged(context.graph, source, use.consumer));
    readings.push_back({context.graph.inputs(use.consumer)[use.slot].slot, use.consumer, !fixed});
  }
  std::sort(readings.begin(), readings.end(), [](const Reading& a, const Reading& b) {
    return std::pair(a.slot, a.consumer) < std::pair(b.slot, b.consumer);
  });
  std::size_t kept = 0;
  for (const Reading& reading : readings) {
    Reading* last = kept == 0 ? nullptr : &readings[kept - 1];
    if (last != nullptr && last->slot == reading.slot && last->consumer == reading.consumer) {
      last->can_be_rerouted = last->can_be_rerouted || reading.can_be_rerouted;
    } else {
      readings[kept++] = reading;
    }
  }
  readings.resize(kept);
  return readings;
}

// A copy of a reference would be of an old value once the variable is changed. A handle uses no
// memory worth saving, and must be on the device of its variable.
bool can_be_copied(const Context& context, TensorId tensor) {
  const DataType type = context.tensors.type(tensor);
  return base_type(type) != DataType::kInvalid && base_type(type) == type &&
         type != DataType::kResource;
}

// An op whose outputs are not read may be pruned by TensorFlow and needs no swap-in.
bool is_read_itself(const Context& context, OpId op) {
  return !context.consumers.data(op).empty();
}

// Forward consumers with an order above this one count as branches.
std::int32_t branch_limit(const Context& context, std::span<const Reading> readings) {
  std::int32_t smallest = 0;
  bool any = false;
  for (const Reading& reading : readings) {
    if (context.is_backward(reading.consumer)) continue;
    const std::int32_t order = context.order.of(reading.consumer);
    smallest = any ? std::min(smallest, order) : order;
    any = true;
  }
  return smallest + context.options.branch_threshold;
}

Readers choose(const Context& context, TensorId tensor, std::span<const Reading> readings) {
  Readers readers{tensor, {}, {}};
  const bool copies = can_be_copied(context, tensor);
  const std::int32_t limit = branch_limit(context, readings);
  for (const Reading& reading : readings) {
    const OpId consumer = reading.consumer;
    if (!is_read_itself(context, consumer)) continue;
    const std::int32_t order = context.order.of(consumer);
    const bool is_branch =
        context.options.swap_branches && !context.is_backward(consumer) && order > limit;
    if (!context.is_backward(consumer) && !is_branch) continue;
    if (order < 0) {
      readers.open.push_back(consumer);
    } else if (copies && reading.can_be_rerouted) {
      readers.swapped.push_back(consumer);
    }
  }
  return readers;
}

}  // namespace

std::vector<Readers> readers_of(const Context& context, OpId source) {
  const std::vector<Reading> readings = readings_of(context, source);
  std::vector<Readers> all;
  for (std::size_t first = 0; first < readings.size();) {
    std::size_t end = first;
    while (end < readings.size() && readings[end].slot == readings[first].slot) ++end;
    const TensorId tensor{source, readings[first].slot};
    const Override override = context.overrides.of(tensor);
    if (override == Override::kSwap || (override == Override::kNone && context.is_source(source))) {
      Readers readers = choose(context, tensor, std::span(readings).subspan(first, end - first));
      // The op is filtered out: the user wants this tensor swapped, but no others because of it.
      if (!context.is_source(source)) readers.open.clear();
      if (!readers.empty()) all.push_back(std::move(readers));
    }
    first = end;
  }
  return all;
}

std::string why_no_reader(const Context& context, TensorId tensor) {
  const bool copies = can_be_copied(context, tensor);
  OpId unread;
  OpId unordered;
  OpId fixed;
  bool has_forward = false;
  for (const Reading& reading : readings_of(context, tensor.op)) {
    if (reading.slot != tensor.slot) continue;
    if (!context.is_backward(reading.consumer)) {
      has_forward = true;
    } else if (!is_read_itself(context, reading.consumer)) {
      unread = unread.valid() ? unread : reading.consumer;
    } else if (context.order.of(reading.consumer) < 0) {
      unordered = unordered.valid() ? unordered : reading.consumer;
    } else if (!copies || !reading.can_be_rerouted) {
      fixed = fixed.valid() ? fixed : reading.consumer;
    } else {
      return "";
    }
  }
  if (fixed.valid() && base_type(context.tensors.type(tensor)) == DataType::kInvalid) {
    return "unknown type";
  }
  const auto because = [&](OpId consumer, const char* what) {
    return fmt::format("consumer {}: {}", context.graph.name(consumer), what);
  };
  if (fixed.valid() && !copies) return "reference to a variable, or a handle";
  if (fixed.valid() && is_beside_cpu(context, tensor.op, fixed)) {
    return because(fixed, "it or the producer is on a CPU, where Grappler's copies cannot be");
  }
  if (fixed.valid()) return because(fixed, "reads a reference or closes a loop");
  if (unordered.valid()) return because(unordered, "no order");
  if (unread.valid()) return because(unread, "its outputs are not read");
  return has_forward ? "no backward consumer" : "no consumer";
}

}  // namespace tideline::lms1
