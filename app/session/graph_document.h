// An open graph with its wish, undo history and current snapshot.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/reasons.h"
#include "app/engine/shown_changes.h"
#include "app/engine/snapshot.h"
#include "app/engine/write.h"
#include "app/session/compared.h"
#include "app/session/document.h"
#include "app/session/fit_question.h"
#include "app/session/history.h"
#include "app/session/wish.h"
#include "render/model/ui_model.h"

namespace tideline::app {

/// A job that fails leaves the last snapshot, the wish and the undo history as they are.
class GraphDocument final : public SessionDocument {
 public:
  explicit GraphDocument(DocumentPlace place);

  // State.
  /// Null until a graph is open.
  [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }
  [[nodiscard]] const Wish& wish() const { return history_.current(); }
  /// Whether the snapshot belongs to an earlier wish, because there is no plan for this one (yet).
  [[nodiscard]] bool is_stale() const { return is_planning_ || policy_error_.has_value(); }
  /// Whether there is a plan for the wish, or one is being made.
  [[nodiscard]] bool has_plan() const {
    return snapshot_ != nullptr && (is_planning_ || !policy_error_);
  }
  /// Whether the sizes of the snapshot are those of the wish, and so its step without a plan.
  /// Precondition: a graph is open.
  [[nodiscard]] bool has_sizes_of_wish() const;
  /// Why there is no plan for the wish.
  [[nodiscard]] const std::optional<Error>& policy_error() const { return policy_error_; }
  /// What the last search tried, if the wish differs at most in what a search sets; also where
  /// there is no plan, because nothing that was tried fits. Null otherwise.
  [[nodiscard]] std::shared_ptr<const TriedSettings> tried() const;
  /// Whether the wish has changed since the graph was written or opened.
  [[nodiscard]] bool is_unwritten() const override;
  [[nodiscard]] bool is_open() const override { return snapshot_ != nullptr; }
  [[nodiscard]] const OpenRequest& request() const override { return request_; }
  void show_in(ui::UiModel&) const override {}
  /// The reasons for the current snapshot; null until requested and found.
  [[nodiscard]] const std::shared_ptr<const Reasons>& reasons() const { return reasons_; }
  void want_reasons();
  /// What TensorFlow says of the current snapshot; nullopt unless the wish is exact. Asked whenever
  /// there is a new snapshot, about each graph once.
  [[nodiscard]] const std::optional<ui::ExactPeaks>& exact() const { return exact_; }
  /// Asks again, after a failure. No effect unless the wish is exact.
  void ask_exactly();
  /// Whether a step fits the device of the wish, and the ways to make it fit: the last answer,
  /// which is kept, and whether it is one to the wish.
  [[nodiscard]] ui::FitState fit() const;
  /// Finds an answer in the background, unless there is one or it could not be found. Does nothing
  /// while there is a plan to be made, and where it is not known which device is meant.
  void want_fit();
  /// The same in any case; after the plan that is being made. Errors: those of fit_question, and
  /// kInvalidArgument without a graph. What fails later goes to the journal.
  [[nodiscard]] Status find_fit();

  // Comparing two graphs.
  /// What is compared; nothing is before `want_changes`. After the graph was written it is the
  /// original with the file, until the wish changes.
  [[nodiscard]] const Compared& compared() const { return compared_; }
  /// Chooses, and compares as soon as there is a plan for the wish; a file is read again. Errors:
  /// kInvalidArgument without a graph, and for what was not remembered. Later ones are in
  /// `changes`.
  [[nodiscard]] Status compare(Compared sides);
  /// Remembers the graph that the plan gives, or without one the graph itself, under a name.
  /// Errors: kInvalidArgument without a graph, and where there is no plan for the wish.
  [[nodiscard]] Status remember(const std::string& name);
  /// Compares in the background what is to be compared, unless that was done.
  void want_changes();
  /// The last answer, which is kept, and whether it is one to what is compared. Its text is not
  /// set.
  [[nodiscard]] ui::DiffState changes() const;
  /// The graphs of `changes`; null without.
  [[nodiscard]] const ShownChangesPtr& shown_changes() const { return changes_; }

  // Opening. If it fails, the error goes to the journal and the open graph stays.
  void open(OpenRequest request, Wish wish = {});
  /// Reads the file again and keeps wish and history. No effect without a file.
  void reload();
  void close() override;

  // The traced step of the graph, which is not part of the wish: undo does not affect it.
  /// Reads and measures it. If it cannot be used, the error goes to the journal. No effect without
  /// a graph.
  void measure(events::TraceChoice choice);
  /// Removes the traced step, also for later reloads.
  void stop_measuring();
  /// The one in use, so that measuring it again gives the same; an empty path without.
  [[nodiscard]] events::TraceChoice trace() const;
  /// Handles a file dropped on the window: opens it if it is a traced step of the graph, else
  /// refuses it.
  void take_dropped(OpenRequest request);
  /// The file refused since the last call, which is to be opened as another document.
  [[nodiscard]] std::optional<OpenRequest> take_refused_drop();

  // Wishes.
  /// Changes the wish as one step of undo. Consecutive changes with the same non-empty key are one
  /// step until `end_gesture`: the drag of a slider.
  void change(Wish wish, const std::string& key = {});
  void end_gesture() { history_.end_gesture(); }
  /// Changes the wish, whose parameters are starting values. If others are to be proposed for them
  /// (propose.h), those take their place as soon as they are found, in the same step of undo;
  /// unless there is another wish by then.
  void choose(Wish wish);
  /// Searches the parameters of `wish`, which is automatic, and changes the wish to the result as
  /// one step of undo. If there is none, the error goes to the journal.
  void tune(Wish wish);
  /// Returns whether there was a step to undo.
  bool undo();
  bool redo();
  [[nodiscard]] std::string undo_title() const { return history_.undo_title(); }
  [[nodiscard]] std::string redo_title() const { return history_.redo_title(); }

  /// Goes back to the wish of the snapshot as one step of undo, after a wish without a plan. No
  /// effect if there is a plan.
  void revert_to_snapshot();

  /// Writes the snapshot in the background; if a plan is being made, as soon as it is there. What
  /// belongs to an earlier wish is never written. Errors: kInvalidArgument without a graph, and
  /// when there is no plan for the wish, saying why; later ones go to the journal.
  [[nodiscard]] Status write(const WriteRequest& request);
  /// Notes that the graph of `wish` was written elsewhere, as by a download.
  void note_written(Wish wish);
  /// Whether something goes on that changes what is shown, or writes: all but finding reasons and
  /// idle swaps, and asking TensorFlow.
  [[nodiscard]] bool is_working() const;
  /// Whether it will be known soon which swaps are idle; false in a large graph, where that takes
  /// long.
  [[nodiscard]] bool is_confirming() const;

 private:
  [[nodiscard]] Jobs& jobs() override { return jobs_; }
  [[nodiscard]] const Jobs& jobs() const override { return jobs_; }
  struct Planned {
    std::shared_ptr<SnapshotMaker> maker;
    Result<std::shared_ptr<const Snapshot>> snapshot;
    std::shared_ptr<const TriedSettings> tried = {};  // where there is no snapshot
  };
  static Planned plan(std::shared_ptr<SnapshotMaker> maker, const Wish& wish,
                      const MeasuredRunPtr& measured, Progress& progress);
  void replan();
  void take_measured(const std::shared_ptr<const GraphFile>& file, MeasuredRunPtr run,
                     const events::TraceChoice& choice);
  void take_tuned(const Planned& planned, Wish wish);
  void start_open(OpenRequest request, Wish wish, bool is_reload);
  void take_opened(const Planned& planned, const Wish& wish, bool is_reload);
  void take_planned(const Planned& planned);
  void start_proposal();
  void take_proposal(const std::shared_ptr<const Snapshot>& proposed);
  void show(std::shared_ptr<const Snapshot> snapshot, const Wish& wish);
  void start_write(const WriteRequest& request);
  void start_log(const WriteRequest& request, const std::string& title);
  void compare_with_written(const std::string& path);
  void say_written(const Written& written);
  void write_waiting();  // also asks TensorFlow, if that waits
  void confirm();
  void take_exact(const Result<ui::ExactPeaks>& found);
  [[nodiscard]] Result<FitQuestion> fit_asked() const;
  void take_no_fit(const Error& error);
  void drop_fit();
  [[nodiscard]] DiffQuestion diff_asked() const;
  [[nodiscard]] bool compares_nothing() const;
  void take_no_changes(const Error& error);
  void postpone_changes();
  void drop_changes();
  void say_problem(const Error& error);
  [[nodiscard]] Job job_for(JobKind kind, std::string title, std::function<Finish(Progress&)> work);

  Journal& journal_;
  std::shared_ptr<SharedGraphs> shared_;
  AskOptimizer optimizer_;  // used by jobs of kExact only
  OpenRequest request_;
  History history_;
  std::shared_ptr<const Snapshot> snapshot_;
  Wish shown_wish_;  // of the snapshot
  std::shared_ptr<const Reasons> reasons_;
  std::optional<ui::ExactPeaks> exact_;
  std::string exact_problem_;             // the last one that was reported
  std::shared_ptr<SnapshotMaker> maker_;  // used by jobs of kPlan and kOpen only
  /// For the next plan, whose maker then has it.
  MeasuredRunPtr measured_;
  std::optional<events::TraceChoice> trace_;  // as OpenRequest::trace
  std::optional<OpenRequest> refused_drop_;
  std::optional<Error> policy_error_;
  std::shared_ptr<const TriedSettings> tried_;   // with policy_error_
  bool may_propose_ = false;                     // for the plan that is being made
  std::shared_ptr<const ui::FitCard> fit_card_;  // the answer to fit_of_
  std::optional<FitQuestion> fit_of_;
  std::optional<FitQuestion> fit_tried_;  // the last one that was asked
  std::string fit_problem_;               // why it has no answer
  bool waits_to_fit_ = false;
  Compared compared_;
  bool compares_written_ = false;  // because the graph was written
  bool waits_to_compare_ = false;  // for a plan
  std::map<std::string, std::shared_ptr<const Snapshot>, std::less<>> remembered_;
  ShownChangesPtr changes_;  // the last answer, to changes_of_
  std::optional<DiffQuestion> changes_of_;
  std::optional<DiffQuestion> diff_tried_;  // the last one that was asked
  std::string diff_problem_;                // why it has no answer
  std::uint64_t plan_turn_ = 0;             // counts snapshots with another plan
  std::uint64_t diff_turn_ = 0;             // counts how often somebody asked
  bool is_planning_ = false;
  std::vector<WriteRequest> waiting_writes_;  // for the plan that is being made
  bool has_no_reasons_ = false;               // they could not be found
  Wish written_;
  Jobs jobs_;  // last: its jobs must not outlive the rest
};

}  // namespace tideline::app
