#include "render/model/policy_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/size_or_share.h"
#include "core/base/text.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::ui {
namespace {

constexpr std::int64_t kMostBudgetMib = 192 * 1024;
constexpr std::int64_t kUsualBatch = 1024;
constexpr std::int64_t kMostBatch = 1 << 20;
// Sizes are then those of a batch of 1.
constexpr std::string_view kOpenBatch = "open, 1 assumed";
constexpr std::int64_t kLogarithmicFrom = 200;  // sliders that go farther

struct Section {
  ParameterGroup group;
  const char* title;
};
constexpr std::array kSections = {Section{ParameterGroup::kFilters, "Filters"},
                                  Section{ParameterGroup::kOverrides, "Single tensors"},
                                  Section{ParameterGroup::kAdvanced, "Advanced"}};

Control control_of(const Parameter& parameter, const char* section, ControlKind kind) {
  Control control;
  control.section = section;
  control.name = parameter.name;
  control.title = parameter.title;
  control.help = parameter.help;
  control.kind = kind;
  control.action = {"policy.set", control.name, "$"};
  return control;
}

// -1 is shown as "auto" where a search can find the value.
Control number_control(const Parameter& parameter, const char* section, std::int64_t given,
                       std::int64_t levels) {
  const bool is_auto = parameter.is_found && given < 0;
  const std::int64_t value = is_auto ? parameter.least : given;
  std::int64_t most = parameter.usual_most == 0 ? levels : parameter.usual_most;
  if (parameter.unit == "levels") most = std::min(most, levels);
  most = std::max({most, value, parameter.least + 1});
  const bool is_special = value == parameter.least && !parameter.text_of_least.empty();
  Control control = control_of(parameter, section, ControlKind::kSlider);
  control.value = std::to_string(given);
  control.shown = is_auto      ? "auto"
                  : is_special ? std::string(parameter.text_of_least)
                               : control.value;
  control.expected = parameter.expected;
  control.number = static_cast<double>(value);
  control.least = static_cast<double>(std::min(parameter.least, value));
  control.most = static_cast<double>(most);
  control.is_logarithmic = parameter.least >= 0 && most > kLogarithmicFrom;
  return control;
}

Control choice_control(const Parameter& parameter, const char* section, std::string value) {
  Control control = control_of(parameter, section, ControlKind::kChoice);
  for (const Choice& choice : parameter.choices) {
    const std::string_view title = choice.title.empty() ? choice.value : choice.title;
    control.choices.push_back({std::string(choice.value), std::string(title)});
    if (choice.value == value) control.shown = title;
  }
  control.value = std::move(value);
  return control;
}

// As the command line and scripts write it. What is wrong with a text is a message of the action.
Control text_control(const Parameter& parameter, const char* section, std::string value) {
  Control control = control_of(parameter, section, ControlKind::kText);
  if (value != "none") control.value = std::move(value);
  control.shown = control.value.empty() ? "none" : control.value;
  if (parameter.may_be_none) control.none = "none";
  return control;
}

Control switch_control(const Parameter& parameter, const char* section, bool is_on) {
  Control control = control_of(parameter, section, ControlKind::kSwitch);
  control.value = control.shown = is_on ? "on" : "off";
  return control;
}

class ControlList {
 public:
  ControlList(const UiModel& model, const Policy& policy)
      : model_(model),
        policy_(policy),
        rewriter_(policy.chosen()),
        levels_(std::max(2, model.scene->levels->count())) {}

  std::vector<Control> make() {
    add_rewriter();
    if (rewriter_ != nullptr) add_parameters(ParameterGroup::kMain, "");
    add_budget();
    add_batch_size();
    add_run();
    add_profile();
    if (rewriter_ != nullptr && rewriter_->can_tune()) add_automatic();
    add_executor();
    if (rewriter_ == nullptr) return std::move(controls_);
    for (const Section& section : kSections) add_parameters(section.group, section.title);
    if (rewriter_->can_tune()) add_search();
    return std::move(controls_);
  }

 private:
  // Which rewriter, or none.
  void add_rewriter() {
    Control control;
    control.name = control.title = "mode";
    control.kind = ControlKind::kChoice;
    for (const Rewriter* rewriter : rewriters()) {
      control.choices.push_back({std::string(rewriter->id), std::string(rewriter->id)});
      control.help += fmt::format("{}: {}\n", rewriter->id, rewriter->help);
    }
    control.choices.push_back({std::string(kPolicyOff), std::string(kPolicyOff)});
    control.help += "off: the graph as it is";
    control.value = control.shown = policy_.rewriter;
    control.action = {"policy.choose", "$"};
    controls_.push_back(std::move(control));
  }

  void add_parameters(ParameterGroup group, const char* section) {
    for (const Parameter& parameter : rewriter_->parameters) {
      if (parameter.group == group) add_parameter(parameter, section);
    }
  }

  void add_parameter(const Parameter& parameter, const char* section) {
    if (!parameter.only_with.empty() &&
        tideline::value_of(policy_, parameter.only_with) == Value(false)) {
      return;
    }
    const Value value = policy_.values.get(parameter);
    switch (parameter.kind) {
      case ParameterKind::kInteger:
        controls_.push_back(
            number_control(parameter, section, std::get<std::int64_t>(value), levels_));
        return;
      case ParameterKind::kChoice:
        controls_.push_back(choice_control(parameter, section, value_text(value, parameter.kind)));
        return;
      case ParameterKind::kSwitch:
        controls_.push_back(switch_control(parameter, section, std::get<bool>(value)));
        return;
      default:
        controls_.push_back(text_control(parameter, section, value_text(value, parameter.kind)));
        return;
    }
  }

  // What a search may use and by which model; the device memory has its slider.
  void add_search() {
    for (const Parameter& parameter : budget_parameters()) {
      if (parameter.name == "device-memory") continue;
      std::string text = parameter_text(policy_, parameter);
      controls_.push_back(parameter.kind == ParameterKind::kChoice
                              ? choice_control(parameter, "Search", std::move(text))
                              : text_control(parameter, "Search", std::move(text)));
    }
  }

  [[nodiscard]] Bytes device_budget() const {
    return policy_.budget ? policy_.budget->device : model_.scene->device_budget;
  }

  // In whole MiB, so that what is on the command line is short and exact.
  void add_budget() {
    const Bytes budget = std::max<Bytes>(0, device_budget());
    Control control;
    control.name = "device-memory";
    control.title = "device budget";
    control.help = "Device memory that a step may use";
    control.kind = ControlKind::kSlider;
    control.value = budget == 0 ? "none" : exact_size(budget);
    control.shown = budget == 0 ? "none" : format_bytes(budget);
    control.whole = model_.scene->devices.front().before->device_peak;
    control.expected =
        "a size such as 168 MiB or 4G, a share of the peak without a plan such as 60 %, or none";
    control.number = static_cast<double>(budget) / kBytesPerMiB;
    control.most = kMostBudgetMib;
    control.is_logarithmic = true;
    control.unit = "MiB";
    control.none = "none";
    control.action = {"policy.set", "device-memory", "$"};
    controls_.push_back(std::move(control));
  }

  void add_batch_size() {
    const auto batch = model_.scene->tensors->batch_size();
    const std::int64_t number = batch ? std::min(*batch, kMostBatch) : 0;
    Control control;
    control.name = "batch-size";
    control.title = "batch size";
    control.help = "Stands for a first dimension that the file leaves open";
    control.kind = ControlKind::kSlider;
    control.value = batch ? std::to_string(*batch) : "none";
    control.is_assumed = !batch && model_.summary != nullptr && model_.summary->is_batch_open;
    control.shown = batch                ? std::to_string(number)
                    : control.is_assumed ? std::string(kOpenBatch)
                                         : "from file";
    control.expected = "an integer of at least 1, or none";
    control.number = static_cast<double>(number);
    control.most = static_cast<double>(std::max(kUsualBatch, number));
    control.is_logarithmic = true;
    control.none = "none";
    control.action = {"graph.batch-size", "$"};
    controls_.push_back(std::move(control));
  }

  // Which step is simulated. In whose order one as TensorFlow runs it is, few change.
  void add_run() {
    Control step;
    step.name = "as-run";
    step.title = "step";
    step.help =
        "As TensorFlow runs it: Grappler folds what is known before the step, of a conditional one "
        "branch runs, and the executor's order decides. Exactly: Grappler of an installed "
        "TensorFlow is asked, too, and the card says the peak of its graph beside the modelled "
        "one; plans and charts stay modelled";
    step.kind = ControlKind::kChoice;
    step.choices = {{"modelled", "as TensorFlow runs it"},
                    {"exact", "exactly, by TensorFlow"},
                    {"off", "as in the file"}};
    step.action = {"graph.as-run", "$"};
    add_choice(std::move(step), as_run_name(model_.run.as_run));
  }

  void add_executor() {
    if (model_.run.as_run == AsRun::kOff) return;
    Control executor;
    executor.section = "Step";
    executor.name = executor.title = "executor";
    executor.help =
        "In whose order ops run. By devices: as on a GPU if the graph or the profile names one "
        "or tensors are swapped, else as on a CPU";
    executor.kind = ControlKind::kChoice;
    executor.choices = {{"by-devices", "by devices"}, {"cpu", "CPU, one thread"}, {"gpu", "GPU"}};
    executor.action = {"graph.as-run", std::string(as_run_name(model_.run.as_run)), "$"};
    add_choice(std::move(executor), executor_name(model_.run.executor));
  }

  void add_choice(Control control, std::string_view value) {
    control.value = value;
    for (const ControlChoice& choice : control.choices) {
      if (choice.value == value) control.shown = choice.title;
    }
    controls_.push_back(std::move(control));
  }

  void add_profile() {
    if (model_.profile == nullptr) return;
    Control control;
    control.name = "profile";
    control.title = "device";
    control.help =
        "How fast copies between host and device are, and ops on it: a device, or a link alone";
    control.kind = ControlKind::kChoice;
    control.value = control.shown = model_.profile->name;
    for (const auto& name : built_in_profile_names()) {
      control.choices.push_back({std::string(name), std::string(name)});
    }
    const auto is_now = [&](const ControlChoice& choice) { return choice.value == control.value; };
    if (std::none_of(control.choices.begin(), control.choices.end(), is_now)) {
      control.choices.push_back({control.value, control.value});  // a profile in a file
    }
    control.action = {"profile.set", "$"};
    controls_.push_back(std::move(control));
  }

  void add_automatic() {
    const bool has_budget = device_budget() > 0;
    const bool is_automatic = policy_.is_automatic();
    Control automatic;
    automatic.name = automatic.title = "automatic";
    automatic.help = "Search again for parameters that fit the budget whenever something changes";
    automatic.kind = ControlKind::kSwitch;
    automatic.value = automatic.shown = is_automatic ? "on" : "off";
    automatic.enabled = has_budget || is_automatic;
    automatic.action = {"policy.auto", "$"};
    controls_.push_back(std::move(automatic));
    Control tune;
    tune.name = "tune";
    tune.title = "Tune to budget";
    tune.help = has_budget ? "Search once for parameters that fit the budget"
                           : "Give a device budget first";
    tune.kind = ControlKind::kButton;
    tune.enabled = has_budget;
    tune.action = {"policy.tune"};
    controls_.push_back(std::move(tune));
  }

  const UiModel& model_;
  const Policy& policy_;
  const Rewriter* rewriter_;
  std::int64_t levels_;
  std::vector<Control> controls_;
};

}  // namespace

std::string_view control_kind_name(ControlKind kind) {
  switch (kind) {
    case ControlKind::kSlider: return "slider";
    case ControlKind::kChoice: return "choice";
    case ControlKind::kSwitch: return "switch";
    case ControlKind::kText: return "text";
    case ControlKind::kButton: break;
  }
  return "button";
}

namespace {

// What the file has for a parameter that asks for a name.
const std::vector<std::string>& picks_for(const std::string& name, const FilePicks& picks) {
  static const std::vector<std::string> kNone;
  const Parameter* parameter = find_policy_parameter(name);
  if (parameter == nullptr) return kNone;
  if (parameter->kind == ParameterKind::kNames)
    return parameter->is_required ? picks.inputs : kNone;
  if (parameter->type_name == "TENSOR") return picks.losses;
  return parameter->type_name == "OP" ? picks.train_ops : kNone;
}

}  // namespace

std::vector<Control> policy_controls(const UiModel& model) {
  if (!model.scene || model.policy == nullptr) return {};
  std::vector<Control> controls = ControlList(model, *model.policy).make();
  for (Control& control : controls) {
    if (control.kind != ControlKind::kText) continue;
    for (const std::string& name : picks_for(control.name, model.picks))
      control.choices.push_back({name, name});
  }
  return controls;
}

std::string value_at(const Control& slider, double number) {
  const std::int64_t whole = std::llround(std::clamp(number, slider.least, slider.most));
  const bool is_least = static_cast<double>(whole) <= slider.least;
  if (is_least && !slider.none.empty()) return slider.none;
  return std::to_string(whole) + slider.unit;
}

std::string value_of(const Control& field, const std::string& text) {
  return text.empty() && !field.none.empty() ? field.none : text;
}

Result<std::string> typed_value(const Control& slider, std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  std::string value(text);
  const auto unreadable = [&] {
    return fail(Code::kInvalidArgument, "'{}' cannot be read; expected {}", printable(text),
                slider.expected);
  };
  const bool is_none = value.empty() || equal_ignoring_case(value, slider.none);
  if (is_none && !slider.none.empty()) return slider.none;
  if (equal_ignoring_case(value, slider.shown)) return slider.value;
  if (slider.whole > 0) {
    const auto bytes = parse_size_or_share(value, slider.whole);
    if (!bytes) return unreadable();
    return is_share(value) ? value : exact_size(*bytes);
  }
  const Parameter* parameter = find_policy_parameter(slider.name);
  if (parameter == nullptr)
    return parse_number(value, 1) ? Result<std::string>(value) : unreadable();
  if (equal_ignoring_case(value, parameter->text_of_least))
    value = std::to_string(parameter->least);
  if (parameter->is_found && equal_ignoring_case(value, "auto")) value = "-1";
  if (!parse_value(*parameter, value)) return unreadable();
  return value;
}

std::vector<std::string> words_for(const Control& control, const std::string& value) {
  std::vector<std::string> words = control.action;
  std::replace(words.begin(), words.end(), std::string("$"), value);
  return words;
}

}  // namespace tideline::ui
