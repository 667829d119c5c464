#include "core/graph/walks.h"

#include <catch2/catch.hpp>

#include "tests/support/graph_text.h"

namespace tideline {
namespace {

struct Read {
  io::Document document;
  LoopTypes loops;

  explicit Read(std::string_view text) : document(read(text)), loops(document.graph) {}

  static io::Document read(std::string_view text) {
    Progress silent;
    auto document = io::read_document("g", own_bytes(test::encode_graph(text)), silent,
                                      {io::Cycles::kAllow, {}});
    REQUIRE(document);
    return *std::move(document);
  }
  [[nodiscard]] const Graph& graph() const { return document.graph; }
  [[nodiscard]] bool ordered(Edges edges) const {
    return is_in_topological_order(graph(), loops, edges);
  }
  // The names of the ops as they become ready.
  [[nodiscard]] std::string ready(Edges edges) const {
    std::string names;
    for (const OpId op : ready_order(graph(), Consumers(graph()), loops, edges)) {
      names += std::string(graph().name(op)) + " ";
    }
    return names;
  }
};

constexpr const char* kLoop = R"(
  e = Enter()
  m = Merge(e, n)
  i = Identity(m)
  n = NextIteration(i)
)";

}  // namespace

TEST_CASE("control edges count for the order of a file when they are asked for") {
  const Read read("a = Const(^b)\n b = Const()\n c = Add(a, b)\n");
  CHECK(read.ordered(Edges::kData));
  CHECK_FALSE(read.ordered(Edges::kDataAndControl));
  CHECK_FALSE(Read("b = Relu(a)\n a = Const()\n").ordered(Edges::kData));
}

TEST_CASE("the back edge of a loop does not count") {
  const Read read(kLoop);
  CHECK(read.ordered(Edges::kDataAndControl));
  CHECK(read.ready(Edges::kDataAndControl) == "e m i n ");
}

TEST_CASE("ops become ready after the last one that they wait for") {
  const Read read("d = Add(b, c)\n b = Relu(a)\n c = Relu(z, ^b)\n a = Const()\n z = Const()\n");
  CHECK(read.ready(Edges::kData) == "a z b c d ");
  CHECK(read.ready(Edges::kDataAndControl) == "a z b c d ");
}

TEST_CASE("a cycle, and what waits for it, never becomes ready") {
  const Read read("a = Add(x, b)\n b = Relu(a)\n c = Relu(b)\n x = Const()\n y = NoOp(^c)\n");
  CHECK(read.ready(Edges::kDataAndControl) == "x ");
  CHECK(read.ready(Edges::kData) == "x y ");
}

TEST_CASE("a value is followed to its source, and not for ever") {
  const Read read(R"(
    x = Const()
    a = Identity(x)
    b = Identity(a)
    c = Relu(b)
  )");
  const Graph& graph = read.graph();
  const auto is_identity = [&](OpId op) { return graph.type(op) == "Identity"; };
  const auto source = [&](const char* from, std::uint32_t most) {
    return graph.name(source_of_value(graph, {graph.find(from), 0}, most, is_identity).op);
  };
  CHECK(source("b", 9) == "x");
  CHECK(source("b", 1) == "a");
  CHECK(source("c", 9) == "c");
  const Read cycle("a = Identity(b)\n b = Identity(a)\n");
  const TensorId end = source_of_value(cycle.graph(), {OpId{0}, 0}, 3, [](OpId) { return true; });
  CHECK(end.op == OpId{1});
}

TEST_CASE("a walk meets each op once, and takes the last or the first of those that wait") {
  const Read read("a = Const()\n b = Relu(a)\n c = Relu(a)\n d = Add(b, c)\n e = NoOp(^d)\n");
  const auto op = [&](const char* name) { return read.graph().find(name); };
  OpWalk walk(read.graph());
  CHECK_FALSE(walk.next());
  CHECK(walk.add(op("a")));
  CHECK_FALSE(walk.add(op("a")));
  walk.add_readers(Consumers(read.graph()), op("a"), Edges::kData);
  CHECK(walk.oldest() == op("a"));
  CHECK(walk.next() == op("c"));
  CHECK(walk.oldest() == op("b"));
  CHECK_FALSE(walk.oldest());
  CHECK_FALSE(walk.next());
  CHECK_FALSE(walk.add(op("b")));
  CHECK(walk.has(op("b")));
  CHECK_FALSE(walk.has(op("d")));
}

TEST_CASE("a walk follows control edges when they are asked for") {
  const Read read("a = Const()\n b = Relu(a)\n c = NoOp(^b)\n d = NoOp(^c)\n");
  const Consumers consumers(read.graph());
  const auto met = [&](const char* from, bool backwards, Edges edges) {
    OpWalk walk(read.graph());
    walk.add(read.graph().find(from));
    while (const auto op = walk.next()) {
      backwards ? walk.add_inputs(*op, edges) : walk.add_readers(consumers, *op, edges);
    }
    return walk.take();
  };
  CHECK(met("a", false, Edges::kData) == std::vector<bool>{true, true, false, false});
  CHECK(met("a", false, Edges::kDataAndControl) == std::vector<bool>{true, true, true, true});
  CHECK(met("c", true, Edges::kData) == std::vector<bool>{false, false, true, false});
  CHECK(met("c", true, Edges::kDataAndControl) == std::vector<bool>{true, true, true, false});
  OpWalk all(read.graph(), {true, false, false, true});
  CHECK(all.next() == read.graph().find("d"));
  CHECK(all.next() == read.graph().find("a"));
  CHECK_FALSE(all.next());
}

}  // namespace tideline
