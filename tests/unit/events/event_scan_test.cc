#include "core/events/event_scan.h"

#include <catch2/catch.hpp>

#include "tests/unit/events/made_events.h"

namespace tideline::events {

TEST_CASE("an event tells its time, its step and what it carries") {
  const std::string bytes = test::event(7, event::kGraphDef, "abc");
  const auto found = scan_event(bytes);
  REQUIRE(found);
  CHECK(found->wall_time == 1.0);
  CHECK(found->step == 7);
  CHECK(found->kind == EventKind::kGraphDef);
  CHECK(found->content == "abc");
  CHECK(found->content.data() == bytes.data() + 13);  // a view, not a copy
}

TEST_CASE("every kind of event is told by its field") {
  const auto kind = [](std::uint32_t number, std::string_view content) {
    const auto found = scan_event(test::event(0, number, content));
    return found ? found->kind : EventKind::kNothing;
  };
  CHECK(kind(event::kFileVersion, "brain.Event:2") == EventKind::kFileVersion);
  CHECK(kind(event::kMetaGraphDef, "x") == EventKind::kMetaGraphDef);
  CHECK(kind(event::kSummary, "") == EventKind::kSummary);
  CHECK(kind(event::kTaggedRunMetadata, test::tagged("t", "x")) == EventKind::kRunMetadata);
  CHECK(kind(event::kLogMessage, "") == EventKind::kLogMessage);
  CHECK(kind(event::kSessionLog, "") == EventKind::kSessionLog);
  CHECK(kind(77, "unknown") == EventKind::kNothing);
}

TEST_CASE("of several members of an event the last one counts") {
  const std::string bytes =
      test::event(0, event::kGraphDef, "a") + test::field(event::kMetaGraphDef, "b");
  const auto found = scan_event(bytes);
  REQUIRE(found);
  CHECK(found->kind == EventKind::kMetaGraphDef);
  CHECK(found->content == "b");
}

TEST_CASE("an empty record is an event of nothing") {
  const auto found = scan_event("");
  REQUIRE(found);
  CHECK(found->kind == EventKind::kNothing);
}

TEST_CASE("bytes that are no event are refused with the place") {
  const auto cut =
      scan_event(std::string("\x22\x05"
                             "abc"));
  REQUIRE_FALSE(cut);
  CHECK(cut.error().code == Code::kCorrupt);
  CHECK(cut.error().message.find("byte 1 of the data: field 'graph_def' is 5 bytes long") == 0);
  // The name of a file version is text.
  CHECK_FALSE(scan_event(test::event(0, event::kFileVersion, "\xff")));
  // Damage deep inside a summary is seen, inside a graph it is left to whoever opens it.
  CHECK_FALSE(scan_event(test::event(0, event::kSummary, test::field(1, "\x0a\x7f"))));
  CHECK(scan_event(test::event(0, event::kGraphDef, "\x0a\x7f")));
}

TEST_CASE("run metadata come with their tag") {
  const std::string content = test::tagged("step000", "bytes");
  CHECK(tagged_run_metadata(content).tag == "step000");
  CHECK(tagged_run_metadata(content).bytes == "bytes");
  CHECK(tagged_run_metadata("").tag.empty());
}

TEST_CASE("values of a summary come one by one, with tag, plugin and text") {
  const std::string content = test::summary("a", "graph_run_metadata", "x") +
                              test::field(9, "other") + test::summary("b", "", "y");
  SummaryReader reader(content);
  SummaryValue value;
  REQUIRE(reader.next(value));
  CHECK(value.tag == "a");
  CHECK(value.plugin == "graph_run_metadata");
  CHECK(value.text == "x");
  REQUIRE(reader.next(value));
  CHECK(value.tag == "b");
  CHECK(value.plugin.empty());
  CHECK(value.text == "y");
  CHECK_FALSE(reader.next(value));
}

}  // namespace tideline::events
