#include "core/events/logged_trace.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "tests/unit/events/made_events.h"

namespace tideline::events {
namespace {

std::string traced(int step, std::string_view tag, std::string_view op) {
  const std::string metadata = test::encode_trace(std::string(op) + " = NoOp() | 1+1");
  return test::event(step, event::kTaggedRunMetadata, test::tagged(tag, metadata));
}

struct Log {
  test::TemporaryFolder folder;
  Diagnostics diagnostics;

  void write(const std::string& name, const std::string& bytes) {
    const std::filesystem::path path = folder.file(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  Result<OpenedTrace> open(const std::string& name = "", const std::string& run = "",
                           const std::string& tag = "") {
    Progress silent;
    return open_trace({folder.file(name), run, tag}, diagnostics, silent);
  }
};

std::string first_op(const Result<OpenedTrace>& opened) {
  if (!opened) return opened.error().message;
  return std::string(opened->trace.ops.front().name);
}

}  // namespace

TEST_CASE("of several traced steps of a run the last one is taken, and that is said") {
  Log log;
  log.write("events.out.tfevents.1", test::log_of(traced(1, "one", "a"), traced(2, "two", "b")));
  const auto opened = log.open();
  CHECK(first_op(opened) == "b");
  CHECK(opened->place == "run '.', tag 'two', step 2");
  REQUIRE(log.diagnostics.entries().size() == 1);
  CHECK(log.diagnostics.entries()[0].kind == "traced step chosen among several of the run");
}

TEST_CASE("a tag chooses a traced step, and a wrong one lists what there is") {
  Log log;
  log.write("events.out.tfevents.1", test::log_of(traced(1, "one", "a"), traced(2, "two", "b")));
  CHECK(first_op(log.open("", "", "one")) == "a");
  CHECK(first_op(log.open("events.out.tfevents.1", "", "on")) == "a");
  const auto wrong = log.open("", "", "three");
  REQUIRE(!wrong);
  CHECK(wrong.error().code == Code::kNotFound);
  CHECK(wrong.error().message.find("run '.', tag 'two', step 2") != std::string::npos);
}

TEST_CASE("traced steps of several runs need --run") {
  Log log;
  log.write("x/events.out.tfevents.1", test::log_of(traced(1, "t", "a")));
  log.write("y/events.out.tfevents.1", test::log_of(traced(1, "t", "b")));
  CHECK(log.open().error().code == Code::kInvalidArgument);
  CHECK(first_op(log.open("", "y")) == "b");
}

TEST_CASE("a run may be called by its whole name, even by one that is longer than a pattern") {
  Log log;
  const std::string name(220, 'x');
  log.write(name + "a/events.out.tfevents.1", test::log_of(traced(1, "t", "a")));
  log.write(name + "b/events.out.tfevents.1", test::log_of(traced(1, "t", "b")));
  CHECK(first_op(log.open("", name + "b")) == "b");
}

TEST_CASE("run metadata without executions are no traced step") {
  Log log;
  log.write("events.out.tfevents.1",
            test::log_of(test::event(1, event::kTaggedRunMetadata,
                                     test::tagged("t", test::field(3, test::small_graph("g"))))));
  const auto opened = log.open();
  REQUIRE(!opened);
  CHECK(opened.error().code == Code::kNotFound);
  REQUIRE(log.diagnostics.entries().size() == 1);
}

TEST_CASE("a file of run metadata is read, binary or text, and has no tags") {
  Log log;
  log.write("binary", test::encode_trace("a = NoOp() | 1+1"));
  log.write("text", test::trace_pbtxt("b = NoOp() | 1+1"));
  CHECK(first_op(log.open("binary")) == "a");
  CHECK(log.open("binary")->place.empty());
  CHECK(first_op(log.open("text")) == "b");
  CHECK(log.open("binary", "", "t").error().code == Code::kInvalidArgument);
  log.write("broken", "step_stats { what }");
  CHECK(log.open("broken").error().message.find("line 1") != std::string::npos);
}

TEST_CASE("a message names its log even when it begins like the log's name") {
  Log log;
  log.write("no/events.out.tfevents.1",
            test::log_of(test::event(1, event::kGraphDef, test::small_graph("g"))));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(log.folder.file(""));
  Progress silent;
  const auto opened = open_trace({"no", "", ""}, log.diagnostics, silent);
  std::filesystem::current_path(before);
  REQUIRE(!opened);
  CHECK(opened.error().message.starts_with("no: no traced step in this log"));
}

}  // namespace tideline::events
