#include "render/view/text_fit.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"
#include "tests/support/test_data.h"

namespace tideline::render {
namespace {

// As many letters as have room.
NameShortener::Fits letters(std::size_t most) {
  return [most](std::string_view text) { return text.size() <= most; };
}

}  // namespace

TEST_CASE("names are shortened in the middle, and keep the parts in which they differ") {
  const std::vector<std::string> names = {"net/layer_0/q/dense/mul:0", "net/layer_1/q/dense/mul:0",
                                          "net/layer_1/k/dense/mul:0", "net/out/bias:0"};
  CHECK(shorten_names(names, letters(24)) ==
        std::vector<std::string>{"net/layer_0/q/../mul:0", "../layer_1/q/dense/mul:0",
                                 "../layer_1/k/dense/mul:0", "net/out/bias:0"});
  CHECK(shorten_names(names, letters(99)) == names);
}

TEST_CASE("the end of a part is enough where there is no room for all of it") {
  const std::vector<std::string> names = {"net/transformer_layer_0/mul:0",
                                          "net/transformer_layer_1/mul:0"};
  const auto shortened = shorten_names(names, letters(18));
  CHECK(shortened[0] != shortened[1]);
  CHECK(shortened[0].find("_0/mul:0") != std::string::npos);
  for (const std::string& name : shortened) CHECK(name.size() <= 18);
}

TEST_CASE("20 rows of the transformer that all read dense/mul:0 can be told apart") {
  Progress silent;
  const auto graph =
      app::open({.graph = {.path = test::graph_file("transformer.meta").string()}}, silent);
  REQUIRE(graph);
  std::vector<std::string> names;
  for (const OpId op : (*graph)->graph().ops()) {
    const std::string name = (*graph)->graph().tensor_name({op, 0});
    if (name.ends_with("dense/mul:0") || name.ends_with("/mul:0")) names.push_back(name);
  }
  REQUIRE(names.size() >= 20);
  names.resize(20);
  const auto shortened = shorten_names(names, letters(44));
  CHECK(std::set<std::string>(shortened.begin(), shortened.end()).size() == names.size());
  for (const std::string& name : shortened) {
    CHECK(name.size() <= 44);
    CHECK(name.ends_with("mul:0"));
  }
}

TEST_CASE("parts that all names with the same end share can be left out") {
  const std::vector<std::string> names = {"net/layer_0/q/dense/mul:0", "net/layer_1/q/dense/mul:0"};
  const NameShortener shortener(names);
  CHECK(shortener.shortest_apart(names[0]) == "../layer_0/../mul:0");
  CHECK(NameShortener(std::vector<std::string>{"a/b:0"}).shortest_apart("a/b:0") == "../b:0");
}

TEST_CASE("names that are strange are shortened without harm") {
  const std::vector<std::string> names = {
      "", "/", "//", "a/", std::string(5000, '/'), std::string(900, 'x'), "gr\xC3\xB6\xC3\x9F/e"};
  for (const std::string& name : shorten_names(names, letters(6))) CHECK(name.size() <= 8);
}

TEST_CASE("a number is never cut, nor parted from its unit") {
  const test::RecordingCanvas canvas;  // letters are half as wide as high
  CHECK(fit_text(canvas, "budget 410.00 MiB", 2, 17) == "budget 410.00 MiB");
  CHECK(fit_text(canvas, "budget 410.00 MiB", 2, 16) == "budget..");
  CHECK(fit_text(canvas, "budget 410.00 MiB", 2, 12) == "budget..");
  CHECK(fit_text(canvas, "98.00 MiB", 2, 8).empty());
  CHECK(fit_text(canvas, "18 tensors here", 2, 13) == "18 tensors..");
}

TEST_CASE("a column of sizes has one unit") {
  const Bytes largest = 98 << 20;
  const ByteUnit unit = unit_of_bytes(static_cast<double>(largest));
  CHECK(bytes_in(unit, largest, largest) == "98.00 MiB");
  CHECK(bytes_in(unit, largest, 1 << 18) == "0.25 MiB");
  CHECK(bytes_in(unit, largest, 100) == "<0.01 MiB");
  CHECK(bytes_in(unit, largest, 0) == "0.00 MiB");
  CHECK(bytes_in(unit_of_bytes(700), 700, 12) == "12 B");
}

}  // namespace tideline::render
