// Tested by unit/rewrite/lms2/tune_test.cc and property/one_truth.py.
#include "core/rewrite/lms2/keep_what_fits.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/shared_progress.h"

namespace tideline::lms2 {
namespace {

// A set with the tensors that are kept besides.
struct KeptSet {
  SwapParameters parameters;
  SearchPrediction prediction;
  std::vector<TensorId> kept;
  Overrides overrides;
};

class Keeper {
 public:
  Keeper(Prepared& prepared, FaithfulPlays& plays, Progress& progress, double budget)
      : prepared_(prepared),
        plays_(plays),
        progress_(progress),
        most_(static_cast<Bytes>(std::floor(budget))),
        before_(prepared.overrides()) {}

  // Keeps tensors for which there is room on the device, as long as the step does not become
  // slower. If it does, because the copies that are left meet differently, or if the estimate of
  // the room was too high, only the larger half is tried.
  Result<KeptSet> keep(const SwapParameters& set, FaithfulPlays::Rooms rooms) {
    prepared_.set_overrides(before_);
    KeptSet best{set, {}, {}, before_};
    TIDELINE_TRY(best.prediction, plays_.play(set, progress_));
    std::vector<TensorId> idle = find_idle(best, rooms);
    constexpr int kPlays = 12;
    for (int play = 0; play < kPlays && !idle.empty(); ++play) {
      for (const TensorId tensor : idle) prepared_.keep(tensor);
      TIDELINE_TRY(const SearchPrediction played, plays_.play(set, progress_));
      if (played.device_peak > most_ || played.step_ns > best.prediction.step_ns) {
        prepared_.set_overrides(best.overrides);
        idle.resize(idle.size() / 2);
        continue;
      }
      best.prediction = played;
      best.overrides = prepared_.overrides();
      best.kept.insert(best.kept.end(), idle.begin(), idle.end());
      idle = find_idle(best, rooms);
    }
    return best;
  }

  // What is kept and swapped without this.
  [[nodiscard]] const Overrides& before() const { return before_; }

 private:
  std::vector<TensorId> find_idle(const KeptSet& set, FaithfulPlays::Rooms rooms) const {
    std::vector<TensorId> idle =
        plays_.idle_swaps(std::max(most_, set.prediction.device_peak), rooms);
    std::erase_if(idle,
                  [&](TensorId tensor) { return set.overrides.of(tensor) != Override::kNone; });
    return idle;
  }

  Prepared& prepared_;
  FaithfulPlays& plays_;
  Progress& progress_;
  Bytes most_;
  Overrides before_;
};

// How many sets are worth the plays in a graph of `ops` ops. In the transformer (12,449 ops)
// keeping tensors makes a step 1 % faster, in resnet50 (5,390 ops) up to 39 %.
std::size_t sets_for(std::uint32_t ops) {
  constexpr std::uint32_t kMost = 5;
  return std::clamp<std::uint32_t>(27'000 / std::max<std::uint32_t>(ops, 1), 1, kMost);
}

// The fastest set, and up to `most` in all of those with the highest thresholds that fit: they swap
// tensors that are away for long and wait for memory instead, and keeping some of these tensors
// makes up for more.
std::vector<SwapParameters> sets_to_keep_in(const TuneResult& result, std::size_t most) {
  std::map<int, const TuneTrial*, std::greater<>> fastest;
  for (const TuneTrial& trial : result.trials) {
    if (!trial.fits || trial.parameters.sync_mode != result.parameters.sync_mode) continue;
    if (trial.stage == TuneStage::kNecessity) continue;
    const TuneTrial*& first = fastest[trial.parameters.swapout_threshold];
    if (first == nullptr || trial.step_ns < first->step_ns) first = &trial;
  }
  std::vector<SwapParameters> sets = {result.parameters};
  for (const auto& [threshold, trial] : fastest) {
    if (sets.size() >= most) break;
    if (!(trial->parameters == result.parameters)) sets.push_back(trial->parameters);
  }
  return sets;
}

// A set, and how its room is measured. A step that waits has no room on the clock where it would
// have some if it waited less.
struct Task {
  SwapParameters set;
  FaithfulPlays::Rooms rooms;
};

// Works off tasks, whose results do not depend on each other.
class Tasks {
 public:
  Tasks(std::vector<Task> tasks, double budget)
      : tasks_(std::move(tasks)), budget_(budget), results_(tasks_.size()) {}

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  void work(Prepared& prepared, FaithfulPlays& plays, Progress& progress) {
    Keeper keeper(prepared, plays, progress, budget_);
    for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
      results_[i] = keeper.keep(tasks_[i].set, tasks_[i].rooms);
    }
    prepared.set_overrides(keeper.before());
  }
  // With plays of its own.
  Status work(const PlaySource& source, const Lms2Options& options, Progress& progress) {
    TIDELINE_TRY(const auto prepared, Prepared::make(source.graph, source.collections, options));
    TIDELINE_TRY(FaithfulPlays plays,
                 FaithfulPlays::make(source.graph, source.collections, *prepared, source.model,
                                     static_cast<Bytes>(std::floor(budget_))));
    work(*prepared, plays, progress);
    return {};
  }
  // Of those that are equally fast the first.
  Result<KeptSet> best() {
    std::optional<KeptSet> best;
    for (auto& result : results_) {
      TIDELINE_TRY(KeptSet kept, std::move(*result));
      if (!best || kept.prediction.step_ns < best->prediction.step_ns) best = std::move(kept);
    }
    return *std::move(best);
  }

 private:
  std::vector<Task> tasks_;
  double budget_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::optional<Result<KeptSet>>> results_;
};

// Another thread has to prepare the graph once more, which costs as much as some ten plays.
unsigned threads_for(const Graph& graph, std::size_t tasks) {
  constexpr unsigned kMost = 4;
  constexpr std::uint32_t kSmall = 2000;  // ops
  if (graph.op_count() < kSmall) return 1;
  return std::clamp<unsigned>(std::thread::hardware_concurrency(), 1,
                              std::min<unsigned>(kMost, static_cast<unsigned>(tasks)));
}

}  // namespace

Status keep_what_fits(const PlaySource& source, Prepared& prepared, FaithfulPlays& plays,
                      Progress& progress, TuneResult& result) {
  std::vector<Task> todo;
  using Rooms = FaithfulPlays::Rooms;
  for (const SwapParameters& set : sets_to_keep_in(result, sets_for(source.graph.op_count()))) {
    for (const Rooms rooms : {Rooms::kOnTheClock, Rooms::kBySteps}) todo.push_back({set, rooms});
  }
  Tasks tasks(std::move(todo), result.device_budget);
  {
    SharedProgress shared(progress);
    SharedProgress::Worker main(shared);
    const Lms2Options options = prepared.options();  // the plays set values of `prepared`
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads_for(source.graph, tasks.size()); ++i) {
      others.emplace_back([&] {
        SharedProgress::Worker worker(shared);
        // Whatever keeps it from working, the tasks are worked off here.
        static_cast<void>(tasks.work(source, options, worker));
      });
    }
    tasks.work(prepared, plays, main);
  }
  TIDELINE_TRY(KeptSet best, tasks.best());
  result.parameters = best.parameters;
  for (TuneTrial& trial : result.trials) {
    if (trial.fits && trial.parameters == result.parameters) trial.is_best = true;
  }
  for (const TensorId tensor : best.kept) {
    result.kept.push_back(prepared.context().graph.tensor_name(tensor));
  }
  prepared.set_overrides(best.overrides);
  TIDELINE_TRY(result.prediction, plays.play(result.parameters, progress));
  result.prediction.held_without_waiting =
      plays.within(std::numeric_limits<Bytes>::max() / 2).device_peak;
  return {};
}

}  // namespace tideline::lms2
