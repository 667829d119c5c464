#include "app/engine/shown_changes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using app::NamedGraph;
using render::ChangeKind;
using render::GraphChanges;
using Texts = std::vector<std::string>;

constexpr std::string_view kOriginal = R"(
  x = Const() f32[2]
  net/a/relu = Relu(x) @/gpu:0 f32[2]
  net/b/add = Add(net/a/relu, x) f32[2]
  net/b/c/mul = Mul(net/b/add, x) f32[2]
  loss = Sum(net/b/c/mul, x) f32[]
)";
constexpr std::string_view kRewritten = R"(
  x = Const() f32[2]
  net/a/relu = Relu(x) @/gpu:0 f32[2]
  net/a/out = Identity(net/a/relu) @/cpu:0 f32[2]
  net/a/in = Identity(net/a/out, ^x) @/gpu:0 f32[2]
  net/b/add = Add(net/a/in, x) f32[2]
  net/b/c/mul = Mul(net/b/add, x, ^net/a/out) f32[2]
  loss = Sum(net/b/c/mul, x) f32[]
)";

NamedGraph named(std::string title, std::string_view text, const test::TemporaryFolder& folder,
                 bool is_edit = false) {
  const std::string path = folder.file(title + ".pb");
  std::ofstream(path, std::ios::binary) << test::encode_graph(text);
  Progress progress;
  auto read = app::read_graph({.path = path}, progress, {.cycles = io::Cycles::kAllow});
  REQUIRE(read);
  return {std::move(title), *std::move(read), is_edit};
}

app::ShownChangesPtr compare(std::string_view before, std::string_view after) {
  const test::TemporaryFolder folder;
  Progress progress;
  auto shown =
      app::show_changes(named("old", before, folder), named("new", after, folder), progress);
  REQUIRE(shown);
  return *shown;
}

Texts failed(const GraphChanges& changes) {
  Texts texts;
  for (const auto& check : changes.checks) {
    if (!check.holds) texts.push_back(check.text);
  }
  return texts;
}

}  // namespace

TEST_CASE("A rewrite is listed by scope, and its checks hold") {
  const auto shown = compare(kOriginal, kRewritten);
  const GraphChanges& changes = shown->changes;
  CHECK(changes.verdict ==
        "old -> new: 2 ops added, 2 changed, 0 removed; every op computes the same as before");
  CHECK(failed(changes).empty());
  CHECK(changes.has_same_values);
  Texts scopes;
  for (const auto& scope : changes.scopes) {
    scopes.push_back(fmt::format("{}:{} +{} ~{} ({} rows)", scope.depth, scope.path,
                                 scope.counts.added, scope.counts.changed, scope.rows));
  }
  CHECK(scopes == Texts{"0: +2 ~2 (5 rows)", "1:net +2 ~2 (4 rows)", "2:net/b +0 ~2 (2 rows)",
                        "3:net/b/c +0 ~1 (1 rows)", "2:net/a +2 ~0 (1 rows)"});
  REQUIRE(changes.ops.size() == 4);
  CHECK(changes.ops[0].name == "net/b/add");
  CHECK(changes.ops[0].lines == Texts{"input 0: net/a/relu:0 -> net/a/in:0"});
  CHECK(changes.ops[1].lines == Texts{"waits for net/a/out"});
  CHECK(changes.scopes[changes.ops[1].scope].path == "net/b/c");
  CHECK(changes.ops[2].kind == ChangeKind::kAdded);
  CHECK(changes.ops[2].lines == Texts{"Identity on /cpu:0, carries net/a/relu:0"});
}

TEST_CASE("Levels count what is the same, changed and their own") {
  const auto shown = compare(kOriginal, kRewritten);
  const auto& before = shown->changes.before.levels;
  const auto& after = shown->changes.after.levels;
  REQUIRE(before.size() == 5);
  REQUIRE(after.size() == 7);
  CHECK(before[2].changed == 1);  // net/b/add
  CHECK(after[2].own == 1);       // net/a/out
  CHECK(after[3].own == 1);
  CHECK(after[0].same == 1);
}

TEST_CASE("What a rewrite must not do is said in its check") {
  CHECK(failed(compare(kOriginal, "x = Const() f32[2]\n")->changes) ==
        Texts{"4 of 5 ops of old are missing"});
  const auto other = compare("a = Const() f32[2]\nb = Relu(a, ^a) f32[2]\n",
                             "a = Const() f32[3]\nb = Relu(c) f32[2]\nc = Tanh(a) f32[2]\n");
  CHECK(failed(other->changes) == Texts{"types, devices or attributes of 1 ops differ",
                                        "1 inputs have other values", "1 control edges are missing",
                                        "1 new ops compute something new"});
  CHECK_FALSE(other->changes.has_same_values);
  CHECK(other->changes.verdict.ends_with("; values may differ"));
  const auto cycle = compare("a = Const() f32[2]\nb = Relu(a) f32[2]\n",
                             "a = Const() f32[2]\nb = Relu(c) f32[2]\nc = Identity(b) f32[2]\n");
  const Texts lines = failed(cycle->changes);
  CHECK(std::find(lines.begin(), lines.end(), "there is a cycle") != lines.end());
  CHECK(cycle->changes.after.levels.empty());
  // Only the inputs tell that a reader of a reference reads a copy.
  CHECK(failed(compare("v = VariableV2() f32[2] +dtype=f32\nr = Assign(v, v) f32[2]\n",
                       "v = VariableV2() f32[2] +dtype=f32\nc = Identity(v) f32[2]\nr = Assign(c, "
                       "v) f32[2]\n")
                   ->changes)
            .size() == 1);
}

TEST_CASE("Equal graphs are called so") {
  const auto shown = compare(kOriginal, kOriginal);
  CHECK(shown->changes.verdict == "old and new are equal");
  CHECK(shown->changes.ops.empty());
  CHECK(failed(shown->changes).empty());
}

TEST_CASE("An op is shown in both graphs line by line") {
  const auto shown = compare(kOriginal, kRewritten);
  auto lines = app::changed_text(*shown, "net/b/add");
  REQUIRE(lines);
  Texts different;
  for (const auto& [kind, text] : *lines) {
    if (kind != DiffLine::Kind::kSame)
      different.push_back((kind == DiffLine::Kind::kAdded ? "+" : "-") + text);
  }
  CHECK(different == Texts{"-input: \"net/a/relu\"", "+input: \"net/a/in\""});
  CHECK(lines->size() > 4);
  lines = app::changed_text(*shown, "net/a/out");
  REQUIRE(lines);
  CHECK(std::all_of(lines->begin(), lines->end(),
                    [](const auto& line) { return line.first == DiffLine::Kind::kAdded; }));
  lines = app::changed_text(*shown, "nobody");
  REQUIRE(lines);
  CHECK(lines->empty());
}

TEST_CASE("Names with thousands of parts are a deep tree, and no deep recursion") {
  std::string name = "a";
  for (int i = 0; i < 5000; ++i) name += "/a";
  const auto shown =
      compare("x = Const() f32[2]\n", "x = Const() f32[2]\n" + name + " = Identity(x) f32[2]\n");
  CHECK(shown->changes.scopes.size() == 5001);
  CHECK(shown->changes.scopes[0].rows == 5001);
}

}  // namespace tideline
