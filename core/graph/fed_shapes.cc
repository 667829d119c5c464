// Tested by unit/graph/fed_shapes_test.cc and unit/rewrite/sections_memory_test.cc.
#include "core/graph/fed_shapes.h"

namespace tideline {

std::vector<GivenShape> fed_shapes(const Graph& graph, const TensorTable& tensors,
                                   const Cycle& cycle) {
  std::vector<GivenShape> shapes;
  for (const CycleRun& run : cycle.runs) {
    for (const auto& [placeholder, kept] : run.feeds) {
      const auto fed = graph.find_tensor(kept);
      if (!fed || fed->slot >= tensors.output_count(fed->op)) continue;
      Shape shape = tensors.shape(*fed);
      if (shape.rank() < 1) continue;
      if (shape.dims.front() == kUnknownDim) {
        std::int64_t others = element_bytes(tensors.type(*fed)).value_or(0);
        for (std::size_t i = 1; i < shape.dims.size(); ++i) {
          others = checked_multiply(others, shape.dims[i]).value_or(0);
        }
        if (others <= 0) continue;
        shape.dims.front() = tensors.bytes(*fed) / others;
      }
      if (!shape.fully_known()) continue;
      shapes.push_back({placeholder, std::move(shape)});
    }
  }
  return shapes;
}

}  // namespace tideline
