#include "render/view/scope_boxes.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

// The labels of the children of a box, by its path.
std::vector<std::string> children(const Scene& scene, const ScopeBoxes& boxes,
                                  std::string_view path) {
  const ScopeBox& box = boxes.boxes[path.empty() ? 0 : boxes.find(path).value()];
  std::vector<std::string> labels;
  for (std::uint32_t i = 0; i < box.child_count; ++i)
    labels.emplace_back(boxes.label(scene, boxes.boxes[box.first_child + i]));
  return labels;
}

std::string chain(int blocks) {
  std::string text = "x = Placeholder() f32[4,16]\n";
  std::string last = "x";
  for (int i = 0; i < blocks; ++i) {
    const std::string scope = i == 0 ? "net/block" : fmt::format("net/block_{}", i);
    text += fmt::format("{}/conv = MadeUp({}) f32[4,16]\n", scope, last);
    text += fmt::format("{}/relu = Relu({}/conv) f32[4,16]\n", scope, scope);
    last = scope + "/relu";
  }
  return text;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("scopes are boxes in the order in which they run, whatever the order of the file") {
  const auto snapshot = test::snapshot_of(R"(
    loss/c = MadeUp(net/b) f32[4,16]
    net/b = MadeUp(net/a) f32[4,16]
    net/a = MadeUp(x) f32[4,16]
    x = Placeholder() f32[4,16]
  )");
  const Scene scene = snapshot->scene();
  const ScopeBoxes boxes = find_scope_boxes(scene);
  CHECK(children(scene, boxes, "") == Labels{"x", "net", "loss"});
  CHECK(children(scene, boxes, "net") == Labels{"a", "b"});
  const ScopeBox& net = boxes.boxes[boxes.find("net").value()];
  CHECK(net.op_count == 2);
  CHECK(net.bytes == 512);  // 2 x 4 x 16 floats
  CHECK(net.first_level == 1);
  CHECK(net.last_level == 2);
  CHECK_FALSE(boxes.find("x"));  // an op opens nothing
  CHECK_FALSE(boxes.find("ne"));
}

TEST_CASE("a scope begins where it is used, though its variables have level 0") {
  const auto snapshot = test::snapshot_of(R"(
    x = Placeholder() f32[4,16]
    first/a = MadeUp(x) f32[4,16]
    first/b = MadeUp(first/a) f32[4,16]
    last/w = VariableV2() f32[4,16]
    last/init = Assign(last/w, last/w) f32[4,16]
    last/c = MadeUp(last/w, first/b) f32[4,16]
  )");
  const Scene scene = snapshot->scene();
  const ScopeBoxes boxes = find_scope_boxes(scene);
  CHECK(children(scene, boxes, "") == Labels{"x", "first", "last"});
  const ScopeBox& last = boxes.boxes[boxes.find("last").value()];
  CHECK(last.place == 2.5);  // w at 2, before c at 3; init is not part of the step
  CHECK(last.first_level == 0);
}

TEST_CASE("five numbered scopes of equal structure are one box, four are not") {
  for (const int blocks : {4, 5}) {
    const auto snapshot = test::snapshot_of(chain(blocks));
    const Scene scene = snapshot->scene();
    const ScopeBoxes boxes = find_scope_boxes(scene);
    if (blocks == 4) {
      CHECK(children(scene, boxes, "net") == Labels{"block", "block_1", "block_2", "block_3"});
    } else {
      CHECK(children(scene, boxes, "net") == Labels{"block_[0-4]"});
      CHECK(children(scene, boxes, "net/block_[0-4]") ==
            Labels{"block", "block_1", "block_2", "block_3", "block_4"});
      CHECK(boxes.boxes[boxes.find("net/block_[0-4]").value()].kind == BoxKind::kSeries);
    }
  }
}

TEST_CASE("series of one scope whose names would be equal have paths of their own") {
  std::string text = "x = Placeholder() f32[4,16]\n";
  for (int i = 1; i <= 5; ++i) {
    text += fmt::format("net/a_{} = MadeUp(x) f32[4,16]\n", i);
    text += fmt::format("net/a_{}/b = Relu(net/a_{}) f32[4,16]\n", i, i);
  }
  const auto snapshot = test::snapshot_of(text);
  const Scene scene = snapshot->scene();
  const ScopeBoxes boxes = find_scope_boxes(scene);
  CHECK(children(scene, boxes, "net") == Labels{"a_[1-5]", "a_[1-5]"});
  CHECK(boxes.find("net/a_[1-5]") != boxes.find("net/a_[1-5]#2"));
}

TEST_CASE("more than 400 children are parted into groups, and groups of too many again") {
  const auto boxes_of = [](int ops) {
    std::string text;
    for (int i = 0; i < ops; ++i)
      text += fmt::format("op{}x = {}() f32[1]\n", i, i % 2 == 0 ? "MadeUp" : "Const");
    const auto snapshot = test::snapshot_of(text);
    return find_scope_boxes(snapshot->scene());
  };
  CHECK(boxes_of(400).boxes[0].child_count == 400);
  const ScopeBoxes parted = boxes_of(401);
  CHECK(parted.boxes[0].child_count == 7);  // of 64
  CHECK(parted.boxes[parted.find("[385-401]").value()].op_count == 17);
  const ScopeBoxes many = boxes_of(400 * 401);
  CHECK(many.boxes[0].child_count == 400);
  CHECK(many.boxes[1].op_count == 401);
  CHECK(many.boxes[1].child_count == 7);
}

TEST_CASE("every op is in exactly one box without children, and the ops of a box lie together") {
  const auto snapshot = test::snapshot_of(chain(7) + "net/block = Relu(x) f32[4,16]\n");
  const ScopeBoxes boxes = find_scope_boxes(snapshot->scene());
  std::vector<int> seen(snapshot->graph->graph().op_count());
  for (const ScopeBox& box : boxes.boxes) {
    if (!box.can_open()) ++seen[boxes.ops_of(box)[0].index()];
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < box.child_count; ++i)
      sum += boxes.boxes[box.first_child + i].op_count;
    if (box.can_open()) CHECK(sum == box.op_count);
  }
  CHECK(seen == std::vector<int>(seen.size(), 1));
}

TEST_CASE("opening a box opens all around it, closing one closes all within it") {
  const auto snapshot = test::snapshot_of("a/b/c/x = MadeUp() f32[1]\na/d/y = Const() f32[1]\n");
  const Scene scene = snapshot->scene();
  const ScopeBoxes boxes = find_scope_boxes(scene);
  const OpenBoxes open = with_open(scene, boxes, {"a/d"}, boxes.find("a/b/c").value());
  CHECK(open == OpenBoxes{"a", "a/b", "a/b/c", "a/d"});
  CHECK(with_closed(boxes, open, boxes.find("a/b").value()) == OpenBoxes{"a", "a/d"});
  CHECK(with_closed(boxes, open, boxes.find("a").value()).empty());
  CHECK(with_closed(boxes, {"gone"}, boxes.find("a").value()) == OpenBoxes{"gone"});
}

TEST_CASE("the graph without ops is one empty box") {
  const auto snapshot = test::snapshot_of("");
  const ScopeBoxes boxes = find_scope_boxes(snapshot->scene());
  CHECK(boxes.boxes.size() == 1);
  CHECK(boxes.boxes[0].child_count == 0);
}

}  // namespace tideline::render
