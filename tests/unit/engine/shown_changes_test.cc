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

NamedGraph named(std::string title, std::string_view text, const test::TemporaryFolder& folder) {
  const std::string path = folder.file(title + ".pb");
  std::ofstream(path, std::ios::binary) << test::encode_graph(text);
  Progress progress;
  auto read = app::read_graph({.path = path}, progress, {.cycles = io::Cycles::kAllow});
  REQUIRE(read);
  return {std::move(title), *std::move(read)};
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
        Texts{"4 of the 5 ops of old are missing"});
  const auto other = compare("a = Const() f32[2]\nb = Relu(a, ^a) f32[2]\n",
                             "a = Const() f32[3]\nb = Relu(c) f32[2]\nc = Tanh(a) f32[2]\n");
  CHECK(failed(other->changes) == Texts{"1 op with another type, device or attribute",
                                        "1 input with another value", "1 control edge missing",
                                        "1 new op computing something else"});
  CHECK_FALSE(other->changes.has_same_values);
  CHECK(other->changes.verdict.ends_with("; values may differ"));
  const auto cycle = compare("a = Const() f32[2]\nb = Relu(a) f32[2]\n",
                             "a = Const() f32[2]\nb = Relu(c) f32[2]\nc = Identity(b) f32[2]\n");
  const Texts lines = failed(cycle->changes);
  CHECK(std::find(lines.begin(), lines.end(), "there is a cycle") != lines.end());
  CHECK(cycle->changes.after.levels.empty());
  // What no other check finds: a copy of a variable is written to.
  CHECK(failed(compare("v = VariableV2() f32[2] +dtype=f32\nr = Assign(v, v) f32[2]\n",
                       "v = VariableV2() f32[2] +dtype=f32\nc = Identity(v) f32[2]\n"
                       "r = Assign(c, v) f32[2]\n")
                   ->changes)
            .size() == 1);
}

TEST_CASE("What differs inside functions is neither hidden nor called equal") {
  const test::TemporaryFolder folder;
  const std::string graph =
      std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/tf2_controlflow.pb";
  Progress progress;
  auto read = app::read_graph({.path = graph}, progress);
  REQUIRE(read);
  std::string bytes;
  {
    std::ifstream file(graph, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  // An op of a body gets another type of the same length.
  const std::size_t at = bytes.rfind(
      "\x12\x04"
      "Less");
  REQUIRE(at != std::string::npos);
  bytes.replace(at + 2, 4, "More");
  const std::string path = folder.file("other.pb");
  std::ofstream(path, std::ios::binary) << bytes;
  auto other = app::read_graph({.path = path}, progress);
  REQUIRE(other);
  const auto shown = app::show_changes({"old", *read}, {"new", *other}, progress);
  REQUIRE(shown);
  const GraphChanges& changes = (*shown)->changes;
  CHECK(changes.verdict ==
        "old -> new: 0 ops added, 0 changed, 0 removed, 1 function changed; values may differ");
  REQUIRE(failed(changes).size() == 1);
  CHECK(failed(changes)[0].find("1 difference around the ops: function '") == 0);
}

TEST_CASE("Ops that run in fewer cases are told") {
  constexpr std::string_view kSwitched = R"(
    p = Placeholder() bool[]
    x = Const() f32[2]
    s = Switch(x, p) f32[2] f32[2]
    on = Identity(s:1) f32[2]
    y = Relu(x) f32[2]
  )";
  std::string waiting(kSwitched);
  waiting.replace(waiting.find("Relu(x)"), 7, "Relu(x, ^on)");
  const auto shown = compare(kSwitched, waiting);
  CHECK(failed(shown->changes) == Texts{"fewer cases for 1 op: y runs only where p:0 is true"});
  CHECK(shown->changes.has_same_values);
  CHECK(shown->changes.verdict.ends_with("; what runs computes the same, 1 op in fewer cases"));
}

TEST_CASE("Of ops with very many bytes only these are told") {
  std::string text = "a = Const() f32[2] +k='";
  text += std::string(300'000, 'x') + "'\n";
  std::string other = text;
  other[text.size() - 5] = 'y';
  const auto shown = compare(text, other);
  const auto lines = app::changed_text(*shown, "a");
  REQUIRE(lines);
  REQUIRE(lines->size() == 2);
  CHECK((*lines)[0].first == DiffLine::Kind::kRemoved);
  CHECK((*lines)[1].second.ends_with(" bytes, too many to be shown)"));
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
  for (int i = 0; i < 20000; ++i) name += "/a";
  const auto shown =
      compare("x = Const() f32[2]\n", "x = Const() f32[2]\n" + name + " = Identity(x) f32[2]\n");
  CHECK(shown->changes.scopes.size() == 20001);
  CHECK(shown->changes.scopes[0].rows == 20001);
}

}  // namespace tideline
