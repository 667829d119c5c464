#include "core/events/graph_log.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "core/events/logged_graphs.h"
#include "core/io/write_document.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The log of a graph and of another one, which stands for what became of it.
Status write_log(const std::string& folder, bool replace, const io::Document& document) {
  Progress silent;
  TIDELINE_TRY(GraphLog log, GraphLog::write(folder, replace, document, document.graph, silent));
  std::vector<PendingOutput*> files;
  for (OutputFile& file : log.files()) files.push_back(&file);
  return commit_together(files);
}

io::Document two_ops() {
  return test::read_graph("a = Const() f32[2]\nb = Relu(a) f32[2]\n");
}

std::string name(const test::TemporaryFolder& folder, const char* run) {
  return folder.file(std::string("log/") + run + "/events.out.tfevents.0000000001.tideline");
}

}  // namespace

TEST_CASE("a log has the graphs before and after as two runs") {
  const test::TemporaryFolder folder;
  const io::Document document = two_ops();
  REQUIRE(write_log(folder.file("log"), false, document));
  Diagnostics diagnostics;
  Progress silent;
  const auto graphs = list_graphs(folder.file("log"), diagnostics, silent);
  REQUIRE(graphs);
  REQUIRE(graphs->size() == 2);
  CHECK((*graphs)[0].run == "original");
  CHECK((*graphs)[1].run == "rewritten");
  CHECK((*graphs)[1].source == GraphSource::kGraphDef);
  CHECK((*graphs)[1].wall_time == 1.0);
  CHECK((*graphs)[0].bytes->bytes() == document.graph_bytes);
  CHECK(diagnostics.entries().empty());
  CHECK(GraphLog::paths(folder.file("log")) ==
        std::vector<std::string>{name(folder, "original"), name(folder, "rewritten")});
}

TEST_CASE("the same graphs give the same log, byte for byte") {
  const test::TemporaryFolder folder;
  REQUIRE(write_log(folder.file("log"), false, two_ops()));
  REQUIRE(write_log(folder.file("log2"), false, two_ops()));
  CHECK(content(name(folder, "original")) ==
        content(folder.file("log2/original/events.out.tfevents.0000000001.tideline")));
}

TEST_CASE("a log that is given up leaves nothing, new folders neither") {
  const test::TemporaryFolder folder;
  const io::Document document = two_ops();
  {
    Progress silent;
    auto log = GraphLog::write(folder.file("deep/er/log"), false, document, document.graph, silent);
    REQUIRE(log);
    CHECK(log->files().size() == 2);
    CHECK(fs::exists(folder.file("deep/er/log/rewritten")));
  }
  CHECK(folder.entries() == 0);
}

TEST_CASE("folders that were there, and files of others, stay") {
  const test::TemporaryFolder folder;
  fs::create_directories(folder.file("log/original"));
  std::ofstream(folder.file("log/original/notes.txt")) << "mine";
  {
    const io::Document document = two_ops();
    Progress silent;
    const auto log = GraphLog::write(folder.file("log"), false, document, document.graph, silent);
    REQUIRE(log);
  }
  CHECK(fs::exists(folder.file("log/original/notes.txt")));
  CHECK_FALSE(fs::exists(folder.file("log/rewritten")));
  REQUIRE(write_log(folder.file("log"), false, two_ops()));
  CHECK(content(folder.file("log/original/notes.txt")) == "mine");
}

TEST_CASE("a log of ours is replaced only on request") {
  const test::TemporaryFolder folder;
  REQUIRE(write_log(folder.file("log"), false, two_ops()));
  const std::string before = content(name(folder, "original"));
  const io::Document other = test::read_graph("c = NoOp()\n");
  const Status refused = write_log(folder.file("log"), false, other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        name(folder, "original") + ": exists; give {force} to replace it");
  CHECK(content(name(folder, "original")) == before);
  REQUIRE(write_log(folder.file("log"), true, other));
  CHECK(content(name(folder, "original")) != before);
}

TEST_CASE("an event file of others in a run's folder is refused, whatever is asked") {
  const test::TemporaryFolder folder;
  fs::create_directories(folder.file("log/rewritten"));
  const std::string theirs = folder.file("log/rewritten/events.out.tfevents.1795247303.vm");
  std::ofstream(theirs) << "x";
  for (const bool replace : {false, true}) {
    const Status refused = GraphLog::check(folder.file("log"), replace);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find(theirs + ": contains an event file of another program") ==
          0);
  }
  CHECK(content(theirs) == "x");
}

TEST_CASE("a file in the place of a folder is refused") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "x";
  CHECK_FALSE(GraphLog::check(folder.file("file"), true));
  CHECK_FALSE(GraphLog::check("", true));
  fs::create_directories(folder.file("log"));
  std::ofstream(folder.file("log/original")) << "x";
  CHECK_FALSE(GraphLog::check(folder.file("log"), true));
  const io::Document document = two_ops();
  CHECK_FALSE(write_log(folder.file("file/below"), true, document));
}

}  // namespace tideline::events
