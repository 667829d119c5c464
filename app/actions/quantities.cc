// Tested by unit/actions/script_test.cc.
#include "app/actions/quantities.h"

#include <algorithm>
#include <array>
#include <functional>
#include <variant>

#include "app/actions/commands.h"
#include "app/actions/cycle_runs.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"
#include "render/view/step_moment.h"

namespace tideline::app {
namespace {

using Quantum = std::variant<std::int64_t, std::string>;

enum class Unit : std::uint8_t { kCount, kBytes, kNanos };

struct Quantity {
  std::string_view name;
  bool needs_graph = false;
  bool needs_plan = false;
  std::function<Quantum(const Viewer& viewer)> get;
  Unit unit = Unit::kCount;
};

Quantity in(Unit unit, Quantity quantity) {
  quantity.unit = unit;
  return quantity;
}

const Snapshot& snapshot(const Viewer& viewer) {
  return *viewer.graph().snapshot();
}

template <typename Value>
Quantum quantum(const Value& value) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<std::int64_t>(value);
  } else {
    return std::string(value);
  }
}

enum class Needs : std::uint8_t { kNothing, kGraph, kPlan };

// `get` of the viewer.
template <typename Get>
Quantity shown(std::string_view name, Needs needs, const Get& get) {
  return {name, needs != Needs::kNothing, needs == Needs::kPlan,
          [get](const Viewer& viewer) { return quantum(get(viewer)); }};
}

// `get` of the results for the device that is shown.
template <typename Get>
Quantity of_device(std::string_view name, Needs needs, const Get& get) {
  return shown(name, needs, [get](const Viewer& viewer) {
    const auto& devices = snapshot(viewer).devices;
    return get(devices[std::min<std::size_t>(viewer.view.device, devices.size() - 1)]);
  });
}

// While TensorFlow has not said a peak it is no number, so that no expectation holds.
constexpr const char* kNotKnown = "not known";

// One of the lists of peaks of exact steps, for the device that is shown.
template <typename Get>
Quantity exact_peak(std::string_view name, Needs needs, const Get& get) {
  return {name, needs != Needs::kNothing, needs == Needs::kPlan,
          [get](const Viewer& viewer) -> Quantum {
            const auto& exact = viewer.graph().exact();
            if (!exact || get(*exact).empty()) return kNotKnown;
            const std::vector<ui::ExactPeak>& peaks = get(*exact);
            return peaks[std::min<std::size_t>(viewer.view.device, peaks.size() - 1)].device_peak;
          }};
}

// What the plan needs on the device: of a cycle of runs its largest run, whose peak is not known
// where nothing was simulated; else of the device with the largest peak, or of `device` alone.
Quantum plan_peak(const Viewer& viewer, std::optional<std::size_t> device) {
  const Snapshot& now = snapshot(viewer);
  const std::vector<ui::RunRow> runs = cycle_runs(now);
  if (!runs.empty()) {
    const Bytes largest = std::ranges::max(runs, {}, &ui::RunRow::peak).peak;
    return largest == 0 ? Quantum(kNotKnown) : Quantum(largest);
  }
  if (device) return now.devices[std::min(*device, now.devices.size() - 1)].peak();
  const auto peak = [](const DeviceResult& one) { return one.peak(); };
  return std::ranges::max(now.devices, {}, peak).peak();
}

// A number where it is one, so that it can be compared with < and >.
Quantum guess(const Viewer& viewer) {
  if (const auto number = parse_as<std::int64_t>(viewer.guess)) return *number;
  return viewer.guess;
}

// `get` of the answer to what fits; not known while it belongs to an earlier wish.
template <typename Get>
Quantity of_fit(std::string_view name, const Get& get) {
  return {name, true, false, [get](const Viewer& viewer) -> Quantum {
            const ui::FitState fit = viewer.graph().fit();
            if (fit.card == nullptr || fit.is_stale) return kNotKnown;
            return get(*fit.card);
          }};
}

// `get` of what differs between the two graphs that are compared; not known while the answer
// belongs to an earlier wish.
template <typename Get>
Quantity of_diff(std::string_view name, const Get& get) {
  return {name, true, false, [get](const Viewer& viewer) -> Quantum {
            const ui::DiffState diff = viewer.graph().changes();
            if (diff.changes == nullptr || diff.is_stale) return kNotKnown;
            return get(*diff.changes);
          }};
}

// `get` of a part of the checkpoint that is shown; -1 if the part is not known.
template <typename Part, typename Get>
Quantity of_checkpoint(std::string_view name, Part ui::CheckpointContents::*part, const Get& get) {
  return shown(name, Needs::kNothing, [part, get](const Viewer& viewer) {
    const auto contents = shown_checkpoint(viewer);
    return contents && (*contents).*part ? static_cast<std::int64_t>(get(*((*contents).*part)))
                                         : -1;
  });
}

// `get` of the moment of the step player; not known without one.
template <typename Get>
Quantity at_player(std::string_view name, const Get& get) {
  return {name, true, false, [get](const Viewer& viewer) -> Quantum {
            if (!viewer.view.player) return kNotKnown;
            const render::Scene scene = snapshot(viewer).scene();
            const render::MemoryLayout memory =
                render::layout_memory(scene, viewer.view.device, render::MemoryAxis::kLevel);
            return std::int64_t{get(render::memory_moment(memory, *viewer.view.player))};
          }};
}

const std::array kQuantities = {
    of_checkpoint("tensors", &ui::CheckpointContents::listing,
                  [](const auto& listing) { return listing.tensors.size(); }),
    of_checkpoint("damages", &ui::CheckpointContents::check,
                  [](const auto& check) { return check.damages.size(); }),
    of_checkpoint("differences", &ui::CheckpointContents::comparison,
                  [](const auto& found) { return found.different.size(); }),
    Quantity{"device-peak", true, true,
             [](const Viewer& viewer) { return plan_peak(viewer, viewer.view.device); },
             Unit::kBytes},
    Quantity{"plan-peak", true, true,
             [](const Viewer& viewer) { return plan_peak(viewer, std::nullopt); }, Unit::kBytes},
    shown("runs", Needs::kPlan,
          [](const Viewer& viewer) {
            return std::max<std::size_t>(1, cycle_runs(snapshot(viewer)).size());
          }),
    in(Unit::kBytes, of_device("host-peak", Needs::kPlan,
                               [](const auto& one) { return one.result().timeline.host_peak; })),
    in(Unit::kBytes,
       of_device("original-device-peak", Needs::kGraph,
                 [](const auto& one) { return one.original->before.timeline.device_peak; })),
    in(Unit::kBytes,
       exact_peak(
           "exact-device-peak", Needs::kPlan, [](const ui::ExactPeaks& exact) -> const auto& {
             return exact.after.empty() ? exact.before : exact.after;
           })),
    in(Unit::kBytes, exact_peak(
                         "exact-original-device-peak", Needs::kGraph,
                         [](const ui::ExactPeaks& exact) -> const auto& { return exact.before; })),
    of_fit("fits",
           [](const ui::FitCard& card) -> Quantum {
             return card.fits ? "yes" : card.any_fits ? "by-a-way" : "no";
           }),
    of_fit("fit-largest-batch",
           [](const ui::FitCard& card) -> Quantum {
             if (!card.largest_batch) return "any";
             return *card.largest_batch;
           }),
    of_diff("diff-added", [](const auto& changes) -> Quantum { return changes.counts.added; }),
    of_diff("diff-changed", [](const auto& changes) -> Quantum { return changes.counts.changed; }),
    of_diff("diff-removed", [](const auto& changes) -> Quantum { return changes.counts.removed; }),
    of_diff("diff-same-values",
            [](const auto& changes) -> Quantum { return changes.has_same_values ? "yes" : "no"; }),
    shown("swaps", Needs::kPlan,
          [](const Viewer& viewer) { return snapshot(viewer).plan().swaps().size(); }),
    shown("swap-ins", Needs::kPlan,
          [](const Viewer& viewer) { return swap_in_count(snapshot(viewer).plan().swaps()); }),
    of_device("late-swap-ins", Needs::kPlan,
              [](const auto& one) { return one.timing.after.late.size(); }),
    of_device("idle-swaps", Needs::kPlan,
              [](const auto& one) { return tideline::idle_swaps(one.effects).count; }),
    in(Unit::kBytes, of_device("bytes-out", Needs::kPlan,
                               [](const auto& one) { return one.result().timeline.bytes_out; })),
    in(Unit::kBytes, of_device("bytes-in", Needs::kPlan,
                               [](const auto& one) { return one.result().timeline.bytes_in; })),
    in(Unit::kNanos, of_device("step-ns", Needs::kGraph,
                               [](const auto& one) { return one.timing.after.step_ns(); })),
    shown("control-edges", Needs::kPlan,
          [](const Viewer& viewer) { return snapshot(viewer).plan().edit.control.size(); }),
    shown("ops", Needs::kGraph,
          [](const Viewer& viewer) { return snapshot(viewer).graph->graph().op_count(); }),
    shown("levels", Needs::kGraph, level_count),
    shown("devices", Needs::kGraph,
          [](const Viewer& viewer) { return snapshot(viewer).devices.size(); }),
    shown("documents", Needs::kNothing,
          [](const Viewer& viewer) { return viewer.session.documents().size(); }),
    shown("mode", Needs::kNothing,
          [](const Viewer& viewer) { return viewer.graph().wish().policy.rewriter; }),
    at_player("player-level", [](const render::MemoryMoment& moment) { return moment.level; }),
    at_player("device-now", [](const render::MemoryMoment& moment) { return moment.device; }),
    at_player("host-now", [](const render::MemoryMoment& moment) { return moment.host; }),
    shown("selected", Needs::kNothing,
          [](const Viewer& viewer) {
            const auto op = selected_op(viewer);
            return op ? snapshot(viewer).graph->graph().name(*op) : std::string_view();
          }),
    shown("open-boxes", Needs::kNothing,
          [](const Viewer& viewer) { return viewer.view.boxes.open.size(); }),
    shown("tab", Needs::kNothing,
          [](const Viewer& viewer) { return ui::view_of(viewer.view.tab).word; }),
    shown("theme", Needs::kNothing,
          [](const Viewer& viewer) { return render::theme_name(viewer.view.theme); }),
    shown("undo", Needs::kNothing,
          [](const Viewer& viewer) { return viewer.graph().undo_title(); }),
    shown("policy-error", Needs::kNothing,
          [](const Viewer& viewer) {
            const std::optional<Error>& error = viewer.graph().policy_error();
            return error ? with_parameter_names(error->message, Naming::kField) : "";
          }),
    Quantity{"lesson.guess", false, false, guess},
    shown("unwritten", Needs::kNothing,
          [](const Viewer& viewer) { return viewer.graph().is_unwritten() ? "yes" : "no"; }),
};

// The numbers that a rewriter was given or found, by the short names that it gives them.
std::vector<Quantity> parameter_quantities() {
  std::vector<Quantity> quantities;
  for (const Rewriter* rewriter : rewriters()) {
    for (const Parameter& parameter : rewriter->parameters) {
      if (parameter.quantity.empty()) continue;
      quantities.push_back(
          shown(parameter.quantity, Needs::kPlan, [&parameter](const Viewer& viewer) {
            const Value value = snapshot(viewer).planned.used.values.get(parameter);
            const auto* number = std::get_if<std::int64_t>(&value);
            return number == nullptr ? std::int64_t{0} : *number;
          }));
    }
  }
  return quantities;
}

std::vector<Quantity> all_quantities() {
  std::vector<Quantity> all(kQuantities.begin(), kQuantities.end());
  for (Quantity& quantity : parameter_quantities()) all.push_back(std::move(quantity));
  return all;
}

std::optional<Quantity> find_quantity(std::string_view name) {
  for (Quantity& entry : all_quantities()) {
    if (entry.name == name) return std::move(entry);
  }
  return std::nullopt;
}

template <typename T>
std::optional<bool> compare(const T& a, std::string_view is, const T& b) {
  if (is == "==") return a == b;
  if (is == "!=") return a != b;
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (is == "<") return a < b;
    if (is == "<=") return a <= b;
    if (is == ">") return a > b;
    if (is == ">=") return a >= b;
  }
  return std::nullopt;
}

// A count may be -1 where a parameter is missing; anything else is a size.
Result<std::int64_t> number_of(const std::string& text) {
  if (const auto count = parse_as<std::int64_t>(text)) return *count;
  return parse_size(text);
}

// "320.00 MiB"; "63 ms"; "12".
std::string with_unit(std::int64_t number, Unit unit) {
  switch (unit) {
    case Unit::kCount: break;
    case Unit::kBytes: return format_bytes(number);
    case Unit::kNanos: return format_time(number);
  }
  return std::to_string(number);
}

// Both numbers with their unit; where these look alike, the exact ones as well.
std::string say_numbers(const Quantity& quantity, std::int64_t is, std::string_view relation,
                        std::int64_t wanted) {
  std::string left = with_unit(is, quantity.unit);
  std::string right = with_unit(wanted, quantity.unit);
  if (left == right && is != wanted) {
    left += fmt::format(" ({})", is);
    right += fmt::format(" ({})", wanted);
  }
  return fmt::format("{} is {}, expected {} {}", quantity.name, left, relation, right);
}

std::string say_texts(const Quantity& quantity, const std::string& is, std::string_view relation,
                      const std::string& wanted) {
  return fmt::format("{} is {}, expected {} {}", quantity.name, is.empty() ? "empty" : is, relation,
                     wanted.empty() ? "empty" : wanted);
}

constexpr std::array<std::string_view, 6> kRelations = {"==", "!=", "<", "<=", ">", ">="};

// What can be said of an expectation without a graph.
Result<Quantity> expected_quantity(const std::vector<std::string>& words) {
  if (words.size() != 3) {
    return fail(Code::kInvalidArgument,
                "it has {} words; expected a quantity, an operator and a value, such as "
                "device-peak <= 4GiB",
                words.size());
  }
  std::optional<Quantity> quantity = find_quantity(words[0]);
  if (!quantity) {
    return fail(Code::kInvalidArgument, "'{}' is not a quantity; expected one of {}",
                printable(words[0]), fmt::join(quantity_names(), ", "));
  }
  return *std::move(quantity);
}

}  // namespace

Result<Finding> find_expectation(const Viewer& viewer, const std::vector<std::string>& words) {
  TIDELINE_TRY(const Quantity quantity, expected_quantity(words));
  if (quantity.needs_graph && !has_graph(viewer)) {
    return fail(Code::kInvalidArgument, "no graph is open; expected one for {}", words[0]);
  }
  const Quantum is = quantity.get(viewer);
  if (is == Quantum(kNotKnown)) {
    return Finding{
        false, fmt::format("{} is {}, expected {} {}", words[0], kNotKnown, words[1], words[2])};
  }
  if (const auto* number = std::get_if<std::int64_t>(&is)) {
    const auto wanted = number_of(words[2]);
    if (!wanted) return bad_argument(words[2], "a number or a size");
    const auto holds = compare(*number, words[1], *wanted);
    if (!holds) return bad_argument(words[1], "one of == != < <= > >=");
    return Finding{*holds, say_numbers(quantity, *number, words[1], *wanted)};
  }
  const auto& text = std::get<std::string>(is);
  const auto holds = compare(text, words[1], words[2]);
  if (!holds) return bad_argument(words[1], "== or !=");
  return Finding{*holds, say_texts(quantity, text, words[1], words[2])};
}

Result<std::string> check_expectation(const Viewer& viewer, const std::vector<std::string>& words) {
  TIDELINE_TRY(const Finding found, find_expectation(viewer, words));
  return found.holds ? std::string() : found.text;
}

Status check_form(const std::vector<std::string>& words) {
  TIDELINE_TRY(const Quantity quantity, expected_quantity(words));
  if (std::find(kRelations.begin(), kRelations.end(), words[1]) == kRelations.end()) {
    return bad_argument(words[1], "one of == != < <= > >=");
  }
  if (quantity.unit != Unit::kCount && !number_of(words[2])) {
    return bad_argument(words[2], "a number or a size");
  }
  return {};
}

std::string quantity_text(const Viewer& viewer, std::string_view name) {
  const std::optional<Quantity> quantity = find_quantity(name);
  if (!quantity || (quantity->needs_graph && !has_graph(viewer))) return kNotKnown;
  const Quantum is = quantity->get(viewer);
  if (const auto* number = std::get_if<std::int64_t>(&is))
    return with_unit(*number, quantity->unit);
  return std::get<std::string>(is);
}

bool needs_plan(std::string_view quantity) {
  const std::optional<Quantity> found = find_quantity(quantity);
  return found && found->needs_plan;
}

bool needs_graph(std::string_view quantity) {
  const std::optional<Quantity> found = find_quantity(quantity);
  return found && found->needs_graph;
}

std::vector<std::string_view> quantity_names() {
  std::vector<std::string_view> names;
  for (const Quantity& quantity : all_quantities()) names.push_back(quantity.name);
  return names;
}

}  // namespace tideline::app
