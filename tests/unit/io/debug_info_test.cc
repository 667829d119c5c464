#include "core/io/debug_info.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/output_file.h"
#include "core/io/functions.h"
#include "core/io/saved_model.h"
#include "core/io/text_format.h"
#include "tests/support/temporary_folder.h"

namespace tideline::io {
namespace {

const std::string kFolder = TIDELINE_SOURCE_DIR "/tests/data/saved_models/lines";
const std::string kFile = kFolder + "/debug/saved_model_debug_info.pb";

constexpr std::string_view kFrames = R"(
files: "/home/ann/model.py"
files: "/x/site-packages/tensorflow/python/ops.py"
frames_by_id { key: 5 value { file_index: 0 line: 3 func: "<module>" } }
frames_by_id { key: 6 value { file_index: 0 line: 14 func: "step" } }
frames_by_id { key: 7 value { file_index: 1 line: 99 func: "create_op" } }
traces_by_id { key: 1 value { frame_id: 5 frame_id: 6 frame_id: 7 } }
traces_by_id { key: 2 value { frame_id: 7 } }
name_to_trace_id { key: "a" value: 1 }
name_to_trace_id { key: "b@" value: 1 }
name_to_trace_id { key: "c@f" value: 1 }
name_to_trace_id { key: "inside" value: 2 }
)";
// As TensorFlow wrote it before 2.14.
constexpr std::string_view kTraces = R"(
files: "/home/ann/model.py"
files: "/x/site-packages/tensorflow/python/ops.py"
traces { key: "a" value {
  file_line_cols { file_index: 0 line: 3 }
  file_line_cols { file_index: 0 line: 14 func: "step" }
  file_line_cols { file_index: 1 line: 99 } } }
)";

std::string line_of(const DebugInfo& info, const std::string& key) {
  const auto found = info.line_of.find(key);
  return found == info.line_of.end() ? "" : line_in_function(info.lines.at(found->second));
}

std::string problem(std::string_view bytes) {
  const auto info = decode_debug_info(bytes);
  REQUIRE_FALSE(info);
  CHECK(info.error().code == Code::kCorrupt);
  return info.error().message;
}

}  // namespace

TEST_CASE(
    "the innermost line outside of libraries counts, in shared frames and in frames of each "
    "trace",
    "[io]") {
  const auto shared = decode_debug_info(kFrames);
  REQUIRE(shared);
  CHECK(line_of(*shared, "a") == "model.py:14, in step");
  CHECK(line_of(*shared, "b") == "model.py:14, in step");
  CHECK(line_of(*shared, "c@f") == "model.py:14, in step");
  CHECK(shared->line_of.count("inside") == 0);
  CHECK(shared->lines.size() == 1);
  const auto traces = decode_debug_info(kTraces);
  REQUIRE(traces);
  CHECK(line_of(*traces, "a") == "model.py:14, in step");
}

TEST_CASE("what TensorFlow saves is read from the folder of the SavedModel", "[io]") {
  Progress silent;
  const auto document = read_saved_model(kFolder, silent);
  REQUIRE(document);
  CHECK(debug_info_beside(*document) == kFile);
  const auto info = read_debug_info(kFile);
  REQUIRE(info);
  std::size_t in_step = 0;
  for (const auto& [key, line] : info->line_of) {
    if (key.find("@__inference_step_") == std::string::npos) continue;
    ++in_step;
    CHECK(info->lines.at(line).file == "/home/ann/make_lines.py");
  }
  CHECK(in_step > 20);
}

TEST_CASE("text and bytes say the same", "[io]") {
  const auto wire =
      text_to_wire("debug_info {" + std::string(kFrames) + "}", MessageKind::kGraphDef);
  REQUIRE(wire);
  // A tag, and a length of two bytes.
  const auto info = decode_debug_info(std::string_view(*wire).substr(3));
  REQUIRE(info);
  CHECK(line_of(*info, "a") == "model.py:14, in step");
}

TEST_CASE("damaged debug information is refused with the field", "[io]") {
  CHECK(problem("traces { key: 'a' value { file_line_cols { file_index: 3 line: 1 } } }") ==
        "traces['a']: file_index 3 is of no file; expected one below 0");
  CHECK(problem("files: 'm.py' traces { key: 'a' value { file_line_cols { line: -1 } } }") ==
        "traces['a']: line -1; expected one from 0 on");
  CHECK(problem("files: 'm.py' traces_by_id { key: 4 value { frame_id: 9 } }") ==
        "traces_by_id[4]: there is no frame 9; expected one of frames_by_id");
  CHECK(problem("files: 'm.py' name_to_trace_id { key: 'a' value: 8 }") ==
        "name_to_trace_id['a']: there is no trace 8; expected one of traces_by_id");
  CHECK(problem("frames_by_id { key: 4 value { file_index: -1 } }") ==
        "frames_by_id[4]: file_index -1 is of no file; expected one below 0");
  CHECK(problem("files { }").find("line 1") != std::string::npos);
  CHECK(problem("\x0a\x7f short").find("field 'files' is 127 bytes long") != std::string::npos);
  CHECK_FALSE(problem("not a message").empty());
}

TEST_CASE("a file that is cut anywhere is refused or read, and never more is found in it", "[io]") {
  const auto whole = read_debug_info(kFile);
  REQUIRE(whole);
  const auto bytes = open_bytes(kFile);
  REQUIRE(bytes);
  for (std::size_t size = 0; size < (*bytes)->bytes().size(); size += 7) {
    const auto info = decode_debug_info((*bytes)->bytes().substr(0, size));
    if (info) CHECK(info->line_of.size() <= whole->line_of.size());
  }
}

TEST_CASE("the field of a graph is found, also around the body of a function", "[io]") {
  const auto wire = text_to_wire(
      "node { name: 'a' op: 'NoOp' }"
      "library { function { signature { name: 'f' } attr { key: 'x' value { i: 1 } }"
      "                     node_def { name: 'b' op: 'NoOp' } } }"
      "debug_info { files: 'm.py' traces { key: 'a' value { file_line_cols { line: 4 } } }"
      "             traces { key: 'b@f' value { file_line_cols { line: 5 } } } }",
      MessageKind::kGraphDef);
  REQUIRE(wire);
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("g.pb"), *wire, true));
  Progress silent;
  const auto graph = read_document(folder.file("g.pb"), silent);
  REQUIRE(graph);
  const auto body = open_function(*graph, "f", Cycles::kRefuse);
  REQUIRE(body);
  for (const Document* document : {&*graph, &*body}) {
    const auto info = decode_debug_info(debug_info_inside(*document));
    REQUIRE(info);
    CHECK(line_of(*info, "a") == "m.py:4");
    CHECK(line_of(*info, "b@f") == "m.py:5");
  }
}

TEST_CASE("nothing is no debug information, and a file's name leads to what lies beside it",
          "[io]") {
  const auto empty = decode_debug_info("");
  REQUIRE(empty);
  CHECK(empty->line_of.empty());
  const test::TemporaryFolder folder;
  Document document;
  document.path = folder.file("g.pb");
  CHECK(debug_info_beside(document).empty());
  REQUIRE(write_file(folder.file("g.pb.debug_info.pb"), kTraces, true));
  CHECK(debug_info_beside(document) == folder.file("g.pb.debug_info.pb"));
  document.path = folder.file("other.pb");
  std::filesystem::create_symlink(kFile, folder.file("other.pb.debug_info.pb"));
  CHECK(debug_info_beside(document).empty());
  const auto missing = read_debug_info(folder.file("nothing.pb"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == Code::kNotFound);
}

}  // namespace tideline::io
