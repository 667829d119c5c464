#include "app/engine/read_lines.h"

#include <catch2/catch.hpp>

#include "app/engine/op_card.h"
#include "app/engine/read_graph.h"
#include "app/engine/search.h"
#include "app/engine/snapshot.h"
#include "app/engine/swap_rows.h"
#include "core/base/output_file.h"
#include "core/rewrite/policy_parameters.h"
#include "render/model/ui_model.h"
#include "render/model/view_cache.h"
#include "render/model/view_state.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

const std::string kModel = TIDELINE_SOURCE_DIR "/tests/data/saved_models/lines";
const std::string kStep = "__inference_step_45";

app::ReadGraphPtr read(const events::GraphChoice& choice) {
  Progress silent;
  const auto source = app::read_graph(choice, silent);
  INFO((source ? "" : source.error().message));
  REQUIRE(source);
  return *source;
}

std::string line_at(const app::ReadGraph& source, std::string_view name) {
  const SourceLine* line = source.lines.of(test::op(source.document, name));
  return line == nullptr ? "" : short_text(*line);
}

std::string info_of(std::string_view names) {
  return "files: 'model.py' traces_by_id { key: 1 value { frame_id: 1 } }"
         "frames_by_id { key: 1 value { line: 14 func: 'step' } }" +
         std::string(names);
}

}  // namespace

TEST_CASE("the ops of a function in a SavedModel have the lines of the script", "[session]") {
  const auto source = read({.path = kModel, .function = kStep});
  CHECK(line_at(*source, "Relu") == "make_lines.py:18");
  CHECK(line_at(*source, "MatMul") == "make_lines.py:18");
  CHECK(line_at(*source, "MatMul_1") == "make_lines.py:19");
  CHECK(line_at(*source, "Softplus") == "make_lines.py:19");
  CHECK(line_at(*source, "gradient_tape/ReluGrad") == "make_lines.py:25");
  CHECK(line_at(*source, "AssignSubVariableOp") == "make_lines.py:26");
}

TEST_CASE("the ops of inlined calls have the lines of the ops in the functions", "[session]") {
  const auto source = read({.path = kModel, .inlines = true});
  std::size_t found = 0;
  for (const OpId op : source->document.graph.ops()) {
    const std::string_view name = source->document.graph.name(op);
    if (!name.ends_with("/Softplus")) continue;
    ++found;
    CHECK(line_at(*source, name) == "make_lines.py:19");
  }
  CHECK(found > 0);
}

TEST_CASE("a file that is named counts more than one beside the graph", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = folder.file("g.pb");
  REQUIRE(write_file(graph, test::encode_graph("a = Const() f32[4]\nb = Relu(a) f32[4]\n"), true));
  CHECK(read({.path = graph})->lines.empty());
  REQUIRE(write_file(graph + ".debug_info.pb", info_of("name_to_trace_id { key: 'a' value: 1 }"),
                     true));
  CHECK(line_at(*read({.path = graph}), "a") == "model.py:14");
  const std::string named = folder.file("named.pb");
  REQUIRE(write_file(named,
                     info_of("name_to_trace_id { key: 'b' value: 1 }"
                             "name_to_trace_id { key: 'gone' value: 1 }"
                             "name_to_trace_id { key: 'other@f' value: 1 }"),
                     true));
  const auto source = read({.path = graph, .debug_info = named});
  CHECK(source->lines.of(test::op(source->document, "a")) == nullptr);
  CHECK(line_at(*source, "b") == "model.py:14");
  REQUIRE(source->diagnostics.entries().size() == 1);
  const Diagnostic& entry = source->diagnostics.entries().front();
  CHECK(entry.severity == Severity::kInfo);
  CHECK(entry.count == 1);
  CHECK(entry.example == "'gone'");
}

TEST_CASE("a damaged file is an error if it was named, else a notice", "[session]") {
  const test::TemporaryFolder folder;
  const std::string graph = folder.file("g.pb");
  REQUIRE(write_file(graph, test::encode_graph("a = Const() f32[4]\n"), true));
  const std::string damaged = graph + ".debug_info.pb";
  REQUIRE(write_file(damaged, "traces { key: 'a' value { file_line_cols { } } }", true));
  Progress silent;
  const auto refused = app::read_graph({.path = graph, .debug_info = damaged}, silent);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kCorrupt);
  CHECK(refused.error().message ==
        damaged + ": traces['a']: file_index 0 is of no file; expected one below 0");
  const auto source = read({.path = graph});
  CHECK(source->lines.empty());
  REQUIRE(source->diagnostics.entries().size() == 1);
  CHECK(source->diagnostics.entries().front().severity == Severity::kNotice);
  CHECK(source->diagnostics.entries().front().kind == "debug information that cannot be read");
}

TEST_CASE("search, card, table of swaps and hover text have the lines", "[session]") {
  Progress silent;
  const auto graph = app::open({.graph = {.path = kModel, .function = kStep}}, silent);
  REQUIRE(graph);
  const auto names = [&](std::string_view query) {
    const auto found = app::search_ops(**graph, query);
    REQUIRE(found);
    std::string all;
    for (const OpId op : found->ops) all += std::string((*graph)->graph().name(op)) + " ";
    return all;
  };
  CHECK(names("line:make_lines.py:19") == names("line:/lines.py:19$/"));
  CHECK(names("line:make_lines.py:19 op:softplus") == "Softplus ");
  CHECK(names("line:ann/make_lines.py op:relu") == "Relu ");
  CHECK(names("line:make_lines.py:1").empty());
  CHECK_FALSE(app::search_ops(**graph, "line:make_lines.py:"));

  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", 1);
  set_value(policy, "swapin-ahead", 3);
  set_value(policy, "swapin-groupby", 2);
  const auto snapshot = app::make_snapshot(*graph, policy, {}, silent);
  REQUIRE(snapshot);
  const auto rows = app::swap_rows(**snapshot);
  REQUIRE_FALSE(rows.empty());
  for (const ui::SwapRow& row : rows) {
    CHECK(row.line == *(*graph)->file->source->lines.of(row.tensor.op));
  }
  ui::UiModel model;
  model.swaps = rows;
  model.scene = (*snapshot)->scene();
  model.revision = 1;
  ui::ViewState view;
  ui::ViewCache cache;
  const auto shown = [&](const char* filter) {
    view.swap_filter = filter;
    cache.update(model, view);
    return cache.swap_order().size();
  };
  CHECK(shown("") == rows.size());
  CHECK(shown("line:make_lines.py:19") == 1);
  CHECK(shown("line:make_lines.py") == rows.size());
  CHECK(shown("line:make_lines.py:1") == 0);  // no part of 19
  CHECK(shown("line:ann/make_lines.py:19") == 1);
  CHECK(shown("line:") == 0);
  CHECK(shown("make_lines") == 0);

  const OpId relu = test::op((*graph)->graph(), "Relu");
  const ui::OpCard card = app::op_card(**snapshot, nullptr, relu);
  CHECK(whole_text(card.line) == "/home/ann/make_lines.py:18, in forward");
}

}  // namespace tideline
