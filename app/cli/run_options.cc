#include "app/cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/run_place.h"
#include "app/engine/say.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/runtime/outside_effects.h"

namespace tideline::cli {
namespace {

constexpr std::int64_t kDefaultSteps = 10;
constexpr std::int64_t kShownElements = 4;

std::string check_seconds(const std::string& text) {
  const auto seconds = parse_as<double>(text);
  constexpr double kMost = 1e9;
  return seconds && *seconds > 0 && *seconds <= kMost
             ? std::string()
             : fmt::format("expected a number of seconds above 0, not {}", text);
}

}  // namespace

void add_run_options(const Command& command, RunOptions& options) {
  command.add_option("--train", options.train, "The op that makes one training step")
      .type_name("OP")
      .required();
  command.add_option("--loss", options.loss, "The tensor that is the loss")
      .type_name("TENSOR")
      .required();
  command
      .add_option("--init", options.inits,
                  "Op that gives variables their first values (without it: all VARIABLE/Assign); "
                  "may be repeated")
      .type_name("OP")
      .one_value();
  command
      .add_option("--feed", options.feeds,
                  "Values of a placeholder: NAME=FILE.npy, one row per step, or generated values "
                  "NAME=DTYPE:SHAPE[:MAX], as in x=float32:8x32 or y=int64:8:10; may be repeated")
      .type_name("NAME=VALUES")
      .one_value()
      .check(accepted_by<runtime::parse_feed>);
  command
      .add_option("--from", options.from,
                  "Checkpoint that variables start from: a prefix, a SavedModel, or anything that "
                  "checkpoint ls lists")
      .not_empty()
      .type_name("PREFIX");
  command
      .add_option("--op-library", options.op_libraries,
                  "Library with ops that TensorFlow itself does not have, loaded into its process; "
                  "may be repeated")
      .not_empty()
      .type_name("FILE")
      .one_value();
  command
      .add_option("--seed", options.seed,
                  "Seed of every random op; their second seeds are numbered by name from 1000")
      .type_name("N")
      .check(whole_number(0));
  command
      .add_option("--steps", options.steps,
                  "Training steps (without it: as many as the files hold, else 10)")
      .type_name("N")
      .check(whole_number(1));
  command
      .add_option("--time-limit", options.time_limit_s,
                  "Stop when it takes more seconds than this, loading included")
      .type_name("S")
      .check(check_seconds);
  command
      .add_option(
          "--memory-limit", options.memory_limit,
          "Address space of the process that runs TensorFlow, which alone takes about 1 GiB")
      .type_name("SIZE")
      .check(accepted_by<parse_size>);
  add_place_options(command, options);
  command.add_flag("--allow-io", options.allow_io,
                   "Let ops of the graph that can read or write files, use the network or run code "
                   "do so (without it: such a graph is refused)");
  command.add_flag("--json", options.json, "Print JSON");
}

runtime::TrainingRequest RunOptions::request() const {
  runtime::TrainingRequest request;
  request.train = train;
  request.loss = loss;
  request.inits = inits;
  request.seed = seed;
  request.from = from;
  for (const std::string& path : op_libraries) {
    // The loader looks for a bare name in folders of its own.
    request.op_libraries.push_back(std::filesystem::absolute(path).string());
  }
  return request;
}

runtime::WorkerOptions RunOptions::worker(const RunPlace& place) const {
  constexpr double kUsualStepLimit = 300;
  runtime::WorkerOptions options;
  options.target = place.target;
  constexpr std::string_view kScheme = "grpc://";
  if (place.cluster) {
    for (const ClusterTask& task : place.cluster->tasks) options.servers.push_back(task.address);
  } else if (!place.target.empty()) {
    options.servers.push_back(place.target.substr(kScheme.size()));
  }
  if (!place.target.empty()) options.run_limit_s = step_limit_s.value_or(kUsualStepLimit);
  options.time_limit_s = time_limit_s;
  options.may_write = allow_io;
  if (!memory_limit.empty()) {
    if (const auto size = parse_size(memory_limit)) options.memory_limit = *size;
  }
  return options;
}

Result<OpenedFeeds> open_feeds(const RunOptions& options) {
  OpenedFeeds opened;
  std::optional<std::int64_t> held;
  for (const std::string& text : options.feeds) {
    TIDELINE_TRY(runtime::FeedRequest request, runtime::parse_feed(text));
    TIDELINE_TRY(runtime::Feed feed, runtime::Feed::open(std::move(request)));
    if (feed.steps()) held = std::min(held.value_or(*feed.steps()), *feed.steps());
    opened.feeds.push_back(std::move(feed));
  }
  opened.steps = options.steps.value_or(held.value_or(kDefaultSteps));
  for (const runtime::Feed& feed : opened.feeds) {
    if (!feed.steps() || (*feed.steps() >= opened.steps && *feed.steps() > 0)) continue;
    return fail(Code::kInvalidArgument,
                "{}: holds values for {} steps (its first axis); expected {} or more",
                feed.source(), *feed.steps(), std::max<std::int64_t>(opened.steps, 1));
  }
  return opened;
}

Status check_effects(const RunOptions& options, const io::Document& document,
                     const runtime::Training& training,
                     const std::vector<runtime::TensorName>& fed) {
  const auto ops = runtime::effectful_ops(document, training, fed);
  if (ops.empty()) return {};
  const std::string text = runtime::effects_text(ops);
  if (!options.allow_io) {
    return fail(Code::kInvalidArgument,
                "{}: the training would run with your rights: {}; give --allow-io if you trust the "
                "file",
                document.path, text);
  }
  app::complain("note: {}: runs with your rights: {}\n", document.path, text);
  return {};
}

void note_start(const runtime::Trainer& trainer) {
  for (const runtime::DroppedShapes& dropped : trainer.dropped_shapes()) {
    complain(
        "note: {}: the shapes recorded for {} ops of type {} contradict TensorFlow {}, which "
        "computes its own\n",
        trainer.label(), dropped.ops, printable(dropped.type), trainer.tensorflow_version());
  }
  const runtime::StartValues& start = trainer.training().start;
  const runtime::Training& training = trainer.training();
  if (training.made_up() > 0) {
    complain("note: {}: {} of {} captured variables begin with numbers that are made up by name\n",
             trainer.label(), training.made_up(), training.captured.size());
  }
  if (start.missing.empty()) return;
  complain(
      "note: {}: {} of its variables are not in {} and keep their initial values; the first is "
      "{}\n",
      trainer.label(), start.missing.size(), start.checkpoint->path,
      printable(start.missing.front()));
}

std::string loss_text(const runtime::TensorValue& loss) {
  const std::int64_t count = loss.element_count();
  if (count == 1) return runtime::element_text(loss, 0);
  std::string text;
  for (std::int64_t i = 0; i < std::min(count, kShownElements); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", runtime::element_text(loss, i));
  }
  return fmt::format("[{}{}]", text, count > kShownElements ? ", ..." : "");
}

std::string loss_bits(const runtime::TensorValue& loss) {
  std::string bits;
  for (std::int64_t i = 0; i < loss.element_count(); ++i) {
    bits += fmt::format("{}{}", i == 0 ? "" : " ", runtime::element_bits(loss, i));
  }
  return bits;
}

bool RunProgress::report(std::string_view stage, std::int64_t done, std::int64_t total) {
  if (!stage.empty()) {
    stage_ = stage;
    done_ = done;
    total_ = total;
  }
  return terminal_.report(stage_, done_, total_);
}

}  // namespace tideline::cli
