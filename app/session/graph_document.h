// One open graph: what is wanted of it, and what came of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/document.h"
#include "app/session/history.h"
#include "app/session/reasons.h"
#include "app/session/snapshot.h"
#include "app/session/wish.h"
#include "app/session/write.h"
#include "render/model/ui_model.h"

namespace tideline::session {

/// Whatever fails leaves what was there: the last snapshot, the wish, the undo history.
class GraphDocument final : public Document {
 public:
  explicit GraphDocument(DocumentPlace place);

  // What there is.
  /// Null: nothing is open.
  [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }
  [[nodiscard]] const Wish& wish() const { return history_.current(); }
  /// Whether the snapshot is of another wish, because its plan is being made or cannot be made.
  [[nodiscard]] bool is_stale() const { return is_planning_ || policy_error_.has_value(); }
  /// Why the wish cannot be fulfilled.
  [[nodiscard]] const std::optional<Error>& policy_error() const { return policy_error_; }
  /// Whether the plan was changed since the graph was written, or opened.
  [[nodiscard]] bool is_unwritten() const override;
  [[nodiscard]] bool is_open() const override { return snapshot_ != nullptr; }
  [[nodiscard]] const OpenRequest& request() const override { return request_; }
  void show_in(ui::UiModel&) const override {}
  /// Of the current snapshot; null until they are asked for and found.
  [[nodiscard]] const std::shared_ptr<const Reasons>& reasons() const { return reasons_; }
  void want_reasons();

  // Opening. A file that cannot be opened is a failure in the journal; what was open stays.
  void open(OpenRequest request, Wish wish = {});
  /// The same file, anew, with the same wish and history. Without a file nothing happens.
  void reload();
  void close() override;

  // A traced step beside the graph: no wish, undo leaves it.
  /// Reads and measures it; one that cannot be used is a message, and what was there stays. Without
  /// a graph nothing happens.
  void measure(events::TraceChoice choice);
  /// Without one, also when the graph is read again.
  void stop_measuring();
  /// What was dropped on a window: shown beside the graph if it is a traced step of it, else
  /// refused.
  void take_dropped(OpenRequest request);
  /// What was refused since the last call: it is to be opened as a document of its own.
  [[nodiscard]] std::optional<OpenRequest> take_refused_drop();

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

 private:
  [[nodiscard]] Jobs& jobs() override { return jobs_; }
  [[nodiscard]] const Jobs& jobs() const override { return jobs_; }
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
  OpenRequest request_;
  History history_;
  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const Reasons> reasons_;
  std::shared_ptr<SnapshotMaker> maker_;  // used by jobs of kPlan and kOpen only
  /// What plans are to be made with; that of the maker once it is planned.
  MeasuredRunPtr measured_;
  std::optional<events::TraceChoice> trace_;  // as OpenRequest::trace
  std::optional<OpenRequest> refused_drop_;
  std::optional<Error> policy_error_;
  bool is_planning_ = false;
  bool has_no_reasons_ = false;  // they could not be found
  Wish written_;
  Jobs jobs_;  // last: its jobs must not outlive the rest
};

}  // namespace tideline::session
