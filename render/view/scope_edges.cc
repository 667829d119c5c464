// Tested by unit/view/scope_layout_test.cc.
#include "render/view/scope_edges.h"

#include <algorithm>
#include <utility>

namespace tideline::render {
namespace {

// What one op gives to another box.
struct Flow {
  std::uint32_t from = 0, to = 0;
  TensorId tensor = {};  // invalid for a control edge
  bool is_reference = false;
};

bool is_reference_read(const Scene& scene, TensorId tensor, Use use) {
  return base_type(scene.tensors->type(tensor)) == DataType::kResource ||
         scene.graph->reads_reference(use.consumer, use.slot);
}

std::vector<Flow> find_flows(const Scene& scene, std::span<const std::uint32_t> placed_of) {
  std::vector<Flow> flows;
  for (const OpId op : scene.graph->ops()) {
    const std::uint32_t from = placed_of[op.index()];
    if (from == 0) continue;
    const std::size_t first = flows.size();
    for (const Use use : scene.consumers->data(op)) {
      const std::uint32_t to = placed_of[use.consumer.index()];
      if (to == from || to == 0) continue;
      const TensorId tensor = scene.graph->inputs(use.consumer)[use.slot];
      flows.push_back({from, to, tensor, is_reference_read(scene, tensor, use)});
    }
    // A tensor that several ops of a box read is one; a reference if one of them reads it so.
    const auto begin = flows.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, flows.end(), [](const Flow& a, const Flow& b) {
      return std::tuple(a.to, a.tensor, b.is_reference) <
             std::tuple(b.to, b.tensor, a.is_reference);
    });
    flows.erase(std::unique(begin, flows.end(),
                            [](const Flow& a, const Flow& b) {
                              return a.to == b.to && a.tensor == b.tensor;
                            }),
                flows.end());
    for (const OpId waiter : scene.consumers->control(op)) {
      const std::uint32_t to = placed_of[waiter.index()];
      if (to != from && to != 0) flows.push_back({from, to, {}, false});
    }
  }
  std::sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  return flows;
}

}  // namespace

std::vector<ScopeEdge> find_scope_edges(const Scene& scene,
                                        std::span<const std::uint32_t> placed_of) {
  std::vector<ScopeEdge> edges;
  for (const Flow& flow : find_flows(scene, placed_of)) {
    if (edges.empty() || edges.back().from != flow.from || edges.back().to != flow.to)
      edges.push_back({.from = flow.from, .to = flow.to});
    ScopeEdge& edge = edges.back();
    if (!flow.tensor.op.valid()) {
      ++edge.controls;
      continue;
    }
    ++edge.tensors;
    edge.references += flow.is_reference ? 1 : 0;
    edge.bytes = saturating_add(edge.bytes, scene.tensors->bytes(flow.tensor));
    edge.is_unknown = edge.is_unknown || scene.tensors->is_unknown(flow.tensor);
  }
  return edges;
}

}  // namespace tideline::render
