#include "core/rewrite/plan/changed_ops.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

constexpr std::string_view kBefore = R"(
  a = Const() f32[2]
  b = Relu(a) @/gpu:0 f32[2]
  c = Add(b, a, ^a) f32[2]
)";

// "c:inputs,control", "+d", "-b"
std::vector<std::string> changed(std::string_view text) {
  const io::Document before = test::read_graph(kBefore), after = test::read_graph(text);
  std::vector<std::string> found;
  for (const ChangedOp& op : find_changed_ops(before.graph, after.graph)) {
    if (op.is_added()) {
      found.push_back("+" + std::string(after.graph.name(op.after)));
    } else if (op.is_removed()) {
      found.push_back("-" + std::string(before.graph.name(op.before)));
    } else {
      std::string what;
      for (const auto& [is, name] : {std::pair(op.type, "type"), std::pair(op.device, "device"),
                                     std::pair(op.fields, "fields"), std::pair(op.inputs, "inputs"),
                                     std::pair(op.control, "control")}) {
        if (is) what += (what.empty() ? "" : ",") + std::string(name);
      }
      found.push_back(std::string(before.graph.name(op.before)) + ":" + what);
    }
  }
  return found;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("ops that differ are found, and in what") {
  CHECK(changed(kBefore).empty());
  CHECK(changed("b = Relu(a) @/gpu:0 f32[2]\n c = Add(b, a, ^a) f32[2]\n a = Const() f32[2]\n")
            .empty());
  CHECK(changed("a = Const() f32[2]\n b = Elu(a) @/gpu:1 f32[3]\n c = Add(a, b) f32[2]\n") ==
        Texts{"b:type,device,fields", "c:inputs,control"});
  CHECK(
      changed("a = Const() f32[2]\n d = Relu(a) @/gpu:0 f32[2]\n c = Add(d, a, ^d, ^a) f32[2]\n") ==
      Texts{"-b", "c:inputs,control", "+d"});
  CHECK(changed("a = Const() f32[2]\n b = Relu(a) @/gpu:0 f32[2]\n c = Add(b, a, ^a, ^a) f32[2]\n")
            .empty());
  CHECK(
      changed("a = Const() f32[2]\n b = Relu(a) @/gpu:0 f32[2]\n c = Add(b, a, a, ^a) f32[2]\n") ==
      Texts{"c:inputs"});
}

TEST_CASE("attributes that are lost, changed or new are named") {
  const io::Document before = test::read_graph("a = Const() f32[2] +k=1 +l=2\n");
  const io::Document after = test::read_graph("a = Const() f32[2] +k=3 +m=2\n");
  using Kind = AttributeDifference::Kind;
  std::vector<std::pair<std::string, Kind>> found;
  for (const auto& [key, kind] : attribute_differences(before.graph, before.graph.find("a"),
                                                       after.graph, after.graph.find("a"))) {
    found.emplace_back(key, kind);
  }
  CHECK(found == std::vector<std::pair<std::string, Kind>>{
                     {"k", Kind::kChanged}, {"l", Kind::kLost}, {"m", Kind::kNew}});
}

}  // namespace tideline
