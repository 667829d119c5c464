// Tested by unit/session/session_test.cc.
#include "app/session/session.h"

#include <algorithm>
#include <filesystem>

#include "app/session/measure.h"

namespace tideline::session {
namespace {

constexpr std::size_t kMostMessages = 200;

std::string file_name(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

bool has_sizes(const OpenedGraph& graph, const Wish& wish) {
  return graph.request.batch_size == wish.batch_size && graph.request.shapes == wish.shapes;
}

bool is_of(const Snapshot& snapshot, const Wish& wish, const MeasuredRunPtr& measured) {
  return has_sizes(*snapshot.graph, wish) && snapshot.graph->measured == measured &&
         snapshot.profile == wish.profile && snapshot.policy == effective_policy(wish.policy);
}

}  // namespace

Session::Session(std::function<void()> wake) : jobs_(std::move(wake)) {}

bool Session::is_unwritten() const {
  return snapshot_ && !wish().policy.is_off() && !(wish() == written_);
}

void Session::say(ui::MessageKind kind, std::string text) {
  messages_.push_back({kind, std::move(text)});
  if (messages_.size() > kMostMessages) messages_.erase(messages_.begin());
  ++revision_;
}

void Session::report(const Error& error) {
  if (error.code == Code::kCancelled) {
    say(ui::MessageKind::kInfo, "cancelled");
  } else {
    say(ui::MessageKind::kError, error.message);
  }
  if (!failure_) failure_ = error;
}

std::optional<Error> Session::take_failure() {
  return std::exchange(failure_, std::nullopt);
}

Job Session::job_for(JobKind kind, std::string title, std::function<Finish(Progress&)> work) {
  return {kind, std::move(title), std::move(work), [this](const Error& error) -> Finish {
            return [this, error] {
              is_planning_ = jobs_.has(JobKind::kPlan);
              report(error);
            };
          }};
}

// Runs on the worker. A replanner for other sizes takes the place of the old one even when the
// policy then fails, so that the next try is quick.
Session::Planned Session::plan(std::shared_ptr<Replanner> replanner, const Wish& wish,
                               const MeasuredRunPtr& measured, Progress& progress) {
  const OpenedGraph& graph = *replanner->graph();
  if (!has_sizes(graph, wish) || graph.measured != measured) {
    OpenRequest request = graph.request;
    request.batch_size = wish.batch_size;
    request.shapes = wish.shapes;
    auto resized = resize(graph.file, request, measured, progress);
    if (!resized) return {std::move(replanner), tl::unexpected(std::move(resized).error())};
    replanner = std::make_shared<Replanner>(*std::move(resized));
  }
  auto snapshot = replanner->make(effective_policy(wish.policy), wish.profile, progress);
  return {std::move(replanner), std::move(snapshot)};
}

void Session::replan() {
  if (!replanner_) return;
  is_planning_ = true;
  jobs_.drop(JobKind::kExplain);
  jobs_.replace(job_for(
      JobKind::kPlan, "Planning",
      [this, replanner = replanner_, measured = measured_, wish = wish()](Progress& progress) {
        const auto planned = std::make_shared<Planned>(plan(replanner, wish, measured, progress));
        return [this, planned] { take_planned(*planned); };
      }));
  ++revision_;
}

void Session::show(std::shared_ptr<const Snapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  reasons_.reset();
  has_no_reasons_ = false;
  ++revision_;
}

void Session::take_planned(const Planned& planned) {
  is_planning_ = false;
  replanner_ = planned.replanner;
  // The one that was read, with its comparison; the one before when it could not be compared.
  measured_ = replanner_->graph()->measured;
  ++revision_;
  if (planned.snapshot) {
    policy_error_.reset();
    show(*planned.snapshot);
  } else {
    policy_error_ = planned.snapshot.error();
  }
}

void Session::open(OpenRequest request, Wish wish) {
  start_open(std::move(request), std::move(wish), false);
}

void Session::reload() {
  if (!snapshot_) return;
  OpenRequest request = snapshot_->graph->request;
  request.trace = trace_;
  start_open(std::move(request), wish(), true);
}

void Session::start_open(OpenRequest request, Wish wish, bool is_reload) {
  request.batch_size = wish.batch_size;
  request.shapes = wish.shapes;
  jobs_.drop(JobKind::kPlan);
  jobs_.drop(JobKind::kExplain);
  is_planning_ = false;
  jobs_.replace(job_for(
      JobKind::kOpen, "Reading " + file_name(request.graph.path),
      [this, request, wish, is_reload](Progress& progress) -> Finish {
        auto opened = session::open(request, progress);
        if (!opened) {
          return [this, error = opened.error()] {
            report(error);
            // What was planned meanwhile for the graph that stays was dropped.
            if (snapshot_ && !policy_error_ && !is_of(*snapshot_, this->wish(), measured_))
              replan();
          };
        }
        const MeasuredRunPtr measured = (*opened)->measured;
        auto planned = std::make_shared<Planned>(
            plan(std::make_shared<Replanner>(*std::move(opened)), wish, measured, progress));
        if (!planned->snapshot && planned->snapshot.error().code != Code::kCancelled) {
          // The file is good: it is shown without the policy, and what is wrong with that is said.
          Wish off = wish;
          off.policy.rewriter = kPolicyOff;
          Planned shown = plan(planned->replanner, off, measured, progress);
          const Error error = planned->snapshot.error();
          return
              [this, shown = std::make_shared<Planned>(std::move(shown)), wish, error, is_reload] {
                take_opened(*shown, wish, is_reload);
                if (snapshot_) policy_error_ = error;
              };
        }
        return [this, planned, wish, is_reload] { take_opened(*planned, wish, is_reload); };
      }));
  ++revision_;
}

void Session::take_opened(const Planned& planned, const Wish& wish, bool is_reload) {
  if (!planned.snapshot) return report(planned.snapshot.error());
  jobs_.drop(JobKind::kPlan);
  replanner_ = planned.replanner;
  measured_ = replanner_->graph()->measured;
  is_planning_ = false;
  policy_error_.reset();
  show(*planned.snapshot);
  if (is_reload) {
    if (!(this->wish() == wish)) replan();  // changed while the file was read
    return;
  }
  jobs_.drop(JobKind::kMeasure);
  trace_.reset();
  history_.reset(wish);
  written_ = wish;
}

void Session::close() {
  for (const JobKind kind : {JobKind::kOpen, JobKind::kMeasure, JobKind::kPlan, JobKind::kExplain})
    jobs_.drop(kind);
  replanner_.reset();
  measured_.reset();
  trace_.reset();
  policy_error_.reset();
  is_planning_ = false;
  history_.reset({});
  show(nullptr);
}

void Session::measure(events::TraceChoice choice) {
  if (!snapshot_) return;
  jobs_.replace(job_for(
      JobKind::kMeasure, "Measuring " + file_name(choice.path),
      [this, choice, file = snapshot_->graph->file](Progress& progress) -> Finish {
        auto run = session::measure(*file, choice, progress);
        if (!run) return [this, error = run.error()] { report(error); };
        return
            [this, file, choice, found = *std::move(run)] { take_measured(file, found, choice); };
      }));
  ++revision_;
}

void Session::take_measured(const std::shared_ptr<const GraphFile>& file, MeasuredRunPtr run,
                            const events::TraceChoice& choice) {
  if (!snapshot_ || snapshot_->graph->file != file) return;  // read again meanwhile
  measured_ = std::move(run);
  trace_ = choice;
  replan();
}

void Session::stop_measuring() {
  jobs_.drop(JobKind::kMeasure);
  trace_ = events::TraceChoice{};
  if (!measured_) return;
  measured_.reset();
  replan();
}

// Which of both it is takes reading, so it is found out beside. A log is opened: it brings its
// traced step with it.
void Session::take_dropped(OpenRequest request, Wish wish) {
  std::error_code error;
  const std::string& path = request.graph.path;
  if (!snapshot_ || !std::filesystem::is_regular_file(path, error)) {
    return open(std::move(request), std::move(wish));
  }
  jobs_.replace(job_for(
      JobKind::kMeasure, "Reading " + file_name(path),
      [this, request, wish, file = snapshot_->graph->file](Progress& progress) -> Finish {
        const events::TraceChoice choice{request.graph.path, {}, {}};
        auto run = session::measure(*file, choice, progress);
        if (run && (*run)->place.empty()) {
          return
              [this, file, choice, found = *std::move(run)] { take_measured(file, found, choice); };
        }
        if (!run && run.error().code == Code::kCancelled) {
          return [this, error = run.error()] { report(error); };
        }
        return [this, request, wish] { open(request, wish); };
      }));
  ++revision_;
}

void Session::change(Wish wish, const std::string& key) {
  if (history_.change(std::move(wish), key)) replan();
}

void Session::tune(Wish wish) {
  if (!replanner_) return;
  is_planning_ = true;
  jobs_.drop(JobKind::kExplain);
  jobs_.replace(job_for(
      JobKind::kPlan, "Tuning",
      [this, replanner = replanner_, measured = measured_, wish](Progress& progress) {
        const auto planned = std::make_shared<Planned>(plan(replanner, wish, measured, progress));
        return [this, planned, wish] { take_tuned(*planned, wish); };
      }));
  ++revision_;
}

void Session::take_tuned(const Planned& planned, Wish wish) {
  is_planning_ = false;
  replanner_ = planned.replanner;
  measured_ = replanner_->graph()->measured;
  if (!planned.snapshot) {
    report(planned.snapshot.error());
    if (!is_of(*snapshot_, this->wish(), measured_)) replan();  // it was dropped for the search
    return;
  }
  const Snapshot& found = **planned.snapshot;
  say(ui::MessageKind::kInfo, "tuned: " + found.tuned_text());
  adopt_found(found, wish.policy);
  change(std::move(wish));
}

bool Session::undo() {
  if (!history_.undo()) return false;
  replan();
  return true;
}

bool Session::redo() {
  if (!history_.redo()) return false;
  replan();
  return true;
}

void Session::want_reasons() {
  if (!snapshot_ || reasons_ || has_no_reasons_ || is_planning_ || jobs_.has(JobKind::kExplain))
    return;
  jobs_.replace(job_for(JobKind::kExplain, "Finding reasons",
                        [this, snapshot = snapshot_](Progress& progress) -> Finish {
                          auto reasons = Reasons::find(snapshot, progress);
                          // Without them the inspector shows less, which needs no message.
                          if (!reasons) return [this] { has_no_reasons_ = true; };
                          return [this, found = *std::move(reasons)] {
                            if (found->snapshot() != snapshot_) return;
                            reasons_ = found;
                            ++revision_;
                          };
                        }));
}

Status Session::write(const WriteRequest& request) {
  if (!snapshot_) return fail(Code::kInvalidArgument, "no graph is open; expected one to write");
  jobs_.start(
      job_for(JobKind::kWrite, "Writing " + file_name(request.path),
              [this, request, snapshot = snapshot_, wish = wish()](Progress& progress) -> Finish {
                auto written = session::write(snapshot, request, progress);
                if (!written) return [this, error = written.error()] { report(error); };
                return [this, request, wish, done = *std::move(written)] {
                  if (request.kind == WriteKind::kGraph) written_ = wish;
                  say(ui::MessageKind::kInfo, done.text);
                  for (const std::string& note : done.notes) say(ui::MessageKind::kWarning, note);
                };
              }));
  return {};
}

bool Session::poll() {
  return jobs_.take();
}

void Session::wait() {
  while (true) {
    jobs_.take();
    if (jobs_.is_idle()) return;
    jobs_.wait();
  }
}

}  // namespace tideline::session
