#include "core/memory/step_ops.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

// A saver beside a step, as TensorFlow 1 writes it.
const char* const kOps = R"(
  x = Placeholder() f32[?,4]
  w = VariableV2() f32[4,4]
  y = MatMul(x, w) f32[?,4]
  save/filename/input = Const() str[]
  save/filename = PlaceholderWithDefault(save/filename/input) str[]
  save/names = Const() str[1]
  save/slices = Const() str[1]
  save/Save = SaveV2(save/filename, save/names, save/slices, w)
  save/done = Identity(save/filename, ^save/Save) str[]
  save/Restore = RestoreV2(save/filename, save/names, save/slices) f32?
  save/Assign = Assign(w, save/Restore) f32[4,4]
  save/restore_all = NoOp(^save/Assign)
)";

std::vector<std::string> names_of(const io::Document& document, const Fetches& fetches) {
  std::vector<std::string> names;
  const std::vector<bool> of_step = step_ops(document.graph, fetches);
  for (const OpId op : document.graph.ops()) {
    if (of_step[op.index()]) names.emplace_back(document.graph.name(op));
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a step runs what its fetches need, and no saver") {
  const io::Document document =
      test::read_graph(std::string(kOps) + "train = NoOp(^y)\n other = Relu(x) f32[?,4]\n");
  const auto fetches = find_fetches(document.graph, {}, {"train"});
  REQUIRE(fetches);
  CHECK(names_of(document, *fetches) == Names{"x", "w", "y", "train"});
}

TEST_CASE("without a training op savers are of no step, and what they alone read is not either") {
  const io::Document document = test::read_graph(kOps);
  const auto fetches = find_fetches(document.graph, {}, {});
  REQUIRE(fetches);
  REQUIRE(fetches->rule == FetchRule::kAll);
  CHECK(names_of(document, *fetches) == Names{"x", "w", "y"});
  const auto tensors = TensorTable::build(document.graph, {});
  REQUIRE(tensors);
  CHECK(tensors->unknown_count() == 3);  // x, y, and the restored tensor
  CHECK(unknown_sizes(document.graph, *tensors, step_ops(document.graph, *fetches)) == 2);
}

TEST_CASE("a restored value that the step reads is of the step") {
  const io::Document document = test::read_graph(R"(
    filename = Const() str[]
    names = Const() str[1]
    slices = Const() str[1]
    restored = RestoreV2(filename, names, slices) f32?
    through = Identity(restored) f32?
    read = Relu(through) f32?
  )");
  const auto fetches = find_fetches(document.graph, {}, {});
  REQUIRE(fetches);
  CHECK(names_of(document, *fetches) ==
        Names{"filename", "names", "slices", "restored", "through", "read"});
}

}  // namespace tideline
