// Tested by unit/engine/fit_test.cc and property/fit.py.
#include "app/engine/fit_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "app/engine/plan_command.h"
#include "app/engine/rewrite.h"
#include "core/analysis/variables.h"
#include "core/graph/fed_shapes.h"
#include "core/memory/folded_step.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

// Gives up when time is up.
class TimedProgress final : public Progress {
 public:
  TimedProgress(Progress& to, const std::function<bool()>& is_late) : to_(to), is_late_(is_late) {}
  bool report(std::string_view stage, std::int64_t done, std::int64_t total) override {
    return to_.report(stage, done, total) && !is_late();
  }
  [[nodiscard]] bool is_late() const { return is_late_ && is_late_(); }

 private:
  Progress& to_;
  const std::function<bool()>& is_late_;
};

constexpr std::string_view kScaled = "times are those of the traced step, scaled by estimates";

// A name beside `path` for what a rewriter makes of it, in a format that can be written.
std::string output_for(const std::string& path, std::string_view id) {
  std::filesystem::path whole(path);
  if (!whole.has_filename()) whole = whole.parent_path();
  std::string extension = whole.extension().string();
  if (extension != ".pb" && extension != ".pbtxt" && extension != ".meta") extension = ".pb";
  return (whole.parent_path() / fmt::format("{}_{}{}", whole.stem().string(), id, extension))
      .string();
}

// "times are measured", and how far they are to be trusted.
std::string confidence_of(const StepTime& time, std::int64_t unknown_sizes,
                          const DeviceProfile& profile) {
  std::string text;
  if (unknown_sizes > 0) text = fmt::format("{} sizes are guesses; ", unknown_sizes);
  if (time.guessed_ops > 0) {
    return text + fmt::format("times are guesses: profile {} describes no computing", profile.name);
  }
  if (time.assumed_ops > 0 && time.measured_ops > 0) return text + "times are measured in part";
  if (time.assumed_ops > 0) return text + fmt::format("times are estimates for {}", profile.name);
  return text + "times are measured";
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Of all trainable variables together.
Result<Bytes> bytes_of_gradients(const SizedGraph& graph) {
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kCompatible));
  return trainable_bytes(graph.source->facts, graph.document().collections, tensors);
}

// Peaks and times of the runs that replace a step.
struct Runs {
  Bytes peak = 0;
  StepTime time;  ///< of all together
  std::size_t count = 0;
};
Result<Runs> simulate_runs(const SizedGraph& original, const Graph& changed, const Cycle& cycle,
                           const Policy& policy, Progress& progress) {
  SizedGraph graph = original;
  graph.source = with_graph(*original.source, changed);
  TIDELINE_TRY(const TensorTable fed, original.tensors(SizeModel::kFaithful));
  for (GivenShape& shape : fed_shapes(original.graph(), fed, cycle)) {
    graph.shapes.push_back(std::move(shape));
  }
  TIDELINE_TRY(const TensorTable tensors, graph.tensors(SizeModel::kFaithful));
  const CostModel costs = graph.costs(policy.search.profile);
  const Collections& collections = graph.document().collections;
  StepOptions options =
      step_options(policy, cycle.fetches_of(cycle.runs.front()), &graph.source->functions);
  options.facts = &graph.source->facts;
  options.run = graph.run;
  if (graph.measured) options.measured = &graph.measured->sizes;
  TIDELINE_TRY(StepGraph step, build_step_graph(graph.graph(), tensors, collections, options));
  Runs runs;
  for (const CycleRun& run : cycle.runs) {
    if (!progress.report("simulating a run", static_cast<std::int64_t>(runs.count),
                         static_cast<std::int64_t>(cycle.runs.size()))) {
      return cancelled();
    }
    if (runs.count > 0) {
      TIDELINE_TRY(step, with_fetches(step, graph.graph(), collections, cycle.fetches_of(run)));
    }
    const FaithfulStep simulated = simulate_step(step, StepDetail::kBytes);
    runs.peak = std::max(runs.peak, simulated.timeline.device_peak);
    const StepTime time = report_time(step, simulated, costs).after;
    runs.time.compute_ns += time.compute_ns;
    runs.time.added_ns += time.added_ns;
    runs.time.measured_ops += time.measured_ops;
    runs.time.assumed_ops += time.assumed_ops;
    runs.time.guessed_ops += time.guessed_ops;
    ++runs.count;
  }
  return runs;
}

}  // namespace

Policy FitWays::policy_for(const Rewriter& rewriter, const Attempt& attempt) const {
  const FitRequest& request = steps_.request();
  Policy policy = request.policy;
  policy.rewriter = rewriter.id;
  for (const Parameter& parameter : rewriter.parameters) {
    const Value value = attempt.values.get(parameter);
    if (value != parameter.default_value()) policy.values.set(parameter, value);
  }
  // As on the command line: without a search there is nothing that a budget could be given to.
  if (!rewriter.search) policy.budget.reset();
  policy.search.profile = request.profile;
  policy.search.run = steps_.run(policy);
  return policy;
}

Result<FitWay> FitWays::plan(const Rewriter& rewriter, const Attempt& attempt, const Policy& policy,
                             std::int64_t batch, Progress& shown) const {
  if (batch % attempt.devices != 0) {
    return fail(Code::kUnsupported, "a batch of {} does not split into {} equal parts", batch,
                attempt.devices);
  }
  SizedGraph graph = steps_.with_batch(batch);
  graph.run = policy.search.run;
  const RewriteOptions options = {
      .policies = {policy}, .wants_prediction = true, .wants_graph = false};
  TimedProgress progress(shown, steps_.request().is_late);
  TIDELINE_TRY(const Rewritten rewritten, rewrite(graph, options, progress));
  const RewriteLink& link = rewritten.links.front();
  FitWay way;
  way.id = rewriter.id;
  way.title = attempt.title;
  way.batch = batch;
  way.devices = attempt.devices;
  way.warnings = link.warnings();
  StepTime time;
  std::vector<std::string> costs;
  bool is_stuck = false;
  if (const auto cycle = rewritten.cycle()) {
    TIDELINE_TRY(const Runs runs, simulate_runs(graph, rewritten.graph, *cycle, policy, progress));
    way.peak = runs.peak;
    time = runs.time;
    costs.push_back(fmt::format("{} runs a step", runs.count));
  } else if (link.predicted) {
    way.peak = link.predicted->device_peak_bytes;
    way.host_peak = link.predicted->host_peak_bytes;
    if (link.predicted->time) time = link.predicted->time->after;
    is_stuck = time.stuck.has_value();
    if (attempt.devices > 1) {
      costs.push_back(fmt::format("{} devices", attempt.devices));
    } else if (time.step_ns() > 0) {
      const double busy = static_cast<double>(std::max(time.to_host_ns, time.to_device_ns)) /
                          static_cast<double>(time.step_ns());
      costs.push_back(fmt::format("link busy {:.0f} %", 100 * busy));
    }
  }
  const bool has_copies = graph.measured && (rewritten.cycle() || attempt.devices > 1);
  if (has_copies) {
    // Copies were not traced: their times would be estimates beside measured ones.
    SizedGraph plain = graph;
    plain.measured = nullptr;
    plain.batch_size = batch;
    TIDELINE_TRY(const Rewritten again, rewrite(plain, options, progress));
    if (const auto cycle = again.cycle()) {
      TIDELINE_TRY(const Runs runs, simulate_runs(plain, again.graph, *cycle, policy, progress));
      time = runs.time;
    } else if (again.links.front().predicted) {
      time = again.links.front().predicted->time.value_or(TimeReport()).after;
    }
    graph.measured = nullptr;
  }
  TIDELINE_TRY(const double scale, steps_.time_scale(graph, progress));
  way.step_ns = std::llround(scale * static_cast<double>(time.step_ns()));
  way.fits = way.peak <= steps_.budget() && !is_stuck;
  if (as_it_is_.example_ns() > 0) way.factor = way.example_ns() / as_it_is_.example_ns();
  costs.insert(costs.begin(), fmt::format("{:.2f} x the time", way.factor));
  way.cost = joined(costs);
  way.confidence = scale == 1.0
                       ? confidence_of(time, as_it_is_.unknown_sizes, policy.search.profile)
                       : std::string(kScaled);
  const FitRequest& request = steps_.request();
  PlanWords words;
  words.graph = graph.source->choice;
  words.trace = request.trace;
  words.policy = policy;
  words.batch_size = graph.batch_size;
  words.shapes = graph.shapes;
  words.rounds = graph.rounds;
  words.run = steps_.graph().run;
  words.profile = request.profile_word;
  words.fetches = policy.search.fetches;
  words.output = output_for(words.graph.path, way.id);
  TIDELINE_TRY(way.command, plan_command(words));
  return way;
}

Status FitWays::miss(std::string title, const Error& error,
                     std::vector<MissingWay>& missing) const {
  std::string reason = "not looked at: the time that was given is up";
  if (error.code != Code::kCancelled) {
    reason = with_parameter_names(error.message, Naming::kOption);
    const std::string about = steps_.graph().source->choice.path + ": ";
    if (reason.starts_with(about)) reason.erase(0, about.size());  // all is about this file
  } else if (const auto& is_late = steps_.request().is_late; !is_late || !is_late()) {
    return cancelled();
  }
  const bool is_known = std::any_of(missing.begin(), missing.end(), [&](const MissingWay& way) {
    return way.title == title && way.reason == reason;
  });
  if (!is_known) missing.push_back({std::move(title), std::move(reason)});
  return {};
}

Result<FoundWays> FitWays::try_rewriter(const Rewriter& rewriter, Progress& progress) const {
  FoundWays found;
  std::vector<TriedWay>& tried = found.tried;
  const auto attempts = rewriter.attempts(steps_.roles(), steps_.graph().graph());
  if (!attempts) {
    TIDELINE_RETURN_IF_ERROR(miss(std::string(rewriter.title), attempts.error(), found.missing));
    return found;
  }
  for (const Attempt& attempt : *attempts) {
    // Fewer devices do.
    const bool is_enough = attempt.devices > 1 && !tried.empty() && tried.back().way.fits;
    if (is_enough) break;
    const Policy policy = policy_for(rewriter, attempt);
    auto way = plan(rewriter, attempt, policy, steps_.batch(), progress);
    if (!way) {
      TIDELINE_RETURN_IF_ERROR(miss(attempt.title, way.error(), found.missing));
      continue;
    }
    const auto same = std::find_if(tried.begin(), tried.end(), [&](const TriedWay& known) {
      return known.way.title == attempt.title;
    });
    if (same == tried.end()) {
      tried.push_back({*std::move(way), policy});
      continue;
    }
    const bool is_better = way->fits != same->way.fits ? way->fits
                           : way->fits                 ? way->step_ns < same->way.step_ns
                                                       : way->peak < same->way.peak;
    if (is_better) *same = {*std::move(way), policy};
  }
  return found;
}

// The largest batch that fits, and the whole batch in so many of these that a step adds up their
// gradients.
Status FitWays::add_batches(const LargestBatch& largest, Progress& progress) {
  const std::int64_t batch = steps_.batch();
  if (!largest.depends_on_batch || !largest.batch) return {};
  if (*largest.batch < 1) {
    found_.missing.push_back(
        {"a smaller batch", fmt::format("a single example needs {}", format_bytes(largest.peak))});
    return {};
  }
  const auto as_it_is = [&](std::int64_t examples) -> Result<FitWay> {
    const SizedGraph sized = steps_.with_batch(examples);
    TIDELINE_TRY(const DeviceResult result, steps_.simulate(sized, progress));
    TIDELINE_TRY(const double scale, steps_.time_scale(sized, progress));
    FitWay way;
    way.peak = result.peak_before();
    way.step_ns = std::llround(scale * static_cast<double>(result.timing.before_ns));
    way.confidence = scale == 1.0 ? confidence_of(result.timing.after, as_it_is_.unknown_sizes,
                                                  steps_.request().profile)
                                  : std::string(kScaled);
    return way;
  };
  auto smaller = as_it_is(*largest.batch);
  if (!smaller) return miss("a smaller batch", smaller.error(), found_.missing);
  FitWay way = *std::move(smaller);
  way.id = "batch";
  way.title = fmt::format("batch of {}", *largest.batch);
  way.batch = *largest.batch;
  way.fits = way.peak <= steps_.budget();
  if (as_it_is_.example_ns() > 0) way.factor = way.example_ns() / as_it_is_.example_ns();
  way.cost = fmt::format("{:.2f} x the time of an example, other training", way.factor);
  found_.tried.push_back({std::move(way), {}});

  const std::string title = "gradients added up";
  const auto gradients = bytes_of_gradients(steps_.graph());
  if (!gradients) return miss(title, gradients.error(), found_.missing);
  const auto part =
      find_largest_batch([&](std::int64_t examples) { return steps_.peak(examples, progress); },
                         steps_.budget() - *gradients, *largest.batch);
  if (!part) return miss(title, part.error(), found_.missing);
  if (part->batch.value_or(0) < 1) {
    found_.missing.push_back({title, fmt::format("the sums of gradients take {} more, and a single "
                                                 "example then has no room",
                                                 format_bytes(*gradients))});
    return {};
  }
  const std::int64_t runs = (batch + *part->batch - 1) / *part->batch;
  const std::int64_t examples = (batch + runs - 1) / runs;
  auto split = as_it_is(examples);
  if (!split) return miss(title, split.error(), found_.missing);
  way = *std::move(split);
  way.id = "accumulate";
  way.title = fmt::format("{} x {} examples, gradients added up", runs, examples);
  way.batch = batch;
  way.peak = saturating_add(way.peak, *gradients);
  way.step_ns *= runs;
  way.fits = way.peak <= steps_.budget();
  if (as_it_is_.example_ns() > 0) way.factor = way.example_ns() / as_it_is_.example_ns();
  way.cost =
      fmt::format("{:.2f} x the time, {} more for the sums", way.factor, format_bytes(*gradients));
  found_.tried.push_back({std::move(way), {}});
  return {};
}

void FitWays::begin_rewriters() {
  for (const Rewriter* rewriter : rewriters()) {
    if (rewriter->attempts != nullptr) todo_.push_back({rewriter, std::nullopt});
  }
  // A search takes longest.
  std::vector<Task*> order;
  for (const bool searches : {true, false}) {
    for (Task& task : todo_) {
      if (task.rewriter->search.has_value() == searches) order.push_back(&task);
    }
  }
  order_ = std::move(order);
  const unsigned cores = std::max(std::thread::hardware_concurrency(), 2U);
  const std::size_t others = std::min<std::size_t>(cores - 1, order_.size());
  for (std::size_t i = 0; i < others; ++i) threads_.emplace_back([this] { work(); });
}

void FitWays::work() {
  for (std::size_t i = next_++; i < order_.size(); i = next_++) {
    SharedProgress::Worker progress(progress_);
    order_[i]->found = try_rewriter(*order_[i]->rewriter, progress);
  }
}

Status FitWays::finish() {
  work();
  threads_.clear();
  for (Task& task : todo_) {
    TIDELINE_TRY(FoundWays found, *std::move(task.found));
    std::ranges::move(found.tried, std::back_inserter(found_.tried));
    std::ranges::move(found.missing, std::back_inserter(found_.missing));
  }
  todo_.clear();
  order_.clear();
  next_ = 0;
  std::stable_sort(found_.tried.begin(), found_.tried.end(),
                   [](const TriedWay& a, const TriedWay& b) {
                     if (a.way.fits != b.way.fits) return a.way.fits;
                     return a.way.example_ns() < b.way.example_ns();
                   });
  return {};
}

}  // namespace tideline::app
