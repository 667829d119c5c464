#include "app/engine/search.h"

#include <catch2/catch.hpp>

#include "core/base/output_file.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

Result<std::string> answer(std::string_view query) {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("g.pb"),
                     test::encode_graph("x = Placeholder() f32[4,64]\n"
                                        "y = Placeholder() f32[4,32]\n"
                                        "net/a = Relu(x) @/gpu:0 f32[4,64]\n"
                                        "net/b = Relu(y, ^net/a) @/gpu:1 f32[4,32]\n"
                                        "network = Add(net/b, net/b) f32[4,32] +padding='SAME'\n"
                                        "leveled = NoOp()\n"),
                     true));
  Progress silent;
  const auto graph = app::open({.graph = {.path = folder.file("g.pb")}}, silent);
  REQUIRE(graph);
  TIDELINE_TRY(const app::FoundOps result, app::search_ops(**graph, query));
  CHECK(result.total == static_cast<std::int64_t>(result.ops.size()));
  std::string names;
  for (const OpId op : result.ops) {
    names += std::string((*graph)->graph().name(op)) + " ";
  }
  return names;
}

std::string found(std::string_view query) {
  const auto names = answer(query);
  INFO(query << ": " << (names ? "" : names.error().message));
  REQUIRE(names);
  return *names;
}

std::string problem(std::string_view query) {
  const auto names = answer(query);
  INFO(query);
  REQUIRE_FALSE(names);
  CHECK(names.error().code == Code::kInvalidArgument);
  return names.error().message;
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

TEST_CASE("A word between slashes is a regular expression", "[session]") {
  CHECK(found("/^net/") == "net/a net/b network ");
  CHECK(found("/^NET/.$/") == "net/a net/b ");
  CHECK(found("/[xy]|led$/") == "x y leveled ");
  CHECK(found("op:/^relu|add$/") == "net/a net/b network ");
  CHECK(found("scope:/^n.t$/") == "net/a net/b ");
  CHECK(found("device:/gpu:[1-9]/") == "net/b ");
  CHECK(found("type:/^$/ op:NoOp").empty());
  CHECK(found("type:float op:/re lu|relu/ /b$/") == "net/b ");
  CHECK(found("type:int").empty());
  // A word with one slash is a part of a name.
  CHECK(found("/b") == "net/b ");
  CHECK(found("net/") == "net/a net/b ");
}

TEST_CASE("A search finds tensors and attributes", "[session]") {
  CHECK(found("net/a:0") == "net/a ");
  CHECK(found("A:0") == "net/a ");
  CHECK(found("net/a:1").empty());
  CHECK(found("attr:padding") == "network ");
  CHECK(found("attr:T=DT_FLOAT /b$/") == "net/b ");
  CHECK(found("attr:T=DT_HALF").empty());
  CHECK(found("attr:/^padding=.same/") == "network ");
  CHECK(found("attr:/^pad$/").empty());
}

TEST_CASE("A word that cannot be read is an error, not a search without hits", "[session]") {
  CHECK(problem("level:one") == "level:one: expected level:N, level:A..B, level:A.. or level:..B");
  CHECK(problem("bytes>many") == "bytes>many: expected a size such as 10M");
  CHECK(problem("net phase:sideways") ==
        "phase:sideways: expected forward, backward, update or other");
  CHECK(problem("op:") == "expected a value after 'op:'");
  CHECK(problem("/re(/").starts_with("'re(' is not a valid regular expression: "));
  CHECK(problem("attr:/[/").starts_with("'[' is not a valid regular expression: "));
}

TEST_CASE("What only looks like a special word is part of a name", "[session]") {
  CHECK(found("leveled") == "leveled ");
  CHECK(found("other:one").empty());
  CHECK(found("").empty());
  CHECK(found("   ").empty());
}

}  // namespace tideline
