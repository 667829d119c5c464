// Problem: control flow of version 2 keeps what the gradient of a loop reads in lists, which are
// results of the While op. Each is one tensor of type variant, whose memory is that of its
// elements; nothing in the file says how many these are.
// Idea: shape inference knows elements and rounds (graph/shapes/called_loops.cc), phases know which
// of two loops is the gradient of the other. A list that the forward pass alone reads, such as the
// results of a TensorArray, is none of these.
//   forward = While(...), backward = While(..., forward:4): forward:4, if it is a list
// Limits: a graph without a backward pass has none.
// Source: own. Tested by unit/rewrite/loop_lists_test.cc.
#include "core/analysis/loop_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/op_types.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

constexpr std::uint32_t kMostCopies = 64;

// By type id.
std::vector<bool> loops_and_calls(const Graph& graph) {
  std::vector<bool> are;
  for (const std::string_view type : graph.types()) are.push_back(is_loop_or_call(type));
  return are;
}

// What a loop or call reads, without the copies in between.
TensorId behind_copies(const Graph& graph, TensorId tensor) {
  return source_of_value(graph, tensor, kMostCopies,
                         [&](OpId op) { return passes_on(graph.type(op)); });
}

}  // namespace

bool may_have_loop_lists(const Graph& graph) {
  const std::vector<bool> calls = loops_and_calls(graph);
  if (std::find(calls.begin(), calls.end(), true) == calls.end()) return false;
  for (const OpId op : graph.ops()) {
    if (!calls[graph.type_id(op)]) continue;
    for (const TensorId input : graph.inputs(op)) {
      if (calls[graph.type_id(behind_copies(graph, input).op)]) return true;
    }
  }
  return false;
}

LoopLists LoopLists::find(const GraphFacts& facts, const TensorTable& tensors) {
  LoopLists found;
  const Graph& graph = facts.graph();
  if (!may_have_loop_lists(graph)) return found;
  const std::vector<bool> calls = loops_and_calls(graph);
  const Phases& phases = facts.passes().phases();
  std::vector<std::pair<TensorId, OpId>> reads;
  for (const OpId op : graph.ops()) {
    if (!calls[graph.type_id(op)] || phases.of(op) != Phase::kBackward) continue;
    for (const TensorId input : graph.inputs(op)) {
      const TensorId source = behind_copies(graph, input);
      if (!calls[graph.type_id(source.op)] || phases.of(source.op) == Phase::kBackward) continue;
      if (tensors.list(source) != nullptr) reads.emplace_back(source, op);
    }
  }
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  for (const auto& [tensor, reader] : reads) {
    if (found.lists_.empty() || found.lists_.back().tensor != tensor) {
      const ListContent& content = *tensors.list(tensor);
      LoopList& list =
          found.lists_.emplace_back(LoopList{tensor, {}, content.element_bytes, {}, 0});
      if (content.length != kUnknownLength) list.elements = content.length;
      if (list.elements) list.bytes = tensors.bytes(tensor);
    }
    found.lists_.back().readers.push_back(reader);
  }
  return found;
}

const LoopList* LoopLists::of(TensorId tensor) const {
  const auto at =
      std::lower_bound(lists_.begin(), lists_.end(), tensor,
                       [](const LoopList& list, TensorId wanted) { return list.tensor < wanted; });
  return at != lists_.end() && at->tensor == tensor ? &*at : nullptr;
}

Bytes LoopLists::bytes() const {
  Bytes total = 0;
  for (const LoopList& list : lists_) total = saturating_add(total, list.bytes);
  return total;
}

std::int64_t LoopLists::unknown_count() const {
  return std::count_if(lists_.begin(), lists_.end(),
                       [](const LoopList& list) { return !list.elements || !list.element_bytes; });
}

std::string list_text(const LoopList& list) {
  const std::string element =
      list.element_bytes ? format_bytes(*list.element_bytes) : std::string("unknown size");
  if (!list.elements) return fmt::format("a list of unknown rounds, {} in each", element);
  return fmt::format("a list of {} element{} of {}", *list.elements, *list.elements == 1 ? "" : "s",
                     element);
}

std::vector<std::string> loop_lists_text(const Graph& graph, const LoopLists& lists) {
  if (lists.empty()) return {};
  const auto count = static_cast<std::int64_t>(lists.all().size());
  const std::int64_t unknown = lists.unknown_count();
  std::string head = fmt::format("{} list{} that loops keep for their gradients: {}", count,
                                 count == 1 ? "" : "s", format_bytes(lists.bytes()));
  if (unknown > 0) head += fmt::format(", {} of them of unknown size", unknown);
  std::vector<std::string> lines = {std::move(head)};
  std::vector<const LoopList*> largest;
  for (const LoopList& list : lists.all()) largest.push_back(&list);
  std::stable_sort(largest.begin(), largest.end(),
                   [](const LoopList* a, const LoopList* b) { return a->bytes > b->bytes; });
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < largest.size() && i < kShown; ++i) {
    const LoopList& list = *largest[i];
    lines.push_back(fmt::format("  {} ({}): {}, read by {}", graph.tensor_name(list.tensor),
                                format_bytes(list.bytes), list_text(list),
                                graph.name(list.readers.front())));
  }
  return lines;
}

std::vector<std::string> loop_lists_text(const GraphFacts& facts, const TensorTable& tensors) {
  return loop_lists_text(facts.graph(), LoopLists::find(facts, tensors));
}

}  // namespace tideline
