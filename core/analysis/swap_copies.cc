// Problem: a graph that was rewritten for swaps, here or by another program, is opened again. Its
// copies are plain ops, which look like a part of the computation.
// Idea: a copy returns what it reads, so it can be told by what stands on both sides of it: an op
// in front of the swap-out, swap-ins behind it, readers behind these. An Identity on the host
// between device ops may also be a user's own, so names decide as well; two op types are made for
// nothing but swapping. Where the first op runs does not matter: LMS v1 swaps tensors of the host,
// too.
//   relu -> lms/swapout_relu_0 (Identity) -> lms/swapin_relu_0 (Identity)
//   relu -> swap_out_relu_0 (_CopyFromGpuToHost) -> swap_in_relu_0 (_CopyFromHostToGpu)
// Limits: a swap-out that anything but a swap-in reads is not taken for one, nor is one that copies
// what was swapped in before.
// Source: IBM TFLMS v1 and v2, lms.py; TensorFlow, grappler/optimizers/memory_optimizer.cc (names
// and types of their ops). Tested by unit/analysis/swap_copies_test.cc and
// property/copies_property.cc.
#include "core/analysis/swap_copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/placement.h"
#include "core/graph/op_types.h"

namespace tideline {
namespace {

constexpr std::string_view kSwapOut = "lms/swapout";
constexpr std::string_view kSwapIn = "lms/swapin";

// Whether a scope of `name` begins with `begin`: "lms/swapout_1", "import/lms/swapout".
bool has_scope(std::string_view name, std::string_view begin) {
  const std::size_t at = name.find(begin);
  return at != std::string_view::npos && (at == 0 || name[at - 1] == '/');
}

// Recognises copies by the types, names and devices of ops.
class CopyNames {
 public:
  explicit CopyNames(const Graph& graph) : graph_(graph) {
    for (const std::string_view type : graph.types()) {
      kinds_.push_back(type == "Identity"       ? Kind::kIdentity
                       : copies_to_host(type)   ? Kind::kToHost
                       : copies_from_host(type) ? Kind::kFromHost
                                                : Kind::kOther);
    }
    for (const std::string_view device : graph.devices()) {
      on_cpu_.push_back(Placement::names_cpu(device));
    }
  }

  [[nodiscard]] bool may_be_swap_out(OpId op) const {
    if (kind(op) == Kind::kOther || graph_.inputs(op).size() != 1) return false;
    return kind(op) == Kind::kToHost || (is_named(op, kSwapOut) && on_cpu_[graph_.device_id(op)]);
  }
  [[nodiscard]] bool may_be_swap_in(OpId op) const {
    return graph_.inputs(op).size() == 1 && (kind(op) == Kind::kFromHost || is_named(op, kSwapIn));
  }
  [[nodiscard]] bool is_like_a_copy(OpId op) const {
    return kind(op) == Kind::kToHost || kind(op) == Kind::kFromHost || is_named(op, kSwapOut) ||
           is_named(op, kSwapIn);
  }

 private:
  enum class Kind : std::uint8_t { kOther, kIdentity, kToHost, kFromHost };

  [[nodiscard]] Kind kind(OpId op) const { return kinds_[graph_.type_id(op)]; }
  [[nodiscard]] bool is_named(OpId op, std::string_view begin) const {
    return kind(op) == Kind::kIdentity && has_scope(graph_.name(op), begin);
  }

  const Graph& graph_;
  std::vector<Kind> kinds_;   // by type id
  std::vector<bool> on_cpu_;  // by device id
};

class CopyFinder {
 public:
  CopyFinder(const Graph& graph, const Consumers& consumers)
      : graph_(graph), consumers_(consumers), names_(graph) {}

  SwapCopies run() {
    for (const OpId op : graph_.ops()) {
      if (is_swap_out(op)) add(op);
    }
    if (found_.empty()) return {};
    found_.is_copy.resize(graph_.op_count());
    for (const FileSwap& swap : found_.swaps) {
      found_.is_copy[swap.swap_out.index()] = true;
      for (const FileSwapIn& swap_in : swap.swap_ins) found_.is_copy[swap_in.copy.index()] = true;
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_swap_in(OpId op) const {
    return names_.may_be_swap_in(op) && !consumers_.data(op).empty();
  }
  [[nodiscard]] bool is_swap_out(OpId op) const {
    if (!names_.may_be_swap_out(op) || names_.is_like_a_copy(graph_.inputs(op)[0].op)) return false;
    const auto readers = consumers_.data(op);
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [this](const Use& use) {
      return is_swap_in(use.consumer);
    });
  }

  void add(OpId swap_out) {
    FileSwap swap;
    swap.tensor = graph_.inputs(swap_out)[0];
    swap.swap_out = swap_out;
    for (const Use& use : consumers_.data(swap_out)) {
      FileSwapIn swap_in;
      swap_in.copy = use.consumer;
      for (const Use& read : consumers_.data(use.consumer)) {
        // One that reads it twice is listed twice in a row.
        if (!swap_in.consumers.empty() && swap_in.consumers.back() == read.consumer) continue;
        swap_in.consumers.push_back(read.consumer);
      }
      for (const OpId after : graph_.control_inputs(use.consumer)) {
        auto& listed = swap_in.waits_for;
        if (std::find(listed.begin(), listed.end(), after) == listed.end()) listed.push_back(after);
      }
      swap.swap_ins.push_back(std::move(swap_in));
    }
    found_.swaps.push_back(std::move(swap));
  }

  const Graph& graph_;
  const Consumers& consumers_;
  CopyNames names_;
  SwapCopies found_;
};

}  // namespace

std::size_t SwapCopies::swap_in_count() const {
  std::size_t count = 0;
  for (const FileSwap& swap : swaps) count += swap.swap_ins.size();
  return count;
}

const FileSwap* SwapCopies::of(TensorId tensor) const {
  const auto found = std::find_if(swaps.begin(), swaps.end(),
                                  [&](const FileSwap& swap) { return swap.tensor == tensor; });
  return found == swaps.end() ? nullptr : &*found;
}

SwapCopies find_swap_copies(const Graph& graph, const Consumers& consumers) {
  return CopyFinder(graph, consumers).run();
}

SwapCopies find_swap_copies(const Graph& graph) {
  const CopyNames names(graph);
  for (const OpId op : graph.ops()) {
    if (names.may_be_swap_out(op)) return find_swap_copies(graph, Consumers(graph));
  }
  return {};
}

std::string swap_in_file_text(const Graph& graph, const FileSwap& swap, const FileSwapIn& swap_in) {
  std::string text = fmt::format("{}, an op of this file, copies it to the host, and {} back",
                                 graph.name(swap.swap_out), graph.name(swap_in.copy));
  if (swap_in.waits_for.empty()) return text;
  text += fmt::format(", after {}", graph.name(swap_in.waits_for.front()));
  if (swap_in.waits_for.size() > 1) {
    text += fmt::format(" and {} more", swap_in.waits_for.size() - 1);
  }
  return text;
}

std::string copies_in_file_text(const SwapCopies& copies) {
  if (copies.empty()) return {};
  const std::size_t tensors = copies.swaps.size(), back = copies.swap_in_count();
  return fmt::format("{} copies are in this file: {} tensor{} swapped out, with {} swap-in{}",
                     copies.copy_count(), tensors, tensors == 1 ? " is" : "s are", back,
                     back == 1 ? "" : "s");
}

}  // namespace tideline
