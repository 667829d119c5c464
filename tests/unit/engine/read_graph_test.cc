#include "app/engine/read_graph.h"

#include <catch2/catch.hpp>

#include "app/engine/sized_graph.h"

namespace tideline {
namespace {

const std::string kCases = std::string(TIDELINE_SOURCE_DIR) + "/tests/golden/cases/";

std::vector<std::string> said_of(const std::string& path) {
  Progress silent;
  const auto source = app::read_graph({.path = path}, silent);
  REQUIRE(source);
  CHECK((*source)->document.graph.op_count() == 9);
  return app::notices(path, (*source)->diagnostics);
}

}  // namespace

TEST_CASE("A damaged log is read up to the damage, with a notice", "[session]") {
  const std::string path = kCases + "damaged.events";
  CHECK(said_of(path) ==
        std::vector<std::string>{
            path +
            ": damaged event file; the records from there on are lost: record 3 at byte 567: the "
            "checksum of the data does not match"});
}

TEST_CASE("A truncated log is read up to the end of its last record, with a notice", "[session]") {
  const std::string path = kCases + "cut.events";
  CHECK(said_of(path) ==
        std::vector<std::string>{
            path +
            ": event file that ends inside a record: record 3 at byte 567: the data are truncated; "
            "the file is still being written, or was truncated"});
}

TEST_CASE("Information is no notice, and several notices of one kind are counted", "[session]") {
  Diagnostics diagnostics;
  diagnostics.add(Severity::kInfo, "graph chosen among several", "run 'a'");
  diagnostics.add(Severity::kNotice, "folder that cannot be read", "x/y", 3);
  CHECK(app::notices("log", diagnostics) ==
        std::vector<std::string>{"log: folder that cannot be read: x/y (and 2 more)"});
}

TEST_CASE("A log that brings graph and traced step is chosen from by one name", "[session]") {
  const std::string log = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/logs/tf1_mlp";
  Progress silent;
  const auto both = app::read_with_trace({.path = log}, log, silent);
  REQUIRE(both);
  REQUIRE(both->measured);
  CHECK(both->measured->path == log);
  CHECK(both->options().measured == &both->measured->sizes);
  CHECK_FALSE(app::read_with_trace({.path = log, .run = "nowhere"}, log, silent));
}

}  // namespace tideline
