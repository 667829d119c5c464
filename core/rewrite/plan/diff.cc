// The proof: values are unchanged when every op computes the same function of the same values. An
// Identity computes its input, so an added op that is an Identity (or a chain of them) stands for
// the tensor of the original at its end; an added op that computes what an op of the original does
// stands for that op (carried_values.h). Following every input to that end and comparing it with
// what the original reads leaves only control edges, which order ops and change no value of an op
// that runs; all control edges of the original must remain. Whether an op still runs is a question
// of its own: which ops hang on more branches of a v1 conditional than before is said beside the
// proof. Tested by unit/rewrite/diff_test.cc.
#include "core/rewrite/plan/diff.h"

#include <set>

#include "core/analysis/conditions.h"
#include "core/analysis/loop_frames.h"
#include "core/base/text.h"
#include "core/rewrite/plan/carried_values.h"
#include "core/rewrite/plan/changed_ops.h"

namespace tideline {
namespace {

class Comparison {
 public:
  Comparison(const Graph& original, const Graph& rewritten)
      : original_(original),
        rewritten_(rewritten),
        values_(original, rewritten),
        frames_(original) {}

  GraphDiff run() {
    for (const OpId op : rewritten_.ops()) {
      if (!values_.is_added(op)) continue;
      check_added(op);
      for (const OpId after : rewritten_.control_inputs(op)) check_frames(op, after);
    }
    for (const OpId op : original_.ops()) {
      const OpId twin = rewritten_.find(original_.name(op));
      if (!twin.valid()) {
        violation("op '{}' is lost", shown(original_.name(op)));
        continue;
      }
      ++diff_.ops_compared;
      compare(op, twin);
    }
    compare_branches();
    return std::move(diff_);
  }

 private:
  template <typename... Args>
  void violation(fmt::format_string<Args...> format, Args&&... args) {
    diff_.violations.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  static std::string shown(std::string_view name) { return printable(name); }

  void check_added(OpId op) {
    const std::string name(rewritten_.name(op));
    GraphDiff::Copy copy{name, std::string(rewritten_.type(op)), std::string(rewritten_.device(op)),
                         ""};
    const bool computes_nothing = copy.type == "NoOp" && rewritten_.inputs(op).empty();
    if (!values_.is_identity(op) && !values_.recomputed(op) && !computes_nothing) {
      violation("added op '{}' is of type {}; expected an Identity", shown(name), copy.type);
      return;
    }
    if (values_.is_identity(op) && !has_attribute(op, "T")) {
      violation("added op '{}' has no type attribute T", shown(name));
    }
    if (!computes_nothing) copy.source = rewritten_.tensor_name(values_.of({op, 0}));
    diff_.added.push_back(std::move(copy));
  }

  [[nodiscard]] bool has_attribute(OpId op, std::string_view wanted) const {
    bool has = false;
    rewritten_.codec().for_each_attribute(
        rewritten_.encoded(op),
        [&](std::string_view key, std::string_view) { has = has || key == wanted; });
    return has;
  }

  void compare(OpId op, OpId twin) {
    const std::string name = shown(original_.name(op));
    if (original_.type(op) != rewritten_.type(twin)) {
      violation("op '{}': type {} became {}", name, original_.type(op), rewritten_.type(twin));
    }
    if (original_.device(op) != rewritten_.device(twin)) {
      violation("op '{}': device '{}' became '{}'", name, original_.device(op),
                rewritten_.device(twin));
    }
    // An op that was not edited has the very same bytes.
    if (original_.encoded(op) != rewritten_.encoded(twin)) compare_attributes(op, twin, name);
    compare_inputs(op, twin, name);
    compare_controls(op, twin, name);
  }

  void compare_attributes(OpId op, OpId twin, const std::string& name) {
    const auto differences = attribute_differences(original_, op, rewritten_, twin);
    for (const auto& [key, kind] : differences) {
      violation("op '{}': attribute '{}' {}", name, shown(key), difference_word(kind));
    }
    const bool named = differences.empty() && original_.type(op) == rewritten_.type(twin) &&
                       original_.device(op) == rewritten_.device(twin);
    if (named &&
        !original_.codec().same_besides_inputs(original_.encoded(op), rewritten_.encoded(twin))) {
      violation("op '{}': a field other than type, device, inputs and attributes changed", name);
    }
  }

  void compare_inputs(OpId op, OpId twin, const std::string& name) {
    const auto before = original_.inputs(op);
    const auto after = rewritten_.inputs(twin);
    if (before.size() != after.size()) {
      violation("op '{}': {} data inputs became {}", name, before.size(), after.size());
      return;
    }
    for (std::uint32_t slot = 0; slot < before.size(); ++slot) {
      const std::string from = original_.tensor_name(before[slot]);
      const std::string to = rewritten_.tensor_name(after[slot]);
      if (from == to) continue;
      const std::string value = rewritten_.tensor_name(values_.of(after[slot]));
      if (value != from) {
        violation("op '{}': input {} was {} and now carries {}", name, slot, shown(from),
                  shown(value));
      }
      if (original_.reads_reference(op, slot)) {
        violation("op '{}': input {} is a reference to a variable; a copy of it is none", name,
                  slot);
      }
      diff_.rerouted.push_back({std::string(original_.name(op)), slot, from, to, value});
    }
  }

  void compare_controls(OpId op, OpId twin, const std::string& name) {
    std::set<std::string_view> before;
    std::set<std::string_view> after;
    for (const OpId input : original_.control_inputs(op)) before.insert(original_.name(input));
    for (const OpId input : rewritten_.control_inputs(twin)) after.insert(rewritten_.name(input));
    for (const std::string_view input : before) {
      if (after.count(input) == 0) {
        violation("op '{}': no longer waits for '{}'", name, shown(input));
      }
    }
    for (const std::string_view input : after) {
      if (before.count(input) > 0) continue;
      diff_.control.push_back({std::string(original_.name(op)), std::string(input)});
      check_frames(twin, rewritten_.find(input));
    }
  }

  // TensorFlow refuses a control edge between frames of v1 loops. The frames are found in the
  // original, because a wrong edge would merge frames of the rewritten graph.
  void check_frames(OpId op, OpId after) {
    const OpId to = in_original(op);
    const OpId from = in_original(after);
    if (!to.valid() || !from.valid()) return;
    const std::uint32_t frame =
        values_.is_added(op) ? frames_.output_frame(to) : frames_.input_frame(to);
    if (frame == frames_.output_frame(from)) return;
    violation("op '{}': waits for '{}', which is in another loop, or outside of it",
              shown(rewritten_.name(op)), shown(rewritten_.name(after)));
  }
  // The op of the original; of an added op the one whose value it has. Invalid if there is none.
  [[nodiscard]] OpId in_original(OpId op) const {
    if (values_.is_added(op)) op = values_.of({op, 0}).op;
    return original_.find(rewritten_.name(op));
  }

  // Deadness spreads over data and control edges, so a new edge can keep an op from running.
  void compare_branches() {
    const Conditions after(rewritten_);
    if (!after.any()) return;
    const Conditions before(original_);
    for (const OpId op : original_.ops()) {
      const OpId twin = rewritten_.find(original_.name(op));
      if (!twin.valid()) continue;
      std::set<std::pair<std::string, std::uint32_t>> known;
      for (const auto& branch : before.branches(before.of(op))) {
        known.emplace(original_.tensor_name(branch.predicate), branch.side);
      }
      GraphDiff::Branching more;
      for (const auto& branch : after.branches(after.of(twin))) {
        std::string predicate = rewritten_.tensor_name(values_.of(branch.predicate));
        if (known.count({predicate, branch.side}) > 0) continue;
        more.branches.push_back(
            fmt::format("{} is {}", shown(predicate), branch.side == 1 ? "true" : "false"));
      }
      if (more.branches.empty()) continue;
      more.op = original_.name(op);
      diff_.more_branches.push_back(std::move(more));
    }
  }

  const Graph& original_;
  const Graph& rewritten_;
  CarriedValues values_;
  LoopFrames frames_;  // of the original
  GraphDiff diff_;
};

}  // namespace

std::vector<std::string> GraphDiff::differences() const {
  std::vector<std::string> lines;
  for (const Copy& op : added) {
    lines.push_back(fmt::format("op '{}' of type {} is added", printable(op.name), op.type));
  }
  for (const InputChange& change : rerouted) {
    if (change.carries != change.from) continue;  // is a violation
    lines.push_back(fmt::format("op '{}': input {} was {} and is {}", printable(change.op),
                                change.slot, printable(change.from), printable(change.to)));
  }
  for (const ControlChange& change : control) {
    lines.push_back(
        fmt::format("op '{}' waits for '{}'", printable(change.op), printable(change.after)));
  }
  lines.insert(lines.end(), violations.begin(), violations.end());
  return lines;
}

GraphDiff diff_graphs(const Graph& original, const Graph& rewritten) {
  GraphDiff diff = Comparison(original, rewritten).run();
  for (const OpId op : rewritten.ops()) {
    if (original.find(rewritten.name(op)).valid()) continue;
    for (const OpId input : rewritten.control_inputs(op)) {
      diff.control.push_back({std::string(rewritten.name(op)), std::string(rewritten.name(input))});
    }
  }
  return diff;
}

}  // namespace tideline
