// A format is read, written, verified, listed and taken by dialogs without a word about it there.
#include <catch2/catch.hpp>
#include <fstream>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "app/session/checkpoint_document.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/checkpoint/verify.h"
#include "core/events/open_graph.h"
#include "tests/support/temporary_folder.h"
#include "tests/toy/run.h"
#include "tests/toy/toy_formats.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

const std::string kGraph = "toygraph\nx Placeholder\ny Relu x\nz Add x y ^x\n";

// Two tensors: w = {0, 1} and bias = {}, in the order of their names.
const std::string kTensors =
    std::string("toycheckpoint\nbias 0\n\nw 2\n") + std::string("\0\0\0\0\0\0\x80\x3f", 8) + "\n";

void write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("A toy graph is found by its content, read and written", "[toy]") {
  const test::TemporaryFolder folder;
  const std::string graph = folder.file("any.name");
  write(graph, kGraph);
  const Printed inspected = run({"inspect", graph});
  CHECK(inspected.code == 0);
  CHECK_THAT(inspected.out, Contains("any.name: graph (toygraph), "));
  CHECK_THAT(inspected.out, Contains("\n  3 vertices, "));
  CHECK(run({"convert", graph, "-o", folder.file("g.pb")}).code == 0);
  const Printed written = run({"convert", folder.file("g.pb"), "-o", folder.file("g.toygraph")});
  CHECK(written.code == 0);
  CHECK_THAT(written.err, Contains("note: A toy graph holds names, types and inputs"));
  CHECK(content(folder.file("g.toygraph")) == kGraph);
  CHECK(run({"diff", graph, folder.file("g.toygraph")}).code == 0);
  write(graph, "toygraph\nalone\n");
  CHECK_THAT(run({"inspect", graph}).err, Contains("'alone': expected a name and a type"));
}

TEST_CASE("Help and messages list the toy graph", "[toy]") {
  CHECK_THAT(run({"--help"}).out, Contains("a GraphDef (.pb, .pbtxt, .toygraph), a MetaGraphDef"));
  const test::TemporaryFolder folder;
  write(folder.file("text"), "no graph\n");
  const Printed refused = run({"convert", test::tutorial(), "-o", folder.file("g.onnx")});
  CHECK_THAT(refused.err, Contains("a name that ends in .pb, .pbtxt, .toygraph or .meta, or"));
  CHECK_THAT(run({"inspect", folder.file("text")}).err, Contains("(.pb, .pbtxt, .toygraph)"));
}

TEST_CASE("Dialogs take the toy graph and the toy checkpoint", "[toy]") {
  const test::TemporaryFolder folder;
  write(folder.file("g.toygraph"), kGraph);
  write(folder.file("t.toyckpt"), kTensors);
  app::Session opened;
  app::Viewer viewer(opened);
  REQUIRE(app::run_action(viewer, "file.open", {folder.file("g.toygraph")}));
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  CHECK(viewer.graph().snapshot()->graph->graph().op_count() == 3);
  CHECK_THAT(app::make_ui_model(viewer).graph_formats, Contains(".toygraph"));
  CHECK_THAT(app::make_ui_model(viewer).format, Contains("toygraph"));
  REQUIRE(app::run_action(viewer, "file.write", {folder.file("again.toygraph")}));
  test::settle(viewer);
  CHECK(content(folder.file("again.toygraph")) == kGraph);
  CHECK(io::is_graph_name("g.toygraph"));  // the page lists such files
  REQUIRE(app::run_action(viewer, "file.open", {folder.file("t.toyckpt")}));
  test::settle(viewer);
  const auto checkpoint = app::make_ui_model(viewer).checkpoint;
  REQUIRE(checkpoint);
  CHECK(checkpoint->listing->format == "toy checkpoint");
  CHECK_THAT(app::make_ui_model(viewer).checkpoint_formats, EndsWith("or a .toyckpt file"));
  REQUIRE(app::run_action(viewer, "checkpoint.convert", {folder.file("again.toyckpt")}));
  test::settle(viewer);
  CHECK(content(folder.file("again.toyckpt")) == kTensors);
}

TEST_CASE("A toy checkpoint is found by its content, listed, verified and converted", "[toy]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("any.name");
  write(path, kTensors);
  const Printed listed = run({"checkpoint", "ls", path});
  CHECK(listed.code == 0);
  CHECK_THAT(listed.out, Contains("any.name: toy checkpoint, 2 tensors, 8 B in 1 file"));
  CHECK(run({"checkpoint", "verify", path}).code == 0);
  const std::string other = folder.file("t.safetensors");
  CHECK(run({"checkpoint", "convert", path, "-o", other}).code == 0);
  const Printed again = run({"checkpoint", "convert", other, "-o", folder.file("t.toyckpt")});
  CHECK_THAT(again.out, EndsWith("t.toyckpt: toy checkpoint, 2 tensors\n"));
  CHECK(content(folder.file("t.toyckpt")) == kTensors);
  CHECK(run({"checkpoint", "convert", other, "-o", path, "--to", "toy", "--force"}).code == 0);
  CHECK(content(path) == kTensors);
  write(path, kTensors.substr(0, kTensors.size() - 1) + "!");
  const Printed damaged = run({"checkpoint", "verify", path});
  CHECK(damaged.code == 3);
  CHECK_THAT(damaged.out, Contains("expected a line feed"));
}

TEST_CASE("Help and messages list the toy checkpoint", "[toy]") {
  const test::TemporaryFolder folder;
  const Printed help = run({"checkpoint", "convert", "--help"});
  CHECK_THAT(help.out, Contains("safetensors file, toy checkpoint"));
  CHECK_THAT(help.out, Contains("a .toyckpt file"));
  const Printed refused = run({"checkpoint", "convert", "none", "-o", "none", "--to", "hdf5"});
  CHECK_THAT(refused.err, Contains("expected one of tensorflow, safetensors, toy, not hdf5"));
  CHECK_THAT(run({"checkpoint", "ls", folder.file("none")}).err, Contains(" or a toy checkpoint"));
  CHECK(&checkpoint::format_of_name("t.toyckpt") == &toy::kCheckpointFormat);
  CHECK(checkpoint::names_checkpoint(folder.file("none.toyckpt")));
}

}  // namespace tideline
