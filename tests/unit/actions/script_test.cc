#include "app/actions/script.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "app/actions/commands.h"
#include "app/actions/quantities.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::ScriptResult;
using app::split_words;
using app::Viewer;
using test::Desk;

using Words = std::vector<std::string>;

struct Run {
  ScriptResult result;
  std::string printed;
  std::vector<std::string> noticed;  // paths of the graphs whose reading was told
  std::vector<Warning> warnings;
};

Run run(Viewer& viewer, const std::string& text) {
  Run run;
  run.result = app::run_script(
      viewer, text, "s.txt",
      {[&](std::string_view out) { run.printed += out; },
       [&](const app::ReadGraph& source) { run.noticed.push_back(source.document.path); },
       [&](const Warning& warning) { run.warnings.push_back(warning); }});
  return run;
}

Run run(const std::string& text) {
  Desk viewer;
  test::open_tutorial(viewer, 50);
  return run(viewer, text);
}

}  // namespace

TEST_CASE("A line is cut into words as a person expects", "[session]") {
  CHECK(*split_words("  a  b\tc\r") == Words{"a", "b", "c"});
  CHECK(*split_words("a 'b c' \"d \\\" e\"") == Words{"a", "b c", "d \" e"});
  CHECK(*split_words("a '' #1") == Words{"a", "", "#1"});
  CHECK(*split_words("a'b c'd") == Words{"ab cd"});
  CHECK(*split_words("  # comment 'open") == Words{});
  CHECK(*split_words("") == Words{});
  CHECK_FALSE(split_words("a 'b"));
  CHECK_FALSE(split_words("a \"b\\\""));
}

TEST_CASE("A script of a log needs no graph, and opens that of the log where it needs one",
          "[session]") {
  const std::string logs = TIDELINE_SOURCE_DIR "/tests/data/";
  const auto run_on = [](const std::string& path, const std::string& text) {
    Desk viewer;
    app::open_document(viewer, app::kind_of_path(path), {.graph = {.path = path}});
    test::settle(viewer);
    return run(viewer, text);
  };
  const std::string log_lines = "log.page histograms\nlog.smoothing 0.5\nexpect documents == 1\n";
  for (const char* log : {"foreign/logs/interleaved_writers", "logs/tf1_mlp", "logs/tf2_keras"}) {
    const Run done = run_on(logs + log, log_lines);
    CHECK(done.result.message.empty());
    CHECK(done.result.exit_code == 0);
  }
  const Run graph = run_on(logs + "logs/tf1_mlp",
                           "log.page graphs\nexpect ops > 10\nexpect documents == 2\n"
                           "document.show 1\nlog.page scalars\nprint result\n");
  CHECK(graph.result.message.empty());
  CHECK(graph.printed.starts_with("policy off\n"));
  CHECK(graph.noticed.size() == 1);
  const Run axis = run_on(logs + "logs/tf1_mlp", "view.axis measured\nprint result\n");
  CHECK(axis.result.message.empty());
  CHECK(axis.printed.find("measured peak") != std::string::npos);
  const Run none = run_on(logs + "foreign/logs/interleaved_writers", "log.page text\nview.fit\n");
  CHECK(none.result.exit_code == 1);
  CHECK(none.result.message.starts_with("s.txt:2: view.fit: "));
  CHECK(none.result.message.find("no graph in this log") != std::string::npos);
}

TEST_CASE("A script acts, waits, and expects", "[session]") {
  const Run done =
      run("# the tutorial\n"
          "expect levels == 94\n"
          "\n"
          "policy.set swapout-threshold 30\n"
          "expect threshold == 30\n"
          "expect swaps > 6\n"
          "expect device-peak <= 1GiB\n"
          "edit.undo\n"
          "expect threshold == 50\n"
          "select.op fc1/Relu\n"
          "expect selected == 'fc1/Relu'\n"
          "expect mode != off");
  CHECK(done.result.message.empty());
  CHECK(done.result.exit_code == 0);
}

TEST_CASE("An expectation that is not met says where and what is instead", "[session]") {
  const Run failed = run("wait\nexpect swaps == 1000\nfile.quit\n");
  CHECK(failed.result.exit_code == 3);
  CHECK(failed.result.message.starts_with("s.txt:2: expect: swaps is "));
}

TEST_CASE("An action with its arguments in quotes is waited for like any other", "[session]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("out.pb");
  const Run done = run("'file.write " + path + "'");
  CHECK(done.result.message.empty());
  // The first line is over before the second: what it cannot do is said of it.
  const Run failed = run("'file.write " + folder.file("none/out.pb") + "'\nwait\n");
  CHECK(failed.result.message.starts_with("s.txt:1: file.write: "));
  CHECK(failed.result.exit_code == 1);
  CHECK(std::filesystem::exists(path));
  CHECK(run("' file.quit'").result.exit_code == 2);
}

TEST_CASE("An expectation that is not met says both sides with their units", "[session]") {
  const std::string head = "graph.batch-size 100\nwait\n";
  CHECK(run(head + "expect swaps == 1000").result.message.ends_with(", expected == 1000"));
  CHECK(run(head + "expect original-device-peak <= 1MiB").result.message ==
        "s.txt:3: expect: original-device-peak is 69.17 MiB, expected <= 1.00 MiB");
  // Where both look alike, the exact numbers tell them apart.
  CHECK(run(head + "expect original-device-peak == 72534785").result.message ==
        "s.txt:3: expect: original-device-peak is 69.17 MiB (72534784), expected == 69.17 MiB "
        "(72534785)");
  CHECK(run(head + "expect step-ns < 1000").result.message.ends_with(", expected < 1 us"));
  CHECK(run(head + "expect mode == off").result.message.ends_with("mode is lms2, expected == off"));
  CHECK(run(head + "expect selected == x")
            .result.message.ends_with("selected is empty, expected == x"));
}

TEST_CASE("A plan of sections is judged by its largest run, and its runs are counted",
          "[session]") {
  const std::string sections =
      "graph.batch-size 100\npolicy.mode sections\npolicy.set levels 8\npolicy.set loss "
      "loss/sparse_softmax_cross_entropy_loss/value\n";
  const Run judged = run(sections +
                         "expect runs == 3\nexpect plan-peak < 67MiB\nexpect device-peak < 67MiB\n"
                         "expect original-device-peak > 70MiB\n");
  CHECK(judged.result.message.empty());
  CHECK(run("expect runs == 1\n").result.message.empty());
}

TEST_CASE("A guess is kept as a number where it is one", "[session]") {
  CHECK(run("lesson.guess 12\nexpect lesson.guess > 11\nlesson.guess 'down0/out'\n"
            "expect lesson.guess == down0/out\n")
            .result.message.empty());
  CHECK(run("expect lesson.guess == 1").result.exit_code == 3);
}

TEST_CASE("What is no action or no expectation is wrong usage", "[session]") {
  for (const char* line :
       {"policy.explode", "policy.set swapin-ahead", "policy.set swapin-ahead 0", "print",
        "print everything", "expect", "expect swaps", "expect swap == 3", "expect swaps = 3",
        "expect swaps == many", "expect mode < off", "wait 3", "view.tab 'levels"}) {
    INFO(line);
    const Run failed = run(std::string("wait\n") + line + "\n");
    CHECK(failed.result.exit_code == 2);
    CHECK(failed.result.message.starts_with("s.txt:2: "));
  }
}

TEST_CASE("What is not there is an error of the data", "[session]") {
  for (const char* line : {"select.op nowhere", "file.open /no/such/file", "file.write /dev/full",
                           "tensor.keep nowhere:0"}) {
    INFO(line);
    CHECK(run(line).result.exit_code == 1);
  }
}

TEST_CASE("A policy that cannot be fulfilled fails where its results are needed", "[session]") {
  const std::string wrong = "policy.set excl-output-by-scopes nowhere\n";
  CHECK(run(wrong + "policy.reset\npolicy.mode off\n").result.exit_code == 0);
  CHECK(run(wrong + "expect policy-error != ''\nedit.undo\n").result.exit_code == 0);
  CHECK(run(wrong + "print state\nedit.undo\n").result.exit_code == 0);
  for (const char* line : {"", "expect swaps > 0", "print swaps", "file.write never.pb"}) {
    INFO(line);
    const Run failed = run(wrong + line);
    CHECK(failed.result.exit_code == 1);
    CHECK(failed.result.message.find("nowhere") != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists("never.pb"));
}

TEST_CASE("A script that only opens the dialog for writing needs no policy for that", "[session]") {
  const std::string wrong = "policy.set excl-output-by-scopes nowhere\n";
  const Run done = run(wrong + "file.write-dialog\nedit.undo\n");
  CHECK(done.result.message.empty());
  CHECK(done.result.exit_code == 0);
}

TEST_CASE("A script waits for what begins work, and only for that", "[session]") {
  using app::Effect;
  const auto effect = [](std::string_view id) { return app::find_action(id)->effect; };
  for (const char* id : {"file.open", "file.drop", "file.reload", "file.close", "measure.open",
                         "measure.close", "policy.tune"}) {
    INFO(id);
    CHECK(effect(id) == Effect::kSlow);
  }
  for (const char* id : {"file.write", "file.write-log", "file.write-picture", "file.write-csv",
                         "file.write-plan"}) {
    INFO(id);
    CHECK(effect(id) == Effect::kResults);
  }
  for (const char* id : {"file.write-dialog", "file.quit", "policy.set", "view.tab"}) {
    INFO(id);
    CHECK(effect(id) == Effect::kAtOnce);
  }
}

TEST_CASE("A line that reads results has those of the line before", "[session]") {
  // The largest output has 500 MB at this batch size, and 98 KB without it.
  const Run found = run("graph.batch-size 5000\nsearch.find bytes>400M\nexpect selected != ''");
  CHECK(found.result.message.empty());
  const Run walked =
      run("policy.mode off\npolicy.mode lms2\nselect.next-swap\nexpect selected != ''");
  CHECK(walked.result.message.empty());
}

TEST_CASE("What a script copies is the plan, not the search for it", "[session]") {
  const std::string automatic =
      "graph.batch-size 100\nprofile.set v100\npolicy.set device-memory 62MiB\npolicy.auto on\n";
  for (const char* what : {"edit.copy-command-line", "edit.copy-python"}) {
    const Run copied = run(automatic + what + "\nprint clipboard");
    const Run waited = run(automatic + "wait\n" + what + "\nprint clipboard");
    CHECK(copied.result.message.empty());
    CHECK(copied.printed == waited.printed);
    CHECK(copied.printed.find("swapout") != std::string::npos);
  }
}

TEST_CASE("A share of the peak is one of the batch size that was just set", "[session]") {
  const Run done = run(
      "graph.batch-size 100\npolicy.set device-memory 60%\nwait\n"
      "expect original-device-peak == 72534784\nexpect undo == 'device-memory none -> 41.50 MiB'");
  CHECK(done.result.message.empty());
  const Run wrong = run("policy.set device-memory 60%%");
  CHECK(wrong.result.exit_code == 2);
  CHECK(wrong.result.message.find("60 %") != std::string::npos);
}

TEST_CASE("Each line is a step of undo of its own", "[session]") {
  CHECK(run("policy.set swapin-ahead 4\npolicy.set swapin-ahead 5\n"
            "expect undo == 'swapin-ahead 4 -> 5'\n")
            .result.message.empty());
}

TEST_CASE("A script writes when the plan is there", "[session]") {
  const test::TemporaryFolder folder;
  const Run done =
      run("policy.set swapout-threshold 30\nfile.write " + folder.file("a.meta") +
          "\nexpect unwritten == no\nfile.open " + folder.file("a.meta") + "\nexpect ops > 377\n");
  CHECK(done.result.message.empty());
}

TEST_CASE("After quitting nothing more is done", "[session]") {
  CHECK(run("file.quit\nexpect swaps == 1000\n").result.exit_code == 0);
}

TEST_CASE("Printing shows what the panels show", "[session]") {
  const Run done =
      run("select.op fc1/Relu\nprint result\nprint swaps\nprint inspector\nprint state\n");
  CHECK(done.result.message.empty());
  for (const char* part : {"policy lms2\n", "swap-outs", "fc1/Relu (Relu), level ",
                           "memory by level: device ", "swapout-threshold 50\n"}) {
    INFO(part);
    CHECK(done.printed.find(part) != std::string::npos);
  }
}

TEST_CASE("Every quantity is there when a graph is open", "[session]") {
  Desk viewer;
  test::open_tutorial(viewer, 50);
  REQUIRE(app::run_action(viewer, "player.at", {"45"}));
  for (const std::string_view name : app::quantity_names()) {
    INFO(name);
    const bool is_asked_for =
        name.starts_with("exact-") || name.starts_with("fit") || name.starts_with("diff-");
    const std::string wanted =
        is_asked_for ? fmt::format("{} is not known, expected != 123456789", name) : "";
    CHECK(app::check_expectation(viewer, {std::string(name), "!=", "123456789"}) == wanted);
  }
}

TEST_CASE("A script looks at a moment of the step", "[session]") {
  CHECK(run("expect device-now > 0\n").result.message.find("not known") != std::string::npos);
  const Run done =
      run("player.at 45.5\nexpect player-level == 45\nexpect device-now > 0\n"
          "expect host-now > 0\nplayer.at 93\nexpect host-now == 0\nplayer.leave\n");
  CHECK(done.result.message.empty());
  CHECK(run("player.at 94\n").result.message.find("a level from 0 to 93") != std::string::npos);
}

TEST_CASE("A script asks what fits, and expects the answer", "[session]") {
  const Run done = run(
      "graph.batch-size 100\npolicy.set device-memory 64GiB\ngraph.fit\nexpect tab == fit\n"
      "expect fits == yes\nexpect fit-largest-batch >= 100\nexpect fit-largest-batch < 10000000\n");
  CHECK(done.result.message.empty());
  // Not a single example, and no way: the variables alone need more.
  const Run small =
      run("policy.set device-memory 4MiB\ngraph.fit\nexpect fits == no\n"
          "expect fit-largest-batch == 0\n");
  CHECK(small.result.message.empty());
  const Run stale =
      run("policy.set device-memory 64GiB\ngraph.fit\ngraph.batch-size 7\n"
          "expect fits == yes\n");
  CHECK(stale.result.exit_code == 3);
  CHECK(stale.result.message.find("fits is not known, expected == ") != std::string::npos);
  const Run none = run("policy.set device-memory none\ngraph.fit\n");
  CHECK(none.result.exit_code == 2);
  CHECK(none.result.message.ends_with(
      "there is no device to fit; expected 'device-memory', or a device profile that has a memory, "
      "such as v100"));
  CHECK(run("graph.copy-way 1\n").result.exit_code == 2);
}

TEST_CASE("What reading noticed is told once for each graph that a script opens", "[session]") {
  const std::string other = std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/mlp.pbtxt";
  const Run done = run("policy.set swapout-threshold 30\nwait\nfile.open " + other + "\nwait\n");
  CHECK(done.result.exit_code == 0);
  CHECK(done.noticed == std::vector<std::string>{test::tutorial(), other});
}

}  // namespace tideline
