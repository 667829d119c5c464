// Tested by unit/session/graph_document_test.cc.
#include "app/session/graph_document.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "app/engine/propose.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

bool has_sizes(const OpenedGraph& graph, const Wish& wish) {
  return graph.request.batch_size == wish.batch_size && graph.request.shapes == wish.shapes &&
         graph.request.rounds == wish.rounds && graph.request.run == wish.run_on_device();
}

bool is_of(const Snapshot& snapshot, const Wish& wish, const MeasuredRunPtr& measured) {
  return has_sizes(*snapshot.graph, wish) && snapshot.graph->measured == measured &&
         snapshot.profile == wish.profile && snapshot.policy == effective_policy(wish.policy);
}

// Whether a plan takes a few dozen milliseconds at most.
bool is_small(const Snapshot& snapshot) {
  constexpr std::uint32_t kFewOps = 20'000;
  return snapshot.graph->graph().op_count() < kFewOps;
}

// Takes as long as a plan or more. Where that is long, it does not stand in the way of the next
// wish while a slider is dragged.
Result<std::shared_ptr<const Snapshot>> confirmed_at_rest(SnapshotMaker& maker,
                                                          const Snapshot& snapshot,
                                                          Progress& progress) {
  constexpr std::chrono::milliseconds kRest{200}, kStep{5};
  for (auto waited = kStep * 0; !is_small(snapshot) && waited < kRest; waited += kStep) {
    if (!progress.report("", 0, 0)) return cancelled();
    std::this_thread::sleep_for(kStep);
  }
  return maker.confirm(snapshot, progress);
}

}  // namespace

GraphDocument::GraphDocument(DocumentPlace place)
    : journal_(place.journal),
      shared_(std::move(place.shared)),
      optimizer_(remembering(place.optimizer ? std::move(place.optimizer) : installed_optimizer())),
      jobs_(std::move(place.wake)) {}

bool GraphDocument::has_sizes_of_wish() const {
  return has_sizes(*snapshot_->graph, wish()) && snapshot_->graph->measured == measured_;
}

bool GraphDocument::is_unwritten() const {
  return snapshot_ && !wish().policy.is_off() && !(wish() == written_);
}

Job GraphDocument::job_for(JobKind kind, std::string title, std::function<Finish(Progress&)> work) {
  return {kind, std::move(title), std::move(work), [this, kind](const Error& error) -> Finish {
            return [this, kind, error] {
              is_planning_ = jobs_.has(JobKind::kPlan);
              if (kind == JobKind::kPlan && !is_planning_) policy_error_ = error;
              if (kind == JobKind::kExact) return take_exact(tl::unexpected(error));
              if (kind == JobKind::kFit) return take_no_fit(error);
              if (kind == JobKind::kDiff) return take_no_changes(error);
              journal_.report(error);
              write_waiting();
            };
          }};
}

// Runs on the worker. A maker for other sizes takes the place of the old one even when the
// policy then fails, so that the next try is quick.
GraphDocument::Planned GraphDocument::plan(std::shared_ptr<SnapshotMaker> maker, const Wish& wish,
                                           const MeasuredRunPtr& measured, Progress& progress) {
  const OpenedGraph& graph = *maker->graph();
  if (!has_sizes(graph, wish) || graph.measured != measured) {
    OpenRequest request = graph.request;
    request.batch_size = wish.batch_size;
    request.shapes = wish.shapes;
    request.rounds = wish.rounds;
    request.run = wish.run_on_device();
    auto resized = resize(graph.file, request, measured, progress);
    if (!resized) return {std::move(maker), tl::unexpected(std::move(resized).error())};
    maker = std::make_shared<SnapshotMaker>(*std::move(resized));
  }
  const Policy policy = effective_policy(wish.policy);
  auto snapshot = maker->make(policy, wish.profile, progress);
  auto tried = snapshot ? nullptr : maker->tried_for(policy, wish.profile);
  return {std::move(maker), std::move(snapshot), std::move(tried)};
}

void GraphDocument::replan() {
  if (!maker_) return;
  is_planning_ = true;
  may_propose_ = false;
  drop_fit();
  postpone_changes();
  if (std::exchange(compares_written_, false)) compared_ = {};
  for (const JobKind kind : {JobKind::kConfirm, JobKind::kExact, JobKind::kExplain})
    jobs_.drop(kind);
  jobs_.replace(job_for(
      JobKind::kPlan, "Planning",
      [this, maker = maker_, measured = measured_, wish = wish()](Progress& progress) {
        const auto planned = std::make_shared<Planned>(plan(maker, wish, measured, progress));
        return [this, planned] { take_planned(*planned); };
      }));
  journal_.touch();
}

void GraphDocument::show(std::shared_ptr<const Snapshot> snapshot, const Wish& wish) {
  snapshot_ = std::move(snapshot);
  shown_wish_ = wish;
  ++plan_turn_;
  if (std::exchange(compares_written_, false)) compared_ = {};
  reasons_.reset();
  has_no_reasons_ = false;
  jobs_.drop(JobKind::kExact);
  exact_.reset();
  if (snapshot_ && wish.is_exact()) exact_.emplace();
  journal_.touch();
}

std::shared_ptr<const TriedSettings> GraphDocument::tried() const {
  if (policy_error_) return tried_;
  return snapshot_ ? snapshot_->tried : nullptr;
}

void GraphDocument::confirm() {
  if (!snapshot_->is_unconfirmed()) return;
  jobs_.start(job_for(JobKind::kConfirm, "Looking for swaps that are not needed",
                      [this, maker = maker_, snapshot = snapshot_](Progress& progress) -> Finish {
                        auto confirmed = confirmed_at_rest(*maker, *snapshot, progress);
                        return [this, snapshot, confirmed = std::move(confirmed)] {
                          if (confirmed && snapshot == snapshot_) {
                            snapshot_ = *confirmed;
                            reasons_.reset();
                          }
                          journal_.touch();
                          write_waiting();
                        };
                      }));
}

void GraphDocument::take_planned(const Planned& planned) {
  is_planning_ = false;
  maker_ = planned.maker;
  // The one that was read, with its comparison; the one before when it could not be compared.
  measured_ = maker_->graph()->measured;
  journal_.touch();
  if (planned.snapshot) {
    policy_error_.reset();
    show(*planned.snapshot, wish());
    if (std::exchange(may_propose_, false) && wants_proposal(*snapshot_)) return start_proposal();
    confirm();
  } else {
    policy_error_ = planned.snapshot.error();
    tried_ = planned.tried;
  }
  write_waiting();
}

void GraphDocument::start_proposal() {
  is_planning_ = true;
  jobs_.replace(job_for(JobKind::kPlan, "Looking for settings that lower the peak",
                        [this, maker = maker_, start = snapshot_](Progress& progress) -> Finish {
                          // If it fails or is cancelled, the starting values stay.
                          const auto found = propose(*maker, *start, progress);
                          return [this, found = found.value_or(nullptr)] { take_proposal(found); };
                        }));
}

void GraphDocument::take_proposal(const std::shared_ptr<const Snapshot>& proposed) {
  is_planning_ = false;
  journal_.touch();
  if (proposed) {
    Wish wish = this->wish();
    wish.policy.values = proposed->policy.values;
    history_.amend(wish);
    show(proposed, wish);
    const DeviceResult& device = proposed->devices.front();
    journal_.say(ui::MessageKind::kInfo,
                 fmt::format("proposed: {}: {} instead of {}, {:.2f} times as long",
                             wish.policy.chosen()->caption(wish.policy.values, true),
                             format_bytes(device.peak()), format_bytes(device.peak_before()),
                             proposed->timing().factor()));
  }
  confirm();
  write_waiting();
}

void GraphDocument::open(OpenRequest request, Wish wish) {
  start_open(std::move(request), std::move(wish), false);
}

void GraphDocument::reload() {
  if (!snapshot_) return;
  OpenRequest request = snapshot_->graph->request;
  request.trace = trace_;
  start_open(std::move(request), wish(), true);
}

void GraphDocument::start_open(OpenRequest request, Wish wish, bool is_reload) {
  request.batch_size = wish.batch_size;
  request.shapes = wish.shapes;
  request.rounds = wish.rounds;
  request.run = wish.run_on_device();
  if (!snapshot_) request_ = request;
  drop_fit();
  for (const JobKind kind : {JobKind::kPlan, JobKind::kExact, JobKind::kExplain}) jobs_.drop(kind);
  is_planning_ = false;
  jobs_.replace(job_for(
      JobKind::kOpen, "Reading " + file_name(request.graph.path),
      [this, request, wish, is_reload, shared = shared_](Progress& progress) -> Finish {
        auto opened = shared ? shared->open(request, progress) : app::open(request, progress);
        if (!opened) {
          return [this, error = opened.error()] {
            journal_.report(error);
            // What was planned meanwhile for the graph that stays was dropped.
            if (snapshot_ && !policy_error_ && !is_of(*snapshot_, this->wish(), measured_))
              replan();
            write_waiting();
          };
        }
        const MeasuredRunPtr measured = (*opened)->measured;
        auto planned = std::make_shared<Planned>(
            plan(std::make_shared<SnapshotMaker>(*std::move(opened)), wish, measured, progress));
        if (!planned->snapshot && planned->snapshot.error().code != Code::kCancelled) {
          // The file is good: it is shown without the policy, and what is wrong with that
          // is said.
          Wish off = wish;
          off.policy.rewriter = kPolicyOff;
          Planned shown = plan(planned->maker, off, measured, progress);
          const Error error = planned->snapshot.error();
          return [this, shown = std::make_shared<Planned>(std::move(shown)), wish, off, error,
                  tried = planned->tried, is_reload] {
            take_opened(*shown, wish, is_reload);
            if (!snapshot_) return;
            shown_wish_ = off;
            policy_error_ = error;
            tried_ = tried;
            write_waiting();
          };
        }
        return [this, planned, wish, is_reload] {
          take_opened(*planned, wish, is_reload);
          write_waiting();
        };
      }));
  journal_.touch();
}

void GraphDocument::take_opened(const Planned& planned, const Wish& wish, bool is_reload) {
  if (!planned.snapshot) return journal_.report(planned.snapshot.error());
  jobs_.drop(JobKind::kPlan);
  maker_ = planned.maker;
  measured_ = maker_->graph()->measured;
  is_planning_ = false;
  policy_error_.reset();
  show(*planned.snapshot, wish);
  confirm();
  if (is_reload) {
    if (!(this->wish() == wish)) replan();  // changed while the file was read
    return;
  }
  jobs_.drop(JobKind::kMeasure);
  trace_.reset();
  request_ = snapshot_->graph->request;
  history_.reset(wish);
  written_ = wish;
}

void GraphDocument::close() {
  for (const JobKind kind : {JobKind::kOpen, JobKind::kMeasure, JobKind::kPlan, JobKind::kConfirm,
                             JobKind::kExact, JobKind::kExplain})
    jobs_.drop(kind);
  drop_fit();
  drop_changes();
  fit_card_.reset();
  fit_of_.reset();
  waits_to_fit_ = false;
  maker_.reset();
  measured_.reset();
  trace_.reset();
  policy_error_.reset();
  is_planning_ = false;
  for (const WriteRequest& request : std::exchange(waiting_writes_, {})) {
    journal_.say(ui::MessageKind::kError, printable(request.path, 2000) +
                                              " is not written: the graph was closed before there "
                                              "was a plan");
  }
  history_.reset({});
  show(nullptr, {});
}

void GraphDocument::change(Wish wish, const std::string& key) {
  if (history_.change(std::move(wish), key)) replan();
}

void GraphDocument::choose(Wish wish) {
  if (!history_.change(std::move(wish), {})) return;
  replan();
  may_propose_ = is_planning_;
}

void GraphDocument::tune(Wish wish) {
  if (!maker_) return;
  is_planning_ = true;
  drop_fit();
  for (const JobKind kind : {JobKind::kExact, JobKind::kExplain}) jobs_.drop(kind);
  jobs_.replace(job_for(JobKind::kPlan, "Tuning",
                        [this, maker = maker_, measured = measured_, wish](Progress& progress) {
                          const auto planned =
                              std::make_shared<Planned>(plan(maker, wish, measured, progress));
                          return [this, planned, wish] { take_tuned(*planned, wish); };
                        }));
  journal_.touch();
}

void GraphDocument::take_tuned(const Planned& planned, Wish wish) {
  is_planning_ = false;
  maker_ = planned.maker;
  measured_ = maker_->graph()->measured;
  if (!planned.snapshot) {
    journal_.report(planned.snapshot.error());
    if (!is_of(*snapshot_, this->wish(), measured_)) replan();  // it was dropped for the search
    write_waiting();
    return;
  }
  const Snapshot& found = **planned.snapshot;
  journal_.say(ui::MessageKind::kInfo, "tuned: " + found.tuned_text());
  adopt_found(found, wish.policy);
  change(std::move(wish));
  write_waiting();
}

bool GraphDocument::undo() {
  if (!history_.undo()) return false;
  replan();
  return true;
}

bool GraphDocument::redo() {
  if (!history_.redo()) return false;
  replan();
  return true;
}

void GraphDocument::want_reasons() {
  if (!snapshot_ || reasons_ || has_no_reasons_ || is_planning_ || jobs_.has(JobKind::kExplain))
    return;
  jobs_.replace(job_for(JobKind::kExplain, "Finding reasons",
                        [this, snapshot = snapshot_](Progress& progress) -> Finish {
                          auto reasons = Reasons::find(snapshot, progress);
                          // Without them the inspector says less; that is no message.
                          if (!reasons) return [this] { has_no_reasons_ = true; };
                          return [this, found = *std::move(reasons)] {
                            if (found->snapshot() != snapshot_) return;
                            reasons_ = found;
                            journal_.touch();
                          };
                        }));
}

void GraphDocument::revert_to_snapshot() {
  if (policy_error_ && snapshot_) change(shown_wish_);
}

bool GraphDocument::is_working() const {
  constexpr std::array kKinds = {JobKind::kOpen, JobKind::kMeasure, JobKind::kPlan,
                                 JobKind::kWrite};
  return !waiting_writes_.empty() ||
         std::any_of(kKinds.begin(), kKinds.end(), [&](JobKind kind) { return jobs_.has(kind); });
}

bool GraphDocument::is_confirming() const {
  return snapshot_ && is_small(*snapshot_) && jobs_.has(JobKind::kConfirm);
}

}  // namespace tideline::app
