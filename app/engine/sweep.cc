// Tested by unit/engine/sweep_test.cc and property/sweep.py.
#include "app/engine/sweep.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <tuple>

#include "app/engine/device_result.h"
#include "app/engine/replanner.h"
#include "core/base/shared_progress.h"
#include "core/memory/step_clock.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

// Another thread has to prepare the graph once more, which costs as much as some ten plans.
constexpr std::size_t kPlansOfAThread = 10;

std::size_t threads_for_plans(std::size_t plans) {
  const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1U);
  return std::clamp<std::size_t>(plans / kPlansOfAThread, 1, cores);
}

bool is_of_graph(const Varied& varied) {
  return varied.parameter->group == ParameterGroup::kGraph;
}

// The batch size of a combination.
std::optional<std::int64_t> batch_of(const SizedGraph& graph, const SweepRequest& request,
                                     std::span<const Value> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_of_graph(request.varied[i])) return std::get<std::int64_t>(values[i]);
  }
  return graph.batch_size;
}

Result<CountedStep> count_plan(const SizedGraph& graph, const Outcome& made) {
  const RewriteInput input{&graph.graph(), &graph.document().collections, graph.options()};
  return made.used.chosen()->count_step(input, made.used.values, !made.plan.swaps().empty());
}

// The combinations of one batch size, which share the step without a plan.
class SweptBatch {
 public:
  SweptBatch(SizedGraph graph, const SweepRequest& request)
      : graph_(std::move(graph)),
        request_(request),
        fetches_(request.policy.search.fetches),
        costs_(graph_.costs(request.profile)) {}

  // The compatible model counts the step without a plan with each plan.
  Status simulate_original() {
    if (request_.is_compatible) return {};
    TIDELINE_TRY(const TensorTable tensors, graph_.tensors(SizeModel::kFaithful));
    const StepOptions step = step_options(request_.policy, fetches_, &graph_.source->functions);
    TIDELINE_TRY(original_, make_device_step(*graph_.source, tensors,
                                             {step.gpu_device.value_or(""), step.gpu_device},
                                             fetches_, graph_.measured.get(), graph_.run));
    before_ns_ = estimate_time(original_->graph, original_->before, costs_).step_ns();
    return {};
  }

  // Fills in the rows `order` lists, on several threads. `done`: the rows of earlier batches.
  Status fill(std::span<const std::size_t> order, std::vector<SweepRow>& rows, std::size_t done,
              Progress& progress) {
    done_ = done;
    SharedProgress shared(progress);
    std::vector<Status> ended(threads_for_plans(order.size()));
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < ended.size(); ++i) {
        others.emplace_back([&, i] { ended[i] = work(order, rows, shared); });
      }
      ended[0] = work(order, rows, shared);
    }
    // What went wrong, rather than that the others were stopped for it.
    const auto failed = std::find_if(ended.begin(), ended.end(), [](const Status& status) {
      return !status && status.error().code != Code::kCancelled;
    });
    if (failed != ended.end()) return *failed;
    for (Status& status : ended) TIDELINE_RETURN_IF_ERROR(std::move(status));
    return {};
  }

  [[nodiscard]] RunModel run() const { return original_ ? original_->graph.run : RunModel(); }

 private:
  Status work(std::span<const std::size_t> order, std::vector<SweepRow>& rows,
              SharedProgress& shared) {
    SharedProgress::Worker progress(shared);
    Replanner replanner(graph_);
    for (std::size_t i = next_++; i < order.size(); i = next_++) {
      SweepRow& row = rows[order[i]];
      Status status = request_.is_compatible ? count_row(replanner, row, progress)
                                             : fill_row(replanner, row, progress);
      if (!status) {
        shared.stop();
        return status;
      }
      const auto done = static_cast<std::int64_t>(done_ + i + 1);
      if (!progress.report("simulating plans", done, static_cast<std::int64_t>(rows.size()))) {
        return cancelled();
      }
    }
    return {};
  }

  Status count_row(Replanner& replanner, SweepRow& row, Progress& progress) const {
    const Policy policy = policy_of(request_, row.values);
    TIDELINE_TRY(const Outcome made, replanner.plan(policy, /*explain=*/false, progress));
    TIDELINE_TRY(row.budget, step_budget(graph_, policy));
    TIDELINE_TRY(const CountedStep counted, count_plan(graph_, made));
    const MemoryTimeline& step = counted.after ? *counted.after : counted.before;
    row.peak_before = counted.before.device_peak;
    row.device_peak = step.device_peak;
    row.host_peak = step.host_peak;
    row.bytes_out = step.bytes_out;
    row.bytes_in = step.bytes_in;
    row.swapped_out_tensors = step.swapped_out_tensors;
    row.swap_ins = step.swap_ins;
    return {};
  }

  // As add_plan of device_result.h, without what is not said of a row.
  Status fill_row(Replanner& replanner, SweepRow& row, Progress& progress) const {
    const Policy policy = policy_of(request_, row.values);
    TIDELINE_TRY(const Outcome made, replanner.plan(policy, /*explain=*/false, progress));
    TIDELINE_TRY(row.budget, step_budget(graph_, policy));
    TIDELINE_TRY(const PlannedStep planned, simulate_plan(graph_, *original_, fetches_, made.plan));
    const StepClock clock(planned.graph, planned.step, costs_);
    StepTime time = clock.time(row.budget);
    if (time.stuck) {
      row.stuck_at = time.stuck->bytes;
      time = clock.time();
    }
    row.late_swap_ins = static_cast<std::int64_t>(time.late.size());
    row.step_ns = time.step_ns();
    row.before_ns = before_ns_;
    row.peak_before = original_->before.timeline.device_peak;
    if (!row.stuck_at) time.budget = row.budget;
    const FaithfulStep seen = on_the_clock(planned.step, clock, time);
    row.device_peak = seen.timeline.device_peak;
    row.host_peak = seen.timeline.host_peak;
    row.bytes_out = seen.timeline.bytes_out;
    row.bytes_in = seen.timeline.bytes_in;
    row.swapped_out_tensors = seen.timeline.swapped_out_tensors;
    row.swap_ins = seen.timeline.swap_ins;
    return {};
  }

  const SizedGraph graph_;
  const SweepRequest& request_;
  const std::vector<std::string> fetches_;
  const CostModel costs_;
  std::shared_ptr<const DeviceStep> original_;
  std::int64_t before_ns_ = 0;
  std::size_t done_ = 0;
  std::atomic<std::size_t> next_ = 0;
};

// Of an example, if all rows have a batch size.
double time_of_row(const SweepRow& row) {
  return static_cast<double>(row.step_ns) / static_cast<double>(row.batch.value_or(1));
}

}  // namespace

std::optional<bool> SweepRow::fits() const {
  if (!budget) return std::nullopt;
  return !stuck_at && device_peak <= *budget;
}

double SweepRow::added_percent() const {
  if (before_ns <= 0) return 0;
  return 100 * static_cast<double>(step_ns - before_ns) / static_cast<double>(before_ns);
}

Policy policy_of(const SweepRequest& request, std::span<const Value> values) {
  Policy policy = request.policy;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = *request.varied[i].parameter;
    if (is_of_graph(request.varied[i])) continue;
    if (is_budget_parameter(parameter.name)) {
      if (!policy.budget) policy.budget = MemoryBudget{};
      policy.budget->device = std::get<std::int64_t>(values[i]);
    } else {
      policy.values.set(parameter, values[i]);
    }
  }
  return policy;
}

std::optional<std::size_t> best_row(std::span<const SweepRow> rows) {
  std::optional<std::size_t> best;
  const auto is_better = [](const SweepRow& a, const SweepRow& b) {
    const double a_ns = time_of_row(a);
    const double b_ns = time_of_row(b);
    if (a.budget) return std::tie(a_ns, a.device_peak) < std::tie(b_ns, b.device_peak);
    return std::tie(a.device_peak, a_ns) < std::tie(b.device_peak, b_ns);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].fits().value_or(true)) continue;
    if (!best || is_better(rows[i], rows[*best])) best = i;
  }
  return best;
}

Result<Sweep> sweep(const SizedGraph& graph, const SweepRequest& request, Progress& progress) {
  TIDELINE_TRY(const std::size_t count, count_combinations(request.varied));
  Sweep found;
  found.rows.resize(count);
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = i;
    found.rows[i].values = combination(request.varied, i);
    found.rows[i].batch = batch_of(graph, request, found.rows[i].values);
  }
  const auto batch_at = [&](std::size_t index) { return found.rows[index].batch; };
  std::ranges::stable_sort(order, {}, batch_at);
  for (std::size_t begin = 0; begin < count;) {
    const std::optional<std::int64_t> batch = batch_at(order[begin]);
    std::size_t end = begin;
    while (end < count && batch_at(order[end]) == batch) ++end;
    SizedGraph sized = graph;
    sized.batch_size = batch;
    SweptBatch same(std::move(sized), request);
    TIDELINE_RETURN_IF_ERROR(same.simulate_original());
    TIDELINE_RETURN_IF_ERROR(
        same.fill(std::span(order).subspan(begin, end - begin), found.rows, begin, progress));
    found.run = same.run();
    begin = end;
  }
  found.best = best_row(found.rows);
  return found;
}

Result<std::vector<Warning>> warnings_of(const SizedGraph& graph, const SweepRequest& request,
                                         const SweepRow& row, Progress& progress) {
  SizedGraph sized = graph;
  sized.batch_size = row.batch;
  const Policy policy = policy_of(request, row.values);
  TIDELINE_TRY(const Outcome made, Replanner(sized).plan(policy, /*explain=*/false, progress));
  if (request.is_compatible) {
    TIDELINE_TRY(const CountedStep counted, count_plan(sized, made));
    const MemoryTimeline& step = counted.after ? *counted.after : counted.before;
    return made.plan.warnings_at(counted.before.device_peak, step.device_peak, {}, nullptr);
  }
  TIDELINE_TRY(const TensorTable tensors, sized.tensors(SizeModel::kFaithful));
  TIDELINE_TRY(
      const DeviceResult result,
      simulate_device(sized, tensors,
                      step_options(policy, policy.search.fetches, &sized.source->functions),
                      sized.costs(request.profile), &made.plan, row.budget));
  return made.plan.warnings_at(result.peak_before(), result.peak(), result.effects, &result.timing);
}

}  // namespace tideline::app
