#include "core/rewrite/lms/overrides.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/lms/own_ahead.h"

namespace tideline {
namespace {

Result<TensorId> find_listed(const Graph& graph, const TensorTable& tensors,
                             const std::string& name, std::string_view parameter) {
  const auto tensor = find_tensor(graph, tensors, name);
  if (tensor) return *tensor;
  return fail(Code::kNotFound,
              "{{{}}} {}: there is no such tensor{}; expected the name of an op with an output, or "
              "of a tensor such as 'conv1/Relu:0'",
              parameter, printable(name, 200), nearest_ops(graph, name));
}

Result<std::vector<TensorId>> find_all(const Graph& graph, const TensorTable& tensors,
                                       const std::vector<std::string>& names,
                                       std::string_view parameter) {
  std::vector<TensorId> found;
  for (const std::string& name : names) {
    TIDELINE_TRY(const TensorId tensor, find_listed(graph, tensors, name, parameter));
    found.push_back(tensor);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Result<std::vector<std::pair<TensorId, int>>> find_aheads(const Graph& graph,
                                                          const TensorTable& tensors,
                                                          const std::vector<std::string>& texts) {
  std::vector<std::pair<TensorId, int>> found;
  for (const std::string& text : texts) {
    TIDELINE_TRY(const OwnAhead own, parse_own_ahead(text));
    TIDELINE_TRY(const TensorId tensor, find_listed(graph, tensors, own.tensor, kAheadTensors));
    found.emplace_back(tensor, own.ahead);
  }
  std::sort(found.begin(), found.end());
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i].first != found[i - 1].first) continue;
    return fail(Code::kInvalidArgument, "{{{}}} {}: is listed twice; expected it once",
                kAheadTensors, printable(graph.tensor_name(found[i].first), 200));
  }
  return found;
}

}  // namespace

std::optional<TensorId> find_tensor(const Graph& graph, const TensorTable& tensors,
                                    std::string_view name) {
  const auto tensor = graph.find_tensor(name);
  if (!tensor || tensor->slot >= tensors.output_count(tensor->op)) return std::nullopt;
  return tensor;
}

Result<Overrides> Overrides::find(const Graph& graph, const TensorTable& tensors,
                                  const OverrideLists& lists) {
  Overrides overrides;
  TIDELINE_TRY(overrides.keep_, find_all(graph, tensors, lists.keep, "keep-tensors"));
  TIDELINE_TRY(overrides.swap_, find_all(graph, tensors, lists.swap, "swap-tensors"));
  TIDELINE_TRY(overrides.ahead_, find_aheads(graph, tensors, lists.ahead));
  for (const TensorId tensor : overrides.swap_) {
    if (overrides.of(tensor) != Override::kKeep) continue;
    return fail(Code::kInvalidArgument,
                "{{swap-tensors}} {}: is also in {{keep-tensors}}; expected it in only one of them",
                printable(graph.tensor_name(tensor), 200));
  }
  return overrides;
}

void Overrides::keep(TensorId tensor) {
  for (std::vector<TensorId>* list : {&keep_, &found_}) {
    list->insert(std::lower_bound(list->begin(), list->end(), tensor), tensor);
  }
}

bool Overrides::was_found(TensorId tensor) const {
  return std::binary_search(found_.begin(), found_.end(), tensor);
}

Override Overrides::of(TensorId tensor) const {
  if (std::binary_search(keep_.begin(), keep_.end(), tensor)) return Override::kKeep;
  if (std::binary_search(swap_.begin(), swap_.end(), tensor)) return Override::kSwap;
  return Override::kNone;
}

int Overrides::ahead_of(TensorId tensor) const {
  const auto first = std::lower_bound(ahead_.begin(), ahead_.end(), std::pair(tensor, 0));
  return first != ahead_.end() && first->first == tensor ? first->second : 0;
}

bool Overrides::swaps_output_of(OpId op) const {
  const auto first = std::lower_bound(swap_.begin(), swap_.end(), TensorId{op, 0});
  return first != swap_.end() && first->op == op;
}

}  // namespace tideline
