#include "app/engine/search.h"

#include <catch2/catch.hpp>

#include "core/base/output_file.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

std::string found(std::string_view query) {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("g.pb"),
                     test::encode_graph("x = Placeholder() f32[4,64]\n"
                                        "y = Placeholder() f32[4,32]\n"
                                        "net/a = Relu(x) @/gpu:0 f32[4,64]\n"
                                        "net/b = Relu(y, ^net/a) @/gpu:1 f32[4,32]\n"
                                        "network = Add(net/b, net/b) f32[4,32]\n"
                                        "leveled = NoOp()\n"),
                     true));
  Progress silent;
  const auto graph = app::open({.graph = {.path = folder.file("g.pb")}}, silent);
  REQUIRE(graph);
  const app::FoundOps result = app::search_ops(**graph, query);
  CHECK(result.total == static_cast<std::int64_t>(result.ops.size()));
  std::string names;
  for (const OpId op : result.ops) {
    names += std::string((*graph)->graph().name(op)) + " ";
  }
  return names;
}

}  // namespace

TEST_CASE("All words of a search must hold", "[session]") {
  CHECK(found("NET") == "net/a net/b network ");
  CHECK(found("op:relu") == "net/a net/b ");
  CHECK(found("scope:net") == "net/a net/b ");
  CHECK(found("device:gpu:1") == "net/b ");
  CHECK(found("level:1..2") == "net/a net/b ");
  CHECK(found("level:..0") == "x y leveled ");
  CHECK(found("level:2..") == "net/b network ");
  CHECK(found("bytes>1000 op:relu") == "net/a ");
  CHECK(found("bytes<1KiB net") == "net/b network ");
  CHECK(found("bytes>0.5K") == "x net/a ");
  CHECK(found("bytes<1k net") == "net/b network ");
  CHECK(found("phase:forward op:add") == "network ");
  CHECK(found("op:Relu b") == "net/b ");
}

TEST_CASE("What only looks like a special word is part of a name", "[session]") {
  CHECK(found("leveled") == "leveled ");
  CHECK(found("level:one").empty());
  CHECK(found("bytes>many").empty());
  CHECK(found("").empty());
  CHECK(found("   ").empty());
}

}  // namespace tideline
