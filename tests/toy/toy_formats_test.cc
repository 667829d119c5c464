// A format is read, written, verified, listed and taken by dialogs without a word about it there.
#include <catch2/catch.hpp>
#include <fstream>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "app/session/checkpoint_document.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/checkpoint/verify.h"
#include "tests/support/temporary_folder.h"
#include "tests/toy/run.h"
#include "tests/toy/toy_formats.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

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

TEST_CASE("Dialogs take the toy checkpoint", "[toy]") {
  const test::TemporaryFolder folder;
  write(folder.file("t.toyckpt"), kTensors);
  app::Session opened;
  app::Viewer viewer(opened);
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
