// One open graph: what is wanted of it, and what came of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/history.h"
#include "app/session/jobs.h"
#include "app/session/journal.h"
#include "app/session/opened_graph.h"
#include "app/session/reasons.h"
#include "app/session/snapshot.h"
#include "app/session/wish.h"
#include "app/session/write.h"
#include "render/model/ui_model.h"

namespace tideline::session {

/// Nothing here waits, but `wait`: reading, planning and writing go on beside, and `poll` takes
/// over what is done. Whatever fails leaves what was there: the last snapshot, the wish, the undo
/// history. Thread: all members for one thread.
class GraphDocument {
 public:
  /// Messages, failures and changes go to `journal`, which outlives it. `wake` is called from
  /// another thread when `poll` has something to do; may be empty.
  explicit GraphDocument(Journal& journal, std::function<void()> wake = {});

  // What there is.
  /// Null: nothing is open.
  [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }
  [[nodiscard]] const Wish& wish() const { return history_.current(); }
  /// Whether the snapshot is of another wish, because its plan is being made or cannot be made.
  [[nodiscard]] bool is_stale() const { return is_planning_ || policy_error_.has_value(); }
  /// Why the wish cannot be fulfilled.
  [[nodiscard]] const std::optional<Error>& policy_error() const { return policy_error_; }
  /// Whether the plan was changed since the graph was written, or opened.
  [[nodiscard]] bool is_unwritten() const;
  /// Of the current snapshot; null until they are asked for and found.
  [[nodiscard]] const std::shared_ptr<const Reasons>& reasons() const { return reasons_; }
  void want_reasons();

  // Opening. A file that cannot be opened is a failure in the journal; what was open stays.
  void open(OpenRequest request, Wish wish = {});
  /// The same file, anew, with the same wish and history. Without a file nothing happens.
  void reload();
  void close();

  // A traced step beside the graph: no wish, undo leaves it.
  /// Reads and measures it; one that cannot be used is a message, and what was there stays. Without
  /// a graph nothing happens.
  void measure(events::TraceChoice choice);
  /// Without one, also when the graph is read again.
  void stop_measuring();
  /// What was dropped on a window: a traced step of the open graph, or something to open.
  void take_dropped(OpenRequest request, Wish wish);

  // Wishes.
  /// Another wish, which can be undone. Consecutive changes with the same key, which is not empty,
  /// are one until `end_gesture`: a slider that is dragged.
  void change(Wish wish, const std::string& key = {});
  void end_gesture() { history_.end_gesture(); }
  /// Searches for the parameters of `wish`, which is automatic, and changes to what is found, as
  /// one step that can be undone. Finding nothing is a message.
  void tune(Wish wish);
  /// Whether there was something to undo.
  bool undo();
  bool redo();
  [[nodiscard]] std::string undo_title() const { return history_.undo_title(); }
  [[nodiscard]] std::string redo_title() const { return history_.redo_title(); }

  /// Writes what the snapshot shows. Errors, at once: kInvalidArgument without a graph; later: a
  /// message.
  [[nodiscard]] Status write(const WriteRequest& request);

  // Work beside.
  /// Takes over what is done. Whether anything changed.
  bool poll();
  [[nodiscard]] bool is_busy() const { return !jobs_.is_idle(); }
  [[nodiscard]] std::optional<ui::JobStatus> job() const { return jobs_.status(); }
  void cancel() { jobs_.cancel(); }
  /// Until nothing is going on beside; for scripts.
  void wait();
  /// Until `poll` has something to do, or nothing is going on.
  void wait_for_one() { jobs_.wait(); }

 private:
  struct Planned {
    std::shared_ptr<SnapshotMaker> maker;
    Result<std::shared_ptr<const Snapshot>> snapshot;
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
  void show(std::shared_ptr<const Snapshot> snapshot);
  [[nodiscard]] Job job_for(JobKind kind, std::string title, std::function<Finish(Progress&)> work);

  Journal& journal_;
  History history_;
  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const Reasons> reasons_;
  std::shared_ptr<SnapshotMaker> maker_;  // used by jobs of kPlan and kOpen only
  /// What plans are to be made with; that of the maker once it is planned.
  MeasuredRunPtr measured_;
  std::optional<events::TraceChoice> trace_;  // as OpenRequest::trace
  std::optional<Error> policy_error_;
  bool is_planning_ = false;
  bool has_no_reasons_ = false;  // they could not be found
  Wish written_;
  Jobs jobs_;  // last: its jobs must not outlive the rest
};

}  // namespace tideline::session
