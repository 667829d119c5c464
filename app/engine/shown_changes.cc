// Tested by unit/engine/shown_changes_test.cc.
#include "app/engine/shown_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "app/engine/changed_scopes.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/graph/op_types.h"
#include "core/graph/verify.h"
#include "core/io/text_format.h"
#include "core/rewrite/plan/changed_ops.h"
#include "render/view/compared_memory.h"

namespace tideline::app {
namespace {

using render::ChangeCounts;
using render::ChangeKind;
using render::GraphChanges;

constexpr std::size_t kMostLines = 40;              ///< of an op
constexpr std::size_t kMostNodeBytes = 256 * 1024;  ///< of a NodeDef that is shown as text
constexpr std::size_t kMostName = 300;

std::string shown_name(std::string_view name) {
  return printable(name, kMostName);
}

// All that is not an op is then the same.
bool are_edits_of_one(const NamedGraph& before, const NamedGraph& after) {
  return before.origin != nullptr && before.origin == after.origin;
}

ChangeKind kind_of(const ChangedOp& op) {
  return op.is_added()     ? ChangeKind::kAdded
         : op.is_removed() ? ChangeKind::kRemoved
                           : ChangeKind::kChanged;
}

class Comparing {
 public:
  Comparing(const NamedGraph& before, const NamedGraph& after, const GraphComparison& found)
      : before_(before),
        after_(after),
        a_(before.graph->document.graph),
        b_(after.graph->document.graph),
        found_(found) {}

  GraphChanges run() {
    changed_ = find_changed_ops(a_, b_);
    is_acyclic_ = verify_acyclic(b_).has_value();
    changes_.before = side(before_, verify_acyclic(a_).has_value(), &ChangedOp::before);
    changes_.after = side(after_, is_acyclic_, &ChangedOp::after);
    add_memory();
    for (const GraphDiff::Copy& copy : found_.diff.added) copies_.emplace(copy.name, &copy);
    list_ops();
    changes_.has_same_values = found_.has_same_values();
    check();
    say_verdict();
    return std::move(changes_);
  }

 private:
  GraphChanges::Side side(const NamedGraph& named, bool is_acyclic, OpId ChangedOp::*op) const {
    const ReadGraph& read = *named.graph;
    GraphChanges::Side side{
        named.title, static_cast<std::int64_t>(read.document.graph.op_count()), {}, {}};
    if (const auto& timeline = named.memory.timeline) side.peak = timeline->device_peak;
    if (!is_acyclic) return side;
    enum class State : std::uint8_t { kSame, kChanged, kOwn };
    std::vector<State> states(read.document.graph.op_count(), State::kSame);
    for (const ChangedOp& one : changed_) {
      if (!(one.*op).valid()) continue;
      const bool is_own = one.is_added() || one.is_removed();
      states[(one.*op).index()] = is_own ? State::kOwn : State::kChanged;
    }
    const LevelMap& levels = read.facts.levels();
    side.levels.resize(static_cast<std::size_t>(levels.count()));
    for (std::int32_t level = 0; level < levels.count(); ++level) {
      GraphChanges::Side::Level& ops = side.levels[static_cast<std::size_t>(level)];
      for (const OpId at : levels.ops(level)) {
        const State state = states[at.index()];
        ++(state == State::kSame ? ops.same : state == State::kChanged ? ops.changed : ops.own);
      }
    }
    return side;
  }

  // Over the levels of the second graph, which a rewrite has more of.
  void add_memory() {
    if (!before_.memory.timeline && !after_.memory.timeline) return;
    const auto side = [](const NamedGraph& named) {
      const ReadGraph& ops = *(named.origin != nullptr ? named.origin : named.graph);
      return render::ComparedSide{named.title, named.memory.timeline.get(), &ops.document.graph};
    };
    const NamedGraph& axis = changes_.after.levels.empty() ? before_ : after_;
    const Bytes budget = after_.memory.budget > 0 ? after_.memory.budget : before_.memory.budget;
    changes_.memory = std::make_shared<const render::ComparedMemory>(
        render::compare_memory(side(before_), side(after_), axis.graph->document.graph, axis.title,
                               axis.graph->facts.levels(), budget));
  }

  void list_ops() {
    ChangedScopes scopes;
    std::vector<std::size_t> scope_of;
    for (const ChangedOp& one : changed_) {
      const Graph& graph = one.is_removed() ? a_ : b_;
      const OpId op = one.is_removed() ? one.before : one.after;
      const ChangeKind kind = kind_of(one);
      count(kind, changes_.counts);
      scope_of.push_back(scopes.add(graph.name(op), kind));
      changes_.ops.push_back(
          {std::string(graph.name(op)), std::string(graph.type(op)), kind, 0, lines_of(one)});
    }
    std::vector<std::uint32_t> row_of;
    changes_.scopes = scopes.rows(row_of);
    for (std::size_t i = 0; i < scope_of.size(); ++i) changes_.ops[i].scope = row_of[scope_of[i]];
  }

  std::vector<std::string> lines_of(const ChangedOp& one) {
    std::vector<std::string> lines;
    if (one.is_removed())
      return {fmt::format("{}, which only {} has", a_.type(one.before), before_.title)};
    if (one.is_added()) {
      const auto copy = copies_.find(b_.name(one.after));
      std::string line(b_.type(one.after));
      if (!b_.device(one.after).empty())
        line += fmt::format(" on {}", shown_name(b_.device(one.after)));
      if (copy != copies_.end() && !copy->second->source.empty()) {
        const std::string source = shown_name(copy->second->source);
        line += passes_on(copy->second->type) ? ", carries " + source
                                              : fmt::format(", computes {} again", source);
      }
      return {line};
    }
    add_fields(one, lines);
    if (one.inputs) add_inputs(one, lines);
    if (one.control) add_controls(one, lines);
    if (lines.size() > kMostLines) {
      const std::size_t rest = lines.size() - kMostLines;
      lines.resize(kMostLines);
      lines.push_back(fmt::format("and {} more", rest));
    }
    return lines;
  }

  void add_fields(const ChangedOp& one, std::vector<std::string>& lines) {
    if (one.type || one.device || one.fields) ++differently_made_;
    if (one.type)
      lines.push_back(fmt::format("type {} -> {}", a_.type(one.before), b_.type(one.after)));
    if (one.device) {
      lines.push_back(fmt::format("device '{}' -> '{}'", shown_name(a_.device(one.before)),
                                  shown_name(b_.device(one.after))));
    }
    if (!one.fields) return;
    const auto differences = attribute_differences(a_, one.before, b_, one.after);
    for (const auto& [key, kind] : differences) {
      lines.push_back(fmt::format("attribute {} {}", shown_name(key), difference_word(kind)));
    }
    if (differences.empty())
      lines.emplace_back("a field beside type, device, inputs and attributes differs");
  }

  void add_inputs(const ChangedOp& one, std::vector<std::string>& lines) {
    const auto had = a_.inputs(one.before), has = b_.inputs(one.after);
    if (had.size() != has.size()) {
      ++other_inputs_;
      lines.push_back(fmt::format("{} inputs -> {}", had.size(), has.size()));
    }
    for (std::size_t slot = 0; slot < std::min(had.size(), has.size()); ++slot) {
      const std::string from = a_.tensor_name(had[slot]), to = b_.tensor_name(has[slot]);
      if (from != to)
        lines.push_back(fmt::format("input {}: {} -> {}", slot, shown_name(from), shown_name(to)));
    }
  }

  void add_controls(const ChangedOp& one, std::vector<std::string>& lines) {
    const ControlDifference found = control_difference(a_, one.before, b_, one.after);
    lost_controls_ += found.lost.size();
    for (const auto name : found.lost)
      lines.push_back(fmt::format("no longer waits for {}", shown_name(name)));
    for (const auto name : found.added)
      lines.push_back(fmt::format("waits for {}", shown_name(name)));
  }

  void check_that(bool holds, std::string then, std::string otherwise) {
    changes_.checks.push_back({holds ? std::move(then) : std::move(otherwise), holds});
  }

  // With the count in front.
  void check_none(std::size_t wrong, std::string_view thing, std::string_view what,
                  std::string then) {
    check_that(wrong == 0, std::move(then), fmt::format("{} {}", counted(wrong, thing), what));
  }

  // Two rewrites of one graph, neither of which is a rewrite of the other: each has copies that the
  // other lacks.
  [[nodiscard]] bool are_rewrites_of_one() const {
    if (found_.has_same_values() || !are_edits_of_one(before_, after_)) return false;
    const Graph& origin = before_.origin->document.graph;
    return compare_edit(origin, a_).has_same_values() && compare_edit(origin, b_).has_same_values();
  }

  void check() {
    if (are_rewrites_of_one()) {
      changes_.has_same_values = true;
      changes_.checks.push_back({"both compute what the original does", true});
      changes_.checks.push_back({"they differ in what they copy, recompute and order", true});
      return;
    }
    const ChangeCounts& counts = changes_.counts;
    check_that(counts.removed == 0,
               fmt::format("all {} ops of {} are there", a_.op_count(), before_.title),
               fmt::format("{} of the {} ops of {} {} missing", counts.removed, a_.op_count(),
                           before_.title, counts.removed == 1 ? "is" : "are"));
    check_none(differently_made_, "op", "with another type, device or attribute",
               "their types, devices and attributes are the same");
    std::size_t rerouted = 0, wrong = other_inputs_;
    for (const GraphDiff::InputChange& change : found_.diff.rerouted) {
      if (!a_.find(change.op).valid()) continue;  // of a function
      ++(change.carries == change.from ? rerouted : wrong);
    }
    check_none(wrong, "input", "with another value",
               fmt::format("every input has its value, {} of them from copies", rerouted));
    const auto& control = found_.diff.control;
    const auto added_controls =
        std::count_if(control.begin(), control.end(),
                      [&](const auto& change) { return b_.find(change.op).valid(); });
    check_none(lost_controls_, "control edge", "missing",
               fmt::format("no control edge is missing, {} new", added_controls));
    const auto sound = std::count_if(copies_.begin(), copies_.end(),
                                     [&](const auto& copy) { return b_.find(copy.first).valid(); });
    check_none(static_cast<std::size_t>(std::max<std::int64_t>(0, counts.added - sound)), "new op",
               "computing something else",
               counts.added == 0 ? "there is no new op"
                                 : "new ops only copy, recompute or order what is there");
    check_that(is_acyclic_, "there is no cycle", "there is a cycle");
    check_surroundings();
    if (!found_.diff.more_branches.empty()) {
      changes_.checks.push_back(
          {fmt::format("fewer cases for {}: {} runs only where {}",
                       counted(found_.diff.more_branches.size(), "op"),
                       shown_name(found_.diff.more_branches.front().op),
                       shown_name(fmt::format(
                           "{}", fmt::join(found_.diff.more_branches.front().branches, " and ")))),
           false});
    }
    const bool is_found = std::any_of(changes_.checks.begin(), changes_.checks.end(),
                                      [](const auto& one) { return !one.holds; });
    if (!changes_.has_same_values && !is_found) {
      changes_.checks.push_back({shown_name(found_.diff.violations.front()), false});
    }
  }

  // What is not an op of the graph, functions that both have included.
  void check_surroundings() {
    std::vector<std::string_view> wrong(found_.surroundings.violations.begin(),
                                        found_.surroundings.violations.end());
    for (const std::string& violation : found_.diff.violations) {
      if (violation.starts_with("function '")) wrong.push_back(violation);
    }
    const std::size_t functions = found_.surroundings.changed_functions.size();
    std::string equal =
        found_.surroundings.collections_compared || are_edits_of_one(before_, after_)
            ? "functions, versions, collections and signatures are equal"
            : "functions and versions are equal";
    if (functions > 0) {
      equal += fmt::format(", but for {} that compute the same", counted(functions, "function"));
    }
    check_that(wrong.empty(), std::move(equal),
               wrong.empty()
                   ? ""
                   : fmt::format("{} around the ops: {}", counted(wrong.size(), "difference"),
                                 shown_name(wrong.front())));
  }

  void say_verdict() {
    if (found_.is_equal() && changes_.counts.all() == 0) {
      changes_.verdict = fmt::format("{} and {} are equal", before_.title, after_.title);
      return;
    }
    const ChangeCounts& counts = changes_.counts;
    changes_.verdict =
        fmt::format("{} -> {}: {} added, {} changed, {} removed", before_.title, after_.title,
                    counted(counts.added, "op"), counts.changed, counts.removed);
    if (const std::size_t functions = found_.surroundings.changed_functions.size()) {
      changes_.verdict += fmt::format(", {} changed", counted(functions, "function"));
    }
    const std::size_t fewer = found_.diff.more_branches.size();
    changes_.verdict +=
        !changes_.has_same_values ? "; values may differ"
        : fewer == 0
            ? "; every op computes the same as before"
            : fmt::format("; what runs computes the same, {} in fewer cases", counted(fewer, "op"));
  }

  const NamedGraph& before_;
  const NamedGraph& after_;
  const Graph& a_;
  const Graph& b_;
  const GraphComparison& found_;
  std::vector<ChangedOp> changed_;
  std::map<std::string_view, const GraphDiff::Copy*> copies_;
  bool is_acyclic_ = true;
  std::size_t differently_made_ = 0, other_inputs_ = 0, lost_controls_ = 0;
  GraphChanges changes_;
};

Result<std::string> node_text(const Graph& graph, OpId op) {
  if (!op.valid()) return std::string();
  return io::wire_to_text(graph.encoded(op), io::MessageKind::kNodeDef, 0);
}

bool is_too_long(const Graph& graph, OpId op) {
  return op.valid() && graph.encoded(op).size() > kMostNodeBytes;
}

// What is said of ops with so many bytes that nobody reads them.
std::vector<std::pair<DiffLine::Kind, std::string>> sizes_of(const Graph& before, OpId op,
                                                             const Graph& after, OpId twin) {
  const auto line = [](const Graph& graph, OpId one) {
    return fmt::format("({} bytes, too many to be shown)", graph.encoded(one).size());
  };
  if (op.valid() && twin.valid() && before.encoded(op) == after.encoded(twin)) {
    return {{DiffLine::Kind::kSame, line(before, op)}};
  }
  std::vector<std::pair<DiffLine::Kind, std::string>> lines;
  if (op.valid()) lines.emplace_back(DiffLine::Kind::kRemoved, line(before, op));
  if (twin.valid()) lines.emplace_back(DiffLine::Kind::kAdded, line(after, twin));
  return lines;
}

}  // namespace

Result<ShownChangesPtr> show_changes(NamedGraph before, NamedGraph after, Progress& progress) {
  const io::Document& original = before.graph->document;
  const io::Document& other = after.graph->document;
  if (!progress.report("comparing", 0, 0)) return cancelled();
  GraphComparison found;
  if (are_edits_of_one(before, after)) {
    found = compare_edit(original.graph, other.graph);
  } else {
    TIDELINE_TRY(found, compare_documents(original, other));
  }
  if (!progress.report("listing differences", 0, 0)) return cancelled();
  auto shown = std::make_shared<ShownChanges>();
  shown->changes = Comparing(before, after, found).run();
  shown->before = std::move(before);
  shown->after = std::move(after);
  return shown;
}

Result<std::vector<std::pair<DiffLine::Kind, std::string>>> changed_text(const ShownChanges& shown,
                                                                         const std::string& op) {
  const Graph& before = shown.before.graph->document.graph;
  const Graph& after = shown.after.graph->document.graph;
  const OpId here = before.find(op), there = after.find(op);
  if (is_too_long(before, here) || is_too_long(after, there)) {
    return sizes_of(before, here, after, there);
  }
  TIDELINE_TRY(const std::string had, node_text(before, here));
  TIDELINE_TRY(const std::string has, node_text(after, there));
  std::vector<std::pair<DiffLine::Kind, std::string>> lines;
  for (const DiffLine& line : diff_lines(had, has)) lines.emplace_back(line.kind, line.text);
  return lines;
}

}  // namespace tideline::app
