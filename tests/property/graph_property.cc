#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "core/analysis/levels.h"
#include "core/io/text_format.h"
#include "tests/property/reference_lms2.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"

namespace tideline {

TEST_CASE("random graphs: levels equal the slow oracle in both maps, and climb") {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    test::RandomGraphOptions shape;
    shape.ops = 1 + static_cast<int>(random() % 150);
    shape.shuffled = random() % 2 == 0;
    const io::Document document = test::read_graph(test::random_graph(seed, shape));
    const Graph& graph = document.graph;
    const LevelMap complete = complete_levels(graph);
    const LevelMap compatible = compatible_levels(graph);
    const std::vector<int> slow = test::slow_levels(graph);
    std::size_t listed = 0;
    for (std::int32_t level = 0; level < complete.count(); ++level) {
      listed += complete.ops(level).size();
      REQUIRE(std::is_sorted(complete.ops(level).begin(), complete.ops(level).end()));
    }
    REQUIRE(listed == graph.op_count());
    for (const OpId op : graph.ops()) {
      REQUIRE(complete.level(op) == slow[op.index()]);
      REQUIRE(compatible.level(op) == slow[op.index()]);
      for (const TensorId input : graph.inputs(op)) {
        REQUIRE(complete.level(input.op) < complete.level(op));
      }
    }
  }
}

TEST_CASE("random graphs: wire and text say the same") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    INFO("seed " << seed);
    const std::string wire = test::encode_graph(test::random_graph(seed, {}));
    const auto text = io::wire_to_text(wire, io::MessageKind::kGraphDef, 0);
    REQUIRE(text);
    const auto again = io::text_to_wire(*text, io::MessageKind::kGraphDef);
    REQUIRE(again);
    REQUIRE(*io::wire_to_text(*again, io::MessageKind::kGraphDef, 0) == *text);
  }
}

TEST_CASE("random damage: reading ends with a graph or an error, never otherwise") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    test::RandomGraphOptions shape;
    shape.ops = 12;
    std::string wire = test::encode_graph(test::random_graph(seed % 7, shape));
    for (std::uint32_t i = 0; i < 1 + random() % 4; ++i) {
      wire[random() % wire.size()] = static_cast<char>(random());
    }
    Progress silent;
    const auto document = io::read_document("g", own_bytes(wire), silent);
    if (document) {
      CHECK(complete_levels(document->graph).without_level() == 0);
    } else {
      CHECK(document.error().message.rfind("g: ", 0) == 0);
    }
  }
}

}  // namespace tideline
