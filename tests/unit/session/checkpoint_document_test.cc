#include "app/session/checkpoint_document.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "app/actions/commands.h"
#include "app/actions/script.h"
#include "app/session/session.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

namespace tideline::app {
namespace {

using Catch::Matchers::Contains;

const std::string kSmall = (test::kData / "checkpoints/small/ckpt").string();
const std::string kSliced = (test::kData / "checkpoints/sliced/ckpt").string();

// A checkpoint in a session without a window.
struct OpenCheckpoint {
  explicit OpenCheckpoint(const std::string& path) {
    OpenRequest request;
    request.graph.path = path;
    viewer.shown = session.open(*find_document_kind("checkpoint"), request);
    session.wait();
  }
  CheckpointDocument& document() {
    auto* found = dynamic_cast<CheckpointDocument*>(session.find(viewer.shown)->document.get());
    REQUIRE(found != nullptr);
    return *found;
  }
  const ui::CheckpointContents& contents() {
    REQUIRE(document().contents());
    return *document().contents();
  }
  std::string row(const std::string& label) {
    for (const auto& [key, value] : contents().facts->rows) {
      if (key == label) return value;
    }
    return "no such row";
  }
  Answered run(const std::string& id, const Words& words = {}) {
    auto answer = run_action(viewer, id, words);
    session.wait();
    return answer;
  }
  std::string failure() {
    const auto error = session.journal().take_failure();
    return error ? error->message : "";
  }

  Session session;
  Viewer viewer{session};
};

std::string copy_of(const std::string& prefix, const test::TemporaryFolder& folder) {
  const std::filesystem::path from = std::filesystem::path(prefix).parent_path();
  for (const auto& file : std::filesystem::directory_iterator(from)) {
    std::filesystem::copy_file(file.path(), folder.file(file.path().filename().string()));
  }
  return folder.file("ckpt");
}

void flip_a_bit(const std::string& path, int at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(at);
  const auto byte = static_cast<char>(file.get());
  file.seekp(at);
  file.put(static_cast<char>(byte ^ 1));
}

}  // namespace

TEST_CASE("a checkpoint opens without a graph and lists its tensors", "[checkpoint_document]") {
  OpenCheckpoint open(kSliced);
  const ui::CheckpointListing& listing = *open.contents().listing;
  CHECK(listing.format == "TensorFlow checkpoint");
  CHECK(listing.files.size() == 2);
  CHECK(listing.bytes == 168);
  REQUIRE(listing.tensors.size() == 2);
  CHECK(listing.tensors[0].name == "b");
  CHECK(listing.tensors[0].checksum == "28c0c9b1");
  CHECK(listing.tensors[1].shape == "[10,4]");
  CHECK(listing.tensors[1].checksum == "2 slices");
  CHECK(listing.tree.nodes().size() == 2);
}

TEST_CASE("what cannot be opened is an error and no document", "[checkpoint_document]") {
  OpenCheckpoint open("/nowhere/ckpt");
  CHECK(open.session.documents().empty());
  CHECK_THAT(open.failure(), Contains("/nowhere/ckpt"));
}

TEST_CASE("a selected tensor has its numbers and a histogram", "[checkpoint_document]") {
  OpenCheckpoint open(kSliced);
  REQUIRE(open.run("checkpoint.select", {"w"}));
  CHECK(open.contents().selected == "w");
  REQUIRE(open.contents().facts);
  CHECK(open.row("shape") == "[10,4]");
  CHECK(open.row("NaN") == "0");
  const ui::TensorFacts& facts = *open.contents().facts;
  CHECK(facts.problem.empty());
  CHECK(std::accumulate(facts.histogram.begin(), facts.histogram.end(), std::int64_t{0}) == 40);
  CHECK_FALSE(facts.least.empty());
  const auto refused = open.run("checkpoint.select", {"x"});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kNotFound);
  CHECK(open.contents().selected == "w");
}

TEST_CASE("tensors of every type can be selected", "[checkpoint_document]") {
  OpenCheckpoint open(kSmall);
  for (const ui::StoredRow& tensor : open.contents().listing->tensors) {
    INFO(tensor.name);
    REQUIRE(open.run("checkpoint.select", {tensor.name}));
    REQUIRE(open.contents().facts);
    CHECK(open.contents().facts->problem.empty());
    CHECK(open.row("type") == tensor.type);
  }
  CHECK(open.failure().empty());
}

TEST_CASE("a checkpoint is verified, and damage is named", "[checkpoint_document]") {
  OpenCheckpoint whole(kSmall);
  REQUIRE(whole.run("checkpoint.verify"));
  REQUIRE(whole.contents().check);
  CHECK(whole.contents().check->is_whole);
  CHECK_THAT(whole.contents().check->summary, Contains("no damage"));

  const test::TemporaryFolder folder;
  const std::string prefix = copy_of(kSliced, folder);
  flip_a_bit(prefix + ".data-00000-of-00002", 97);
  OpenCheckpoint damaged(prefix);
  REQUIRE(damaged.run("checkpoint.verify"));
  REQUIRE(damaged.contents().check);
  CHECK_FALSE(damaged.contents().check->is_whole);
  REQUIRE(damaged.contents().check->damages.size() == 1);
  CHECK_THAT(damaged.contents().check->damages[0], Contains("tensor 'b'"));
  REQUIRE(damaged.run("checkpoint.select", {"b"}));
  CHECK_THAT(damaged.contents().facts->problem, Contains("checksum"));
}

TEST_CASE("two checkpoints are compared, of different formats as well", "[checkpoint_document]") {
  const test::TemporaryFolder folder;
  OpenCheckpoint open(kSliced);
  REQUIRE(open.run("checkpoint.convert", {folder.file("w.safetensors")}));
  CHECK(open.failure().empty());
  REQUIRE(open.run("checkpoint.compare", {folder.file("w.safetensors")}));
  REQUIRE(open.contents().comparison);
  CHECK(open.contents().comparison->equal == 2);
  CHECK(open.contents().comparison->different.empty());
  CHECK(open.viewer.view.checkpoint.page == ui::CheckpointPage::kComparison);

  REQUIRE(open.run("checkpoint.compare", {kSmall}));
  CHECK(open.contents().comparison->equal == 0);
  CHECK(open.contents().comparison->different.size() > 40);
  CHECK(open.contents().comparison->different[0].what.starts_with("only in the"));

  REQUIRE(open.run("checkpoint.compare", {"/nowhere"}));
  CHECK_THAT(open.failure(), Contains("/nowhere"));
  CHECK_FALSE(open.contents().comparison);
}

TEST_CASE("the selected tensor has the histogram of the other checkpoint on the same axis",
          "[checkpoint_document]") {
  const test::TemporaryFolder folder;
  OpenCheckpoint open(kSliced);
  REQUIRE(open.run("checkpoint.select", {"w"}));
  REQUIRE_FALSE(open.contents().facts->histogram.empty());
  CHECK(open.contents().facts->other_histogram.empty());
  REQUIRE(open.run("checkpoint.convert", {folder.file("w.safetensors")}));
  REQUIRE(open.run("checkpoint.compare", {folder.file("w.safetensors")}));
  CHECK(open.contents().facts->other_histogram == open.contents().facts->histogram);
  CHECK(open.contents().facts->other == folder.file("w.safetensors"));
  // One that has no such tensor.
  REQUIRE(open.run("checkpoint.compare", {kSmall}));
  CHECK(open.contents().facts->other_histogram.empty());
  CHECK_FALSE(open.contents().facts->histogram.empty());
}

TEST_CASE("what exists is replaced only on request, and never the checkpoint itself",
          "[checkpoint_document]") {
  const test::TemporaryFolder folder;
  const std::string prefix = copy_of(kSliced, folder);
  OpenCheckpoint open(prefix);
  REQUIRE(open.run("checkpoint.convert", {folder.file("copy")}));
  CHECK_FALSE(open.run("checkpoint.convert", {folder.file("copy")}));
  CHECK(open.run("checkpoint.convert", {folder.file("copy"), "force"}));
  CHECK_FALSE(open.run("checkpoint.convert", {prefix, "force"}));
}

TEST_CASE("closing ends what runs and leaves nothing", "[checkpoint_document]") {
  OpenCheckpoint open(kSmall);
  open.document().verify();
  open.session.close(open.viewer.shown);
  open.session.wait();
  CHECK(open.session.documents().empty());
}

TEST_CASE("a checkpoint stands beside a graph, each with its own view", "[checkpoint_document]") {
  Session session;
  Viewer viewer(session);
  const std::string graph = (test::kData / "graphs/mlp.meta").string();
  std::string printed;
  const ScriptOutput output = {[&](std::string_view text) { printed += text; }, {}, {}};
  const auto done = run_script(viewer,
                               "file.open " + graph + "\n" +                //
                                   "document.open checkpoint " + kSliced +  //
                                   "\nexpect tensors == 2\n"                //
                                   "expect damages == -1\n"                 //
                                   "checkpoint.verify\nexpect damages == 0\n"
                                   "document.previous\nexpect tensors == -1\n"
                                   "expect ops > 100\n"
                                   "document.next\nprint checkpoint\n",
                               "test", output);
  CHECK(done.message.empty());
  CHECK_THAT(printed, Contains("TensorFlow checkpoint, 2 tensors, 168 B in 2 files"));
}

TEST_CASE("without a checkpoint its actions say what to open", "[checkpoint_document]") {
  Session session;
  Viewer viewer(session);
  const auto refused = run_action(viewer, "checkpoint.verify", {});
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Contains("expected document.open checkpoint PATH first"));
}

}  // namespace tideline::app
