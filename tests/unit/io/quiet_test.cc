#include <google/protobuf/stubs/logging.h>

#include <catch2/catch.hpp>
#include <string>

#include "core/io/document.h"
#include "core/io/text_format.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

int logged = 0;

void count(google::protobuf::LogLevel, const char*, int, const std::string&) {
  ++logged;
}

// Counts what the library would write to stderr.
class Counted {
 public:
  Counted() : previous_(google::protobuf::SetLogHandler(count)) { logged = 0; }
  ~Counted() { google::protobuf::SetLogHandler(previous_); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  google::protobuf::LogHandler* previous_;
};

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

TEST_CASE("nothing is logged about a variable whose name is not UTF-8", "[io]") {
  const Counted counted;
  const std::string variables = field(2, field(1, field(1, "\xff")) + field(1, field(1, "v:0")));
  const std::string collection =
      field(map_entry::kKey, "variables") + field(map_entry::kValue, variables);
  const std::string graph = field(1, field(1, "a") + field(2, "NoOp"));
  Progress silent;
  const auto document = read_document(
      "g.meta", own_bytes(field(2, graph) + field(meta_graph_def::kCollection, collection)),
      silent);
  REQUIRE(document);
  CHECK(document->collections.entries.at("variables").count == 2);
  CHECK(logged == 0);
}

TEST_CASE("nothing is logged about text with a string that is not UTF-8", "[io][text]") {
  const Counted counted;
  const auto wire = text_to_wire("name: \"\\377\"", MessageKind::kNodeDef);
  REQUIRE(wire);  // it is refused where it is read as a message
  CHECK_FALSE(wire_to_text(*wire, MessageKind::kNodeDef, 0));
  CHECK_FALSE(wire_to_text(field(node_def::kName, "\xff"), MessageKind::kNodeDef, 0));
  CHECK(logged == 0);
}

}  // namespace
}  // namespace tideline::io
