// Compares two graphs, of which the document's is one as a rule. Tested by
// unit/session/diff_document_test.cc.
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/engine/side_peaks.h"
#include "app/session/graph_document.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

using Remembered = std::map<std::string, std::shared_ptr<const Snapshot>, std::less<>>;

bool is_remembered(std::string_view side) {
  return std::find(std::begin(Compared::kRemembered), std::end(Compared::kRemembered), side) !=
         std::end(Compared::kRemembered);
}

// What the plan makes of the graph; without one the graph itself.
Result<ReadGraphPtr> planned_graph(const Snapshot& snapshot) {
  const ReadGraphPtr& source = snapshot.graph->file->source;
  if (!snapshot.has_plan()) return source;
  TIDELINE_TRY(Graph graph, apply(source->document.graph, snapshot.plan()));
  return with_graph(*source, std::move(graph));
}

Result<NamedGraph> side_of(const std::string& side, const Snapshot& current,
                           const Remembered& remembered, Progress& progress) {
  const ReadGraphPtr& source = current.graph->file->source;
  if (side == Compared::kOriginal) {
    return NamedGraph{side, source, source, memory_of_original(current)};
  }
  if (side == Compared::kCurrent) {
    TIDELINE_TRY(ReadGraphPtr graph, planned_graph(current));
    return NamedGraph{side, std::move(graph), source, memory_of_planned(current)};
  }
  if (const auto found = remembered.find(side); is_remembered(side) && found != remembered.end()) {
    TIDELINE_TRY(ReadGraphPtr graph, planned_graph(*found->second));
    return NamedGraph{side, std::move(graph), found->second->graph->file->source,
                      memory_of_planned(*found->second)};
  }
  TIDELINE_TRY(ReadGraphPtr graph, read_graph(choice_beside(source->choice, side), progress,
                                              {.cycles = io::Cycles::kAllow}));
  SideMemory memory = memory_beside(current, graph);
  return NamedGraph{file_name(side), std::move(graph), nullptr, std::move(memory)};
}

Result<ShownChangesPtr> find_changes(const Compared& sides, const Snapshot& current,
                                     const Remembered& remembered, Progress& progress) {
  TIDELINE_TRY(NamedGraph before, side_of(sides.before, current, remembered, progress));
  TIDELINE_TRY(NamedGraph after, side_of(sides.after, current, remembered, progress));
  return show_changes(std::move(before), std::move(after), progress);
}

}  // namespace

bool is_side_word(std::string_view side) {
  return side == Compared::kOriginal || side == Compared::kCurrent || is_remembered(side);
}

DiffQuestion GraphDocument::diff_asked() const {
  DiffQuestion question{compared_, snapshot_->graph->file, 0, diff_turn_};
  const auto is_current = [](const std::string& side) { return side == Compared::kCurrent; };
  if (is_current(compared_.before) || is_current(compared_.after)) question.plan = plan_turn_;
  return question;
}

Status GraphDocument::compare(Compared sides) {
  if (!snapshot_) return fail(Code::kInvalidArgument, "no graph is open; expected one to compare");
  for (const std::string& side : {sides.before, sides.after}) {
    if (is_remembered(side) && !remembered_.contains(side)) {
      return fail(Code::kInvalidArgument, "{} was not remembered; expected diff.remember {} first",
                  side, side);
    }
  }
  compared_ = std::move(sides);
  compares_written_ = false;
  ++diff_turn_;
  waits_to_compare_ = is_planning_;
  want_changes();
  journal_.touch();
  return {};
}

Status GraphDocument::remember(const std::string& name) {
  if (!snapshot_) return fail(Code::kInvalidArgument, "no graph is open; expected one to remember");
  if (is_stale()) {
    return fail(Code::kInvalidArgument, "there is no plan for the policy yet; expected one");
  }
  remembered_[name] = snapshot_;
  if (compared_.before == name || compared_.after == name) ++diff_turn_;
  journal_.touch();
  return {};
}

void GraphDocument::want_changes() {
  if (!snapshot_ || is_planning_ || compares_nothing()) return;
  DiffQuestion question = diff_asked();
  if (diff_tried_ == question) return;
  diff_tried_ = question;
  diff_problem_.clear();
  jobs_.replace(job_for(JobKind::kDiff, "Comparing two graphs",
                        [this, question = std::move(question), current = snapshot_,
                         remembered = remembered_](Progress& progress) -> Finish {
                          auto found = find_changes(question.sides, *current, remembered, progress);
                          return [this, question, found = std::move(found)] {
                            if (found) {
                              changes_ = *found;
                              changes_of_ = question;
                              journal_.touch();
                            } else {
                              take_no_changes(found.error());
                            }
                          };
                        }));
}

bool GraphDocument::compares_nothing() const {
  return compared_ == Compared{} && !snapshot_->has_plan();
}

void GraphDocument::take_no_changes(const Error& error) {
  changes_.reset();
  changes_of_.reset();
  diff_problem_ = with_parameter_names(error.message, Naming::kField);
  journal_.report(error);
  journal_.touch();
}

// Another plan is more urgent than the comparison of the last one.
void GraphDocument::postpone_changes() {
  if (!jobs_.has(JobKind::kDiff)) return;
  jobs_.drop(JobKind::kDiff);
  diff_tried_.reset();
}

ui::DiffState GraphDocument::changes() const {
  ui::DiffState state;
  state.before = compared_.before;
  state.after = compared_.after;
  if (!snapshot_) return state;
  state.is_stale = changes_ != nullptr && (is_stale() || !(changes_of_ == diff_asked()));
  if (compares_nothing()) {
    state.why_none =
        "There is no policy, so nothing is changed: choose one, or compare with a file.";
  } else if (changes_) {
    state.changes = {changes_, &changes_->changes};
  } else {
    state.why_none = diff_problem_.empty() ? "Comparing ..." : diff_problem_;
  }
  return state;
}

void GraphDocument::drop_changes() {
  jobs_.drop(JobKind::kDiff);
  compared_ = {};
  compares_written_ = false;
  remembered_.clear();
  changes_.reset();
  changes_of_.reset();
  diff_tried_.reset();
  diff_problem_.clear();
}

}  // namespace tideline::app
