#include "app/actions/copy_as.h"

#include <catch2/catch.hpp>

#include "core/rewrite/policy_parameters.h"

namespace tideline {
namespace {

using app::Wish;

Wish with(const char* mode, std::initializer_list<std::pair<const char*, const char*>> values) {
  Wish wish;
  wish.policy.rewriter = mode;
  for (const auto& [name, value] : values) {
    REQUIRE(set_parameter(wish.policy, name, value));
  }
  return wish;
}

std::string command_of(const Wish& wish, const events::GraphChoice& graph = {.path = "g.meta"}) {
  const auto line = app::command_line(graph, {}, wish, "out.meta");
  REQUIRE(line);
  return *line;
}

}  // namespace

TEST_CASE("A policy of LMS v2 as a command line", "[session]") {
  Wish wish = with("lms2", {{"swapout-threshold", "50"},
                            {"swapin-ahead", "3"},
                            {"swapin-groupby", "2"},
                            {"excl-output-by-scopes", "loss,a b"},
                            {"serialization", "-1"},
                            {"inference", "on"},
                            {"device-memory", "4GiB"}});
  wish.batch_size = 100;
  wish.shapes = {{"x", Shape::of({1, -1})}};
  wish.rounds = {{"rnn/while", 40}};
  CHECK(command_of(wish) ==
        "tideline rewrite lms2 g.meta --batch-size 100 --shape 'x=1x?' --rounds rnn/while=40 "
        "--swapout-threshold 50 "
        "--swapin-ahead 3 --swapin-groupby 2 --inference --serialization=-1 "
        "--excl-output-by-scopes 'loss,a b' --device-memory 4GiB --output out.meta");
}

TEST_CASE("How the step is simulated is copied where there is a policy", "[session]") {
  Wish wish = with("lms2", {{"swapout-threshold", "50"}});
  CHECK(command_of(wish) ==
        "tideline rewrite lms2 g.meta --swapout-threshold 50 --output out.meta");
  wish.run = kAsInFile;
  CHECK(command_of(wish) ==
        "tideline rewrite lms2 g.meta --as-run off --swapout-threshold 50 --output out.meta");
  wish.run = {AsRun::kModelled, Executor::kGpu};
  CHECK(command_of(wish) ==
        "tideline rewrite lms2 g.meta --executor gpu --swapout-threshold 50 --output out.meta");
  CHECK(app::python_call({}, wish)->ends_with(
      "lms.tideline_options = ['--executor=gpu']  # not known to the original library\n"));
  wish.run.branches = {{"cond", true}, {"a b/cond", false}};
  CHECK(command_of(wish) ==
        "tideline rewrite lms2 g.meta --executor gpu --branch cond=true --branch 'a "
        "b/cond=false' --swapout-threshold 50 --output out.meta");
  CHECK(app::python_call({}, wish)->ends_with(
      "lms.tideline_options = ['--executor=gpu', '--branch=cond=true', '--branch=a b/cond=false']  "
      "# not known to the original library\n"));
  wish.policy.rewriter = kPolicyOff;
  CHECK(command_of(wish) == "tideline convert g.meta --output out.meta");
}

TEST_CASE("The number of a SavedModel's graph is copied with its tags", "[session]") {
  CHECK(command_of(with("lms2", {{"swapout-threshold", "5"}}),
                   {.path = "model", .tag = "serve", .meta_graph = 2}) ==
        "tideline rewrite lms2 model --tag serve --meta-graph 2 --swapout-threshold 5 --output "
        "out.meta");
}

TEST_CASE("Automatic mode is copied as what was asked for, not what was found", "[session]") {
  CHECK(command_of(with("lms2", {{"device-memory", "4GiB"}, {"memory-ratio", "0.8"}})) ==
        "tideline rewrite lms2 g.meta --device-memory 4GiB --memory-ratio 0.8 --output out.meta");
}

TEST_CASE("The device for which a search was made is copied, by name or as its file", "[session]") {
  Wish wish = with("lms2", {{"device-memory", "4GiB"}});
  wish.profile = *built_in_profile("v100");
  CHECK(
      command_of(wish) ==
      "tideline rewrite lms2 g.meta --device-memory 4GiB --device-profile v100 --output out.meta");
  CHECK(app::python_call({}, wish)->ends_with(
      "lms.tideline_options = ['--device-profile=v100']  # not known to the original library\n"));
  wish.profile_file = "my gpu.json";
  CHECK(command_of(wish) ==
        "tideline rewrite lms2 g.meta --device-memory 4GiB --device-profile 'my gpu.json' --output "
        "out.meta");
  // A plan without a search has no such option, and the prediction of one with values does.
  wish.policy.rewriter = "lms1";
  CHECK(command_of(wish) == "tideline rewrite lms1 g.meta --output out.meta");
  wish = with("lms2", {{"swapout-threshold", "50"}});
  wish.profile = *built_in_profile("v100");
  CHECK(command_of(wish) ==
        "tideline rewrite lms2 g.meta --swapout-threshold 50 --device-profile v100 --output "
        "out.meta");
  CHECK(app::python_call({}, wish) == "lms = LMS(swapout_threshold=50, sync_mode=0)\n");
}

TEST_CASE("A policy of LMS v1 as a command line has nothing of version 2", "[session]") {
  CHECK(command_of(with("lms1", {{"optimizer-scopes", "adam,sgd"},
                                 {"n-tensors", "5"},
                                 {"fuse-swapins", "on"},
                                 {"swapout-threshold", "50"},
                                 {"device-memory", "4GiB"},
                                 {"ctrld-strategy", "direct_order"}})) ==
        "tideline rewrite lms1 g.meta --optimizer-scopes adam,sgd --n-tensors 5 --fuse-swapins "
        "--ctrld-strategy direct_order --output out.meta");
}

TEST_CASE("Paths and choices survive the shell", "[session]") {
  CHECK(command_of({}, {.path = "-a'b $x.meta", .function = "f", .tag = "serve"}) ==
        R"(tideline convert './-a'\''b $x.meta' --function f --tag serve --output out.meta)");
  CHECK(app::shell_quoted("") == "''");
  CHECK(app::shell_quoted("a\nb", app::Reader::kScript) == "'a\nb'");
}

TEST_CASE("The traced step that a plan uses goes along", "[session]") {
  const Wish wish = with("lms2", {{"swapout-threshold", "50"}});
  const auto line = [&](const events::GraphChoice& graph, const events::TraceChoice& trace) {
    return app::command_line(graph, trace, wish, "out.meta");
  };
  CHECK(line({.path = "g.meta"}, {.path = "a log", .run = "train", .tag = {}}) ==
        "tideline rewrite lms2 g.meta --run-metadata 'a log' --run train --swapout-threshold 50 "
        "--output out.meta");
  CHECK(line({.path = "log", .run = "train"}, {.path = "log", .run = "train", .tag = "s9"}) ==
        "tideline rewrite lms2 log --run-metadata log --run train --tag s9 --swapout-threshold 50 "
        "--output out.meta");
  const auto both = line({.path = "log", .run = "train"}, {.path = "b", .run = "eval", .tag = {}});
  REQUIRE_FALSE(both);
  CHECK(both.error().code == Code::kUnsupported);
  // Without a plan nothing is measured.
  CHECK(app::command_line({.path = "g.meta"}, {.path = "t.pb", .run = {}, .tag = {}}, {},
                          "out.meta") == "tideline convert g.meta --output out.meta");
}

TEST_CASE("A command line that is pasted holds nothing that a terminal obeys", "[session]") {
  CHECK(app::shell_quoted("a\nid\n") == R"($'a\012id\012')");
  CHECK(app::shell_quoted("\x1b[201~it's \\ \xc2\x9b"
                          "1") == R"($'\033[201~it\'s \\ \302\2331')");
  CHECK(app::shell_quoted("\xe2\x80\xae") == R"($'\342\200\256')");
  CHECK(app::shell_quoted("\xff") == R"($'\377')");
  CHECK(command_of({}, {.path = "a\n.meta"}) ==
        R"(tideline convert $'a\012.meta' --output out.meta)");
}

TEST_CASE("A command line in a script holds names as they are, for every shell", "[session]") {
  const auto line =
      app::command_line({.path = "a\n.meta"}, {}, {}, "out.meta", app::Reader::kScript);
  REQUIRE(line);
  CHECK(*line == "tideline convert 'a\n.meta' --output out.meta");
}

TEST_CASE("A call in Python holds nothing that a terminal obeys", "[session]") {
  Wish wish = with("lms2", {{"swapout-threshold", "50"}});
  set_value(wish.policy, "excl-output-by-scopes",
            std::vector<std::string>{"a\x1b\xc2\x9b\xe2\x80\xae"});
  const auto call = app::python_call({}, wish);
  REQUIRE(call);
  CHECK(call->find(R"({'a\x1b\U0000009b\U0000202e'})") != std::string::npos);
}

TEST_CASE("What a comma list cannot hold is an error, not another list", "[session]") {
  Wish wish = with("lms2", {{"swapout-threshold", "50"}});
  set_value(wish.policy, "excl-output-by-scopes", std::vector<std::string>{"a,b"});
  const auto line = app::command_line({.path = "g.meta"}, {}, wish, "out.meta");
  REQUIRE_FALSE(line);
  CHECK(line.error().code == Code::kUnsupported);
}

TEST_CASE("A policy of LMS v2 as a call in Python", "[session]") {
  Wish wish = with("lms2", {{"swapout-threshold", "50"},
                            {"swapin-ahead", "3"},
                            {"swapin-groupby", "2"},
                            {"excl-output-by-scopes", "loss,it's"},
                            {"incl-input-by-types", "Relu"},
                            {"serialization", "60:64,70"},
                            {"serialization-by-size", "512MiB"},
                            {"keep-tensors", "a:0"},
                            {"inference", "on"}});
  wish.batch_size = 100;
  const auto call = app::python_call({}, wish);
  REQUIRE(call);
  CHECK(*call ==
        "lms = LMS(swapout_threshold=50, swapin_ahead=3, swapin_groupby=2, sync_mode=0, "
        "serialization=['60:64', '70'], serialization_by_size=0.5)\n"
        "lms.is_training = False\n"
        "lms.excl_output_by_scopes = {'loss', 'it\\'s'}\n"
        "lms.incl_input_by_types = {'Relu'}\n"
        "lms.batch_size = 100\n"
        "lms.tideline_options = ['--keep-tensors=a:0']  # not known to the original library\n");
}

TEST_CASE("What the original library does not have goes into the options of Tideline's own",
          "[session]") {
  Wish wish = with("lms2", {{"swapout-threshold", "50"},
                            {"keep-tensors", "a:0,it's:1"},
                            {"swap-tensors", "b:0"},
                            {"guard-conditionals", "on"}});
  wish.shapes = {{"x", Shape::of({1, -1})}};
  wish.rounds = {{"rnn/while", 40}};
  const auto call = app::python_call({.path = "run.pb", .run = "train", .tag = {}}, wish);
  REQUIRE(call);
  CHECK(*call ==
        "lms = LMS(swapout_threshold=50, sync_mode=0)\n"
        "lms.tideline_options = ['--guard-conditionals', '--keep-tensors=a:0,it\\'s:1', "
        "'--swap-tensors=b:0', '--shape=x=1x?', '--rounds=rnn/while=40', '--run-metadata=run.pb', "
        "'--run=train']  # not known to the original library\n");
  Wish first = with("lms1", {{"optimizer-scopes", "adam"}, {"keep-tensors", "a:0"}});
  first.batch_size = 100;
  CHECK(*app::python_call({}, first) ==
        "lms = LMS(graph=tf.get_default_graph(), optimizer_scopes={'adam'})\n"
        "lms.tideline_options = ['--keep-tensors=a:0', '--batch-size=100']  # not known to the "
        "original library\n");
  set_value(wish.policy, "keep-tensors", std::vector<std::string>{"a,b"});
  CHECK_FALSE(app::python_call({}, wish));
}

TEST_CASE("Automatic mode as a call in Python leaves out what is to be found", "[session]") {
  const auto call =
      app::python_call({}, with("lms2", {{"device-memory", "4GiB"}, {"swapin-groupby", "2"}}));
  REQUIRE(call);
  CHECK(*call ==
        "import os\nos.environ['TF_LMS_SIMULATOR_MEM_RATIO'] = '1'\n"
        "lms = LMS(swapin_groupby=2, sync_mode=0)\nlms.autotune_gpu_mem = 4\n");
}

TEST_CASE("A policy of LMS v1 as a call in Python", "[session]") {
  const auto call = app::python_call({}, with("lms1", {{"optimizer-scopes", "adam"},
                                                       {"lb", "3"},
                                                       {"swap-branches", "on"},
                                                       {"branch-threshold", "2"}}));
  REQUIRE(call);
  CHECK(*call ==
        "lms = LMS(graph=tf.get_default_graph(), optimizer_scopes={'adam'}, lb=3, "
        "swap_branches=True, branch_threshold=2)\n");
}

TEST_CASE("There is no call while the policy is off", "[session]") {
  CHECK_FALSE(app::python_call({}, {}));
}

TEST_CASE("The output stands beside the graph", "[session]") {
  CHECK(app::output_beside("/a/b.meta") == "/a/b_lms.meta");
  CHECK(app::output_beside("model/") == "model_lms");
  CHECK(app::output_beside("x.pb") == "x_lms.pb");
}

}  // namespace tideline
