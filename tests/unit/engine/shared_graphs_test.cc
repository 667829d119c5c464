#include "app/engine/shared_graphs.h"

#include <filesystem>

#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using test::TemporaryFolder;

std::shared_ptr<const app::OpenedGraph> open_from(app::SharedGraphs& shared,
                                                  const app::OpenRequest& request) {
  Progress progress;
  auto opened = shared.open(request, progress);
  INFO((opened ? "" : opened.error().message));
  REQUIRE(opened);
  return *opened;
}

}  // namespace

TEST_CASE("Equal requests share all of a graph, other sizes what was read", "[shared_graphs]") {
  app::SharedGraphs shared;
  const app::OpenRequest plain{.graph = {.path = test::tutorial()}};
  app::OpenRequest batch = plain;
  batch.batch_size = 12;
  const auto first = open_from(shared, plain);
  CHECK(open_from(shared, plain) == first);
  const auto other = open_from(shared, batch);
  CHECK(other != first);
  CHECK(other->file == first->file);
  CHECK(other->tensors.batch_size() == 12);
  CHECK(open_from(shared, batch) == other);
}

TEST_CASE("Nothing is kept that nobody has open, and errors stay errors", "[shared_graphs]") {
  app::SharedGraphs shared;
  const app::OpenRequest plain{.graph = {.path = test::tutorial()}};
  std::weak_ptr<const app::GraphFile> file = open_from(shared, plain)->file;
  CHECK(file.expired());
  Progress progress;
  const auto missing = shared.open({.graph = {.path = "/nowhere/x.pb"}}, progress);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == Code::kNotFound);
}

TEST_CASE("A file that changed is read again", "[shared_graphs]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("graph.meta");
  std::filesystem::copy_file(test::tutorial(), path);
  app::SharedGraphs shared;
  const auto first = open_from(shared, {.graph = {.path = path}});
  REQUIRE(write_file(path, test::content_of(test::graph_file("mlp.meta")), true));
  const auto second = open_from(shared, {.graph = {.path = path}});
  CHECK(second->file != first->file);
  CHECK(second->graph().op_count() != first->graph().op_count());
}

TEST_CASE("Sessions with the same collection of graphs share a file", "[shared_graphs]") {
  const auto shared = std::make_shared<app::SharedGraphs>();
  app::Session one({}, shared), other({}, shared);
  app::Viewer first(one), second(other);
  test::open_tutorial(first, 50);
  test::open_tutorial(second);
  CHECK(first.graph().snapshot()->graph->file == second.graph().snapshot()->graph->file);
  CHECK(first.graph().wish().policy.rewriter != second.graph().wish().policy.rewriter);
}

}  // namespace tideline
