// Tested by unit/actions/script_test.cc.
#include "app/actions/quantities.h"

#include <algorithm>
#include <array>
#include <functional>
#include <variant>

#include "app/actions/commands.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

using Quantum = std::variant<std::int64_t, std::string>;

struct Quantity {
  std::string_view name;
  bool needs_graph = false;
  bool needs_plan = false;
  std::function<Quantum(const Viewer& viewer)> get;
};

const Snapshot& snapshot(const Viewer& viewer) {
  return *viewer.graph().snapshot();
}
// Of the device that is shown.
const DeviceResult& device(const Viewer& viewer) {
  const auto& devices = snapshot(viewer).devices;
  return devices[std::min<std::size_t>(viewer.view.device, devices.size() - 1)];
}
Quantum count(std::size_t number) {
  return static_cast<std::int64_t>(number);
}

// Of the checkpoint that is shown; -1 if `part` of it is not known.
template <typename Part, typename Count>
Quantum of_checkpoint(const Viewer& viewer, Part ui::CheckpointContents::*part,
                      const Count& counted) {
  const auto contents = shown_checkpoint(viewer);
  return contents && (*contents).*part ? count(counted(*((*contents).*part))) : std::int64_t{-1};
}

const std::array kQuantities = {
    Quantity{"tensors", false, false,
             [](const Viewer& viewer) -> Quantum {
               return of_checkpoint(viewer, &ui::CheckpointContents::listing,
                                    [](const auto& listing) { return listing.tensors.size(); });
             }},
    Quantity{"damages", false, false,
             [](const Viewer& viewer) -> Quantum {
               return of_checkpoint(viewer, &ui::CheckpointContents::check,
                                    [](const auto& check) { return check.damages.size(); });
             }},
    Quantity{"differences", false, false,
             [](const Viewer& viewer) -> Quantum {
               return of_checkpoint(viewer, &ui::CheckpointContents::comparison,
                                    [](const auto& found) { return found.different.size(); });
             }},
    Quantity{"device-peak", true, true,
             [](const Viewer& viewer) -> Quantum {
               return device(viewer).result().timeline.device_peak;
             }},
    Quantity{
        "host-peak", true, true,
        [](const Viewer& viewer) -> Quantum { return device(viewer).result().timeline.host_peak; }},
    Quantity{"original-device-peak", true, false,
             [](const Viewer& viewer) -> Quantum {
               return device(viewer).original->before.timeline.device_peak;
             }},
    Quantity{"swaps", true, true,
             [](const Viewer& viewer) -> Quantum {
               return count(snapshot(viewer).plan().swaps().size());
             }},
    Quantity{"swap-ins", true, true,
             [](const Viewer& viewer) -> Quantum {
               return swap_in_count(snapshot(viewer).plan().swaps());
             }},
    Quantity{"late-swap-ins", true, true,
             [](const Viewer& viewer) -> Quantum {
               return count(device(viewer).timing.after.late.size());
             }},
    Quantity{"idle-swaps", true, true,
             [](const Viewer& viewer) -> Quantum {
               return tideline::idle_swaps(device(viewer).effects).count;
             }},
    Quantity{"bytes-out", true, true,
             [](const Viewer& viewer) -> Quantum {
               return std::int64_t{device(viewer).result().timeline.bytes_out};
             }},
    Quantity{"bytes-in", true, true,
             [](const Viewer& viewer) -> Quantum {
               return std::int64_t{device(viewer).result().timeline.bytes_in};
             }},
    Quantity{"step-ns", true, false,
             [](const Viewer& viewer) -> Quantum { return device(viewer).timing.after.step_ns(); }},
    Quantity{"control-edges", true, true,
             [](const Viewer& viewer) -> Quantum {
               return count(snapshot(viewer).plan().edit.control.size());
             }},
    Quantity{"ops", true, false,
             [](const Viewer& viewer) -> Quantum {
               return count(snapshot(viewer).graph->graph().op_count());
             }},
    Quantity{"levels", true, false,
             [](const Viewer& viewer) -> Quantum { return std::int64_t{level_count(viewer)}; }},
    Quantity{
        "devices", true, false,
        [](const Viewer& viewer) -> Quantum { return count(snapshot(viewer).devices.size()); }},
    Quantity{
        "documents", false, false,
        [](const Viewer& viewer) -> Quantum { return count(viewer.session.documents().size()); }},
    Quantity{"mode", false, false,
             [](const Viewer& viewer) -> Quantum { return viewer.graph().wish().policy.rewriter; }},
    Quantity{"selected", false, false,
             [](const Viewer& viewer) -> Quantum {
               const auto op = selected_op(viewer);
               return std::string(op ? snapshot(viewer).graph->graph().name(*op) : "");
             }},
    Quantity{"tab", false, false,
             [](const Viewer& viewer) -> Quantum {
               return std::string(ui::view_of(viewer.view.tab).word);
             }},
    Quantity{"theme", false, false,
             [](const Viewer& viewer) -> Quantum {
               return std::string(render::theme_name(viewer.view.theme));
             }},
    Quantity{"undo", false, false,
             [](const Viewer& viewer) -> Quantum { return viewer.graph().undo_title(); }},
    Quantity{"policy-error", false, false,
             [](const Viewer& viewer) -> Quantum {
               const std::optional<Error>& error = viewer.graph().policy_error();
               return error ? with_parameter_names(error->message, Naming::kField) : "";
             }},
    Quantity{"unwritten", false, false,
             [](const Viewer& viewer) -> Quantum {
               return std::string(viewer.graph().is_unwritten() ? "yes" : "no");
             }},
};

// The numbers that a rewriter was given or found, by the short names that it gives them.
std::vector<Quantity> parameter_quantities() {
  std::vector<Quantity> quantities;
  for (const Rewriter* rewriter : rewriters()) {
    for (const Parameter& parameter : rewriter->parameters) {
      if (parameter.quantity.empty()) continue;
      quantities.push_back(
          {parameter.quantity, true, true, [&parameter](const Viewer& viewer) -> Quantum {
             const Value value = snapshot(viewer).planned.used.values.get(parameter);
             const auto* number = std::get_if<std::int64_t>(&value);
             return number == nullptr ? std::int64_t{0} : *number;
           }});
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

}  // namespace

Result<std::string> check_expectation(const Viewer& viewer, const std::vector<std::string>& words) {
  if (words.size() != 3) {
    return fail(Code::kInvalidArgument,
                "it has {} words; expected a quantity, an operator and a value, such as "
                "device-peak <= 4GiB",
                words.size());
  }
  const std::optional<Quantity> quantity = find_quantity(words[0]);
  if (!quantity) {
    return fail(Code::kInvalidArgument, "'{}' is not a quantity; expected one of {}",
                printable(words[0]), fmt::join(quantity_names(), ", "));
  }
  if (quantity->needs_graph && !has_graph(viewer)) {
    return fail(Code::kInvalidArgument, "no graph is open; expected one for {}", words[0]);
  }
  const Quantum is = quantity->get(viewer);
  std::optional<bool> holds;
  if (const auto* number = std::get_if<std::int64_t>(&is)) {
    const auto wanted = number_of(words[2]);
    if (!wanted) return bad_argument(words[2], "a number or a size");
    holds = compare(*number, words[1], *wanted);
  } else {
    holds = compare(std::get<std::string>(is), words[1], words[2]);
  }
  if (!holds) {
    return bad_argument(
        words[1], std::holds_alternative<std::string>(is) ? "== or !=" : "one of == != < <= > >=");
  }
  if (*holds) return std::string();
  return std::visit([&](const auto& value) { return fmt::format("{} is {}", words[0], value); },
                    is);
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
