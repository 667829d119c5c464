// Arguments for every action, for the tests of the table of actions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/actions/commands.h"
#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline::test {

using Args = app::Words;

// Args that do something good and, where there are any, some that must be refused.
struct Sample {
  Args good;
  std::vector<Args> bad;
};

inline const std::string kLog = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/logs/tf1_mlp";
inline const std::string kOtherLog =
    std::string(TIDELINE_SOURCE_DIR) + "/tests/data/logs/tf2_keras";

inline const std::string kCheckpoint =
    std::string(TIDELINE_SOURCE_DIR) + "/tests/data/checkpoints/sliced/ckpt";

// What a window left unwritten, of the tutorial's graph.
inline std::string unwritten_in(const TemporaryFolder& folder) {
  std::string path = folder.file("unwritten.sh");
  const std::string graph = "# restore {\"graph\":{\"path\":\"" + tutorial() + "\"}}\n";
  static_cast<void>(write_file(path, graph, true));
  return path;
}

inline std::string session_in(const TemporaryFolder& folder) {
  std::string path = folder.file("old.tideline");
  static_cast<void>(write_file(path, "view.tab memory\n", true));
  return path;
}

// A traced step of the tutorial's graph; written when it is not there.
inline std::string trace_in(const TemporaryFolder& folder) {
  std::string path = folder.file("step.pbtxt");
  static_cast<void>(
      write_file(path, trace_pbtxt("fc1/Relu = Relu(x) | 100+50 | 0:1024&1#1 | +1024@110"), true));
  return path;
}

inline std::map<std::string_view, Sample> checkpoint_samples(const TemporaryFolder& folder) {
  return {
      {"checkpoint.select", {{"w"}, {{}, {"nothing"}, {"w", "x"}}}},
      {"checkpoint.compare", {{kCheckpoint}, {{}, {kCheckpoint, "x"}}}},
      {"checkpoint.convert",
       {{folder.file("copy")}, {{}, {folder.file("a"), "x"}, {kCheckpoint, "force"}}}},
  };
}

inline const std::string kLesson =
    std::string(TIDELINE_SOURCE_DIR) + "/assets/tutorials/lessons/01_levels.lesson";

inline std::map<std::string_view, Sample> lesson_samples() {
  return {
      {"lesson.start", {{"levels"}, {{}, {"nothing"}, {"levels", "x"}}}},
      {"lesson.open", {{kLesson}, {{}, {kLesson, "x"}, {"nowhere.lesson"}}}},
      {"lesson.guess", {{"12"}, {{}, {"1", "2"}}}},
  };
}

inline std::map<std::string_view, Sample> log_samples(const TemporaryFolder& folder) {
  return {
      {"log.add-dialog", {{}, {{"x"}}}},
      {"log.add", {{kOtherLog}, {{}, {kOtherLog, "x"}}}},
      {"log.remove", {{"tf2_keras"}, {{}, {"nothing"}, {"tf2_keras", "x"}}}},
      {"log.text", {{"raw"}, {{}, {"html"}}}},
      {"log.open-graph", {{".", "__run_graph__"}, {{}, {"."}, {".", "none"}, {"x", "none"}}}},
      {"log.open-trace", {{".", "step024"}, {{}, {"."}, {".", "none"}, {"x", "step024"}}}},
      {"log.page", {{"images"}, {{}, {"audio"}}}},
      {"log.step", {{"12"}, {{"-1"}, {"last"}}}},
      {"log.axis", {{"wall"}, {{}, {"time"}}}},
      {"log.outliers", {{"hide"}, {{}, {"none"}}}},
      {"log.write-chart", {{folder.file("chart.csv")}, {{}, {"a.csv", "x"}}}},
      {"log.width", {{"full"}, {{}, {"half"}}}},
      {"log.enlarge", {{}, {{"nothing"}, {"a", "b"}}}},
      {"log.smoothing", {{"0.9"}, {{}, {"1"}, {"-1"}}}},
      {"log.runs", {{"hide", "."}, {{}, {"none"}, {"show", "nothing"}, {"show", ".", "x"}}}},
      {"log.filter", {{"tags", "loss"}, {{}, {"steps"}, {"tags", "loss", "x"}}}},
  };
}

inline std::map<std::string_view, Sample> fit_samples() {
  return {{"graph.fit", {{}, {{"x"}}}},
          {"graph.copy-way", {{"1"}, {{}, {"0"}, {"99"}, {"LMS v2"}}}}};
}

inline std::map<std::string_view, Sample> player_samples() {
  return {{"player.play", {{}, {{"x"}}}},
          {"player.at", {{"45.5"}, {{}, {"94"}, {"-1"}, {"x"}}}},
          {"player.speed", {{"8"}, {{}, {"0"}, {"1001"}, {"fast"}}}},
          {"player.leave", {{}, {{"x"}}}},
          {"levels.select", {{"3", "9", "limit"}, {{}, {"9", "3"}, {"3", "94"}, {"3", "x"}}}},
          {"levels.clear", {{}, {{"x"}}}}};
}

inline std::map<std::string_view, Sample> scopes_samples() {
  return {
      {"scope.expand", {{"fc1"}, {{}, {"nowhere"}, {"fc1/Relu"}}}},
      {"scope.collapse", {{"fc1"}, {{}, {"nowhere"}}}},
      {"scope.toggle", {{"fc1"}, {{}, {"nowhere"}}}},
      {"scope.pick", {{"fc1"}, {{}, {"nowhere"}}}},
      {"scope.color", {{"memory"}, {{}, {"rainbow"}}}},
      {"scope.direction", {{"vertical"}, {{}, {"diagonal"}}}},
      {"scope.aside", {{"on", "fc1"}, {{}, {"on", "nowhere"}, {"left", "fc1"}}}},
      {"scope.loop", {{"outer/while_context"}, {{"nowhere"}}}},
      {"scope.enter", {{"outer/inner/Enter"}, {{"nowhere"}, {"save"}, {"save/Const", "f"}}}},
      {"scope.leave", {{"all"}, {{"x"}}}},
      {"scope.trace", {{"3"}, {{}, {"0"}, {"101"}, {"far"}}}},
  };
}

inline std::map<std::string_view, Sample> bookmark_samples() {
  return {
      {"bookmark.keep", {{"next"}, {{}, {"0"}, {"10"}}}},
      {"bookmark.put", {{"1", "memory step 3 20", "fc1/Relu"}, {{}, {"1"}, {"1", "nowhere"}}}},
      {"bookmark.go", {{"1"}, {{}, {"9"}, {"x"}}}},
      {"bookmark.drop", {{"1"}, {{}, {"9"}}}},
  };
}

inline std::map<std::string_view, Sample> diff_samples() {
  return {
      {"diff.of", {{"original", "current"}, {{}, {"original"}, {"A", "current"}}}},
      {"diff.file", {{tutorial()}, {{}, {tutorial(), "x"}}}},
      {"diff.remember", {{"A"}, {{}, {"C"}}}},
      {"diff.expand", {{"*"}, {{}, {"nowhere"}}}},
      {"diff.collapse", {{"*"}, {{}, {"nowhere"}}}},
      {"diff.toggle", {{"lms"}, {{}, {"nowhere"}}}},
      {"diff.pick", {{"fc1/Relu"}, {{}, {"nowhere"}}}},
      {"diff.overlay", {{"on"}, {{}, {"maybe"}}}},
      {"diff.scroll", {{"tree", "3"}, {{}, {"tree"}, {"list", "3"}, {"text", "far"}}}},
  };
}

inline std::map<std::string_view, Sample> write_samples(const TemporaryFolder& folder) {
  return {
      {"file.write-dialog", {{}, {{"csv"}, {"log", "x"}}}},
      {"file.write", {{folder.file("a.pb")}, {{}, {"a.pb", "maybe"}}}},
      {"file.write-log", {{folder.file("log")}, {{}, {"log", "Force"}}}},
      {"file.write-picture",
       {{"a.svg", "levels", "force"}, {{}, {"a.svg", "swaps"}, {"a.svg", "levels", "x"}}}},
      {"file.write-csv", {{folder.file("a.csv")}, {{}, {"a.csv", "x"}}}},
      {"file.write-report", {{folder.file("a.html")}, {{}, {"a.html", "x"}}}},
      {"file.write-plan", {{folder.file("a.json"), "force"}, {{}, {"a.json", "x"}}}},
  };
}

// These take no arguments.
constexpr std::string_view kTakeNothing[] = {"checkpoint.open-dialog",
                                             "view.font-dialog",
                                             "diff.file-dialog",
                                             "checkpoint.verify",
                                             "checkpoint.compare-dialog",
                                             "checkpoint.convert-dialog",
                                             "checkpoint.backends",
                                             "lesson.open-dialog",
                                             "lesson.next",
                                             "lesson.back",
                                             "lesson.show",
                                             "lesson.hint",
                                             "lesson.reset",
                                             "lesson.end",
                                             "log.open-dialog",
                                             "file.open-dialog",
                                             "measure.open-dialog",
                                             "measure.close",
                                             "file.reload",
                                             "file.close",
                                             "document.next",
                                             "document.previous",
                                             "session.keep",
                                             "file.forget-unwritten",
                                             "edit.undo",
                                             "edit.redo",
                                             "edit.copy-command-line",
                                             "edit.copy-python",
                                             "policy.tune",
                                             "policy.reset",
                                             "policy.revert",
                                             "scope.clear",
                                             "tensor.keep-idle",
                                             "job.cancel",
                                             "view.fit",
                                             "view.fit-selection",
                                             "timeline.clear",
                                             "select.next-swap",
                                             "select.previous-swap",
                                             "select.back",
                                             "select.forward",
                                             "select.clear",
                                             "search.open",
                                             "search.next",
                                             "help.palette",
                                             "help.keys",
                                             "help.messages",
                                             "help.about"};

inline std::map<std::string_view, Sample> samples(const TemporaryFolder& folder) {
  return {
      {"file.open", {{tutorial()}, {{}, {"a", "b", "c"}}}},
      {"file.open-sample", {{}, {{"a"}}}},
      {"file.drop", {{tutorial()}, {{}, {"a", "b"}}}},
      {"measure.open", {{trace_in(folder)}, {{}, {"a", "b", "c", "d"}}}},
      {"file.browse", {{folder.file("")}, {{}}}},
      {"document.open", {{"log", kLog}, {{}, {"log"}, {"picture", kLog}, {"log", kLog, "x"}}}},
      {"document.show", {{"1"}, {{}, {"0"}, {"9"}, {"first"}}}},
      {"document.close", {{"1"}, {{"0"}, {"9"}, {"1", "2"}}}},
      {"session.take-up", {{session_in(folder)}, {{"nowhere.tideline"}, {"a", "b"}}}},
      {"session.save", {{folder.file("new.tideline")}, {{}, {"a", "b"}}}},
      {"file.restore", {{unwritten_in(folder)}, {{"nowhere.sh"}, {"a", "b"}}}},
      {"file.quit", {{}, {{"x"}, {"now", "x"}}}},
      {"policy.mode", {{"off"}, {{}, {"lms3"}}}},
      {"policy.choose", {{"off"}, {{}, {"lms3"}}}},
      {"policy.set",
       {{"swapin-ahead", "4"},
        {{}, {"swapin-ahead"}, {"ahead", "4"}, {"swapin-ahead", "0"}, {"sync-mode", "9"}}}},
      {"policy.auto", {{"on"}, {{}, {"yes"}}}},
      {"policy.take-tried", {{"1"}, {{}, {"0"}, {"9999"}, {"x"}}}},
      {"scope.set", {{"fc1", "only"}, {{}, {"fc1"}, {"fc1", "yes"}, {"", "never"}}}},
      {"tensor.keep", {{"fc1/Relu:0"}, {{}, {"nowhere:0"}, {"fc1/Relu:9"}}}},
      {"tensor.swap", {{"fc1/Relu"}, {{}, {"nowhere"}}}},
      {"tensor.ahead", {{"fc1/Relu", "7"}, {{}, {"fc1/Relu"}, {"x", "7"}, {"fc1/Relu", "0"}}}},
      {"tensor.auto", {{"fc1/Relu:0"}, {{}, {""}}}},
      {"graph.batch-size", {{"64"}, {{}, {"0"}, {"many"}, {"1e3"}}}},
      {"graph.shape", {{"Placeholder=8x784"}, {{}, {"Placeholder"}, {"=3"}, {"a=bxc"}}}},
      {"graph.rounds", {{"loop="}, {{}, {"loop"}, {"=3"}, {"loop=0"}, {"loop=x"}}}},
      {"graph.inline", {{"on"}, {{}, {"yes"}}}},
      {"graph.branch", {{"cond", "larger"}, {{}, {"cond"}, {"cond", "maybe"}, {"", "true"}}}},
      {"graph.as-run",
       {{"modelled", "gpu"}, {{}, {"exactly"}, {"modelled", "tpu"}, {"off", "cpu"}}}},
      {"profile.set", {{"nvlink"}, {{}, {"abacus"}}}},
      {"view.tab", {{"memory"}, {{}, {"map"}}}},
      {"view.theme", {{"light"}, {{}, {"neon"}}}},
      {"view.zoom", {{"2", "40"}, {{}, {"0"}, {"-1"}, {"x"}, {"2", "x"}, {"1e99"}, {"nan"}}}},
      {"view.pan", {{"-5"}, {{}, {"left"}, {"%"}}}},
      {"view.range", {{"10", "20"}, {{}, {"10"}, {"20", "10"}, {"-1", "5"}, {"a", "b"}}}},
      {"view.rows", {{"4", "0.5"}, {{}, {"0.5"}, {"65"}, {"2", "1.1"}, {"2", "x"}}}},
      {"timeline.select", {{"0.1", "0.2"}, {{}, {"0.1"}, {"0.2", "0.1"}, {"a", "b"}}}},
      {"view.axis", {{"step"}, {{}, {"times"}}}},
      {"view.color", {{"memory"}, {{}, {"rainbow"}}}},
      {"view.detail", {{"0.75"}, {{}, {"2"}, {"-0.1"}, {"high"}}}},
      {"view.device", {{"0"}, {{}, {"1"}, {"-1"}, {"gpu"}}}},
      {"view.toggle", {{"candidates"}, {{}, {"middle"}}}},
      {"view.font",
       {{"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"}, {{}, {"/nowhere.ttf"}, {"."}}}},
      {"view.layout", {{"teach"}, {{}, {"wide"}}}},
      {"view.font-size", {{"+1"}, {{}, {"0"}, {"100"}, {"big"}}}},
      {"select.op", {{"fc1/Relu"}, {{}, {"nowhere"}, {"fc1/Relu:7"}}}},
      {"search.find", {{"op:MatMul"}, {{}, {"no such thing at all"}}}},
  };
}

// By the id of the action: one for each in the table.
inline std::map<std::string_view, Sample> action_samples(const TemporaryFolder& folder) {
  auto all = samples(folder);
  for (const std::string_view id : kTakeNothing) all.emplace(id, Sample{{}, {{"x"}}});
  all.merge(checkpoint_samples(folder));
  all.merge(fit_samples());
  all.merge(player_samples());
  all.merge(scopes_samples());
  all.merge(bookmark_samples());
  all.merge(diff_samples());
  all.merge(write_samples(folder));
  all.merge(log_samples(folder));
  all.merge(lesson_samples());
  return all;
}

}  // namespace tideline::test
