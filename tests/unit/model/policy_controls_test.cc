#include "render/model/policy_controls.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "core/rewrite/policy_parameters.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::make_ui_model;
using app::run_action;
using test::Desk;
using test::open_tutorial;
using ui::Control;
using ui::ControlKind;

using Controls = std::vector<Control>;

Controls controls_of(Desk& desk) {
  return ui::policy_controls(make_ui_model(desk));
}

const Control* find(const Controls& controls, std::string_view name) {
  const auto found = std::find_if(controls.begin(), controls.end(),
                                  [&](const Control& control) { return control.name == name; });
  return found == controls.end() ? nullptr : &*found;
}

const Control& control(const Controls& controls, std::string_view name) {
  INFO(name);
  const Control* found = find(controls, name);
  REQUIRE(found != nullptr);
  return *found;
}

// The words of the control as the app runs them.
bool run(Desk& desk, const Control& control, const std::string& value) {
  std::vector<std::string> words = ui::words_for(control, value);
  const std::string action = words.front();
  words.erase(words.begin());
  const auto done = run_action(desk, action, words);
  UNSCOPED_INFO((done ? "done" : done.error().message));
  return done.has_value();
}

}  // namespace

TEST_CASE("without a graph there is nothing to control") {
  Desk desk;
  CHECK(controls_of(desk).empty());
}

TEST_CASE("the controls are those of the chosen rewriter, its main ones first") {
  Desk desk;
  open_tutorial(desk, 50);
  const Controls controls = controls_of(desk);
  std::vector<std::string> main;
  std::vector<std::string> sections;
  for (const Control& control : controls) {
    if (control.section.empty()) {
      CHECK(sections.empty());
      main.push_back(control.name);
    } else if (sections.empty() || sections.back() != control.section) {
      sections.push_back(control.section);
    }
  }
  CHECK(main.front() == "mode");
  CHECK(main.back() == "tune");
  CHECK(sections ==
        std::vector<std::string>{"Step", "Filters", "Single tensors", "Advanced", "Search"});
  for (const Parameter& parameter : find_rewriter("lms2")->parameters) {
    if (parameter.group == ParameterGroup::kGraph || !parameter.only_with.empty()) continue;
    CHECK(control(controls, parameter.name).help == parameter.help);
  }
  std::set<std::string> names;
  for (const Control& control : controls) {
    INFO(control.name);
    CHECK(names.insert(control.name).second);
    CHECK_FALSE(control.title.empty());
    CHECK_FALSE(control.help.empty());
    CHECK_FALSE(control.action.empty());
  }
}

TEST_CASE("what a control says, the action that it names takes") {
  for (const char* mode : {"lms2", "lms1", "sections", "replicate", "off"}) {
    Desk desk;
    open_tutorial(desk, 50);
    REQUIRE(run_action(desk, "policy.mode", {mode}));
    test::settle(desk);
    for (const Control& control : controls_of(desk)) {
      INFO(mode << ": " << control.name << " = " << control.value);
      const std::string before = desk.graph().wish().policy.rewriter;
      switch (control.kind) {
        case ControlKind::kSlider:
          CHECK(control.least < control.most);
          CHECK(control.number >= control.least);
          CHECK(control.number <= control.most);
          CHECK(run(desk, control, ui::value_at(control, control.least)));
          CHECK(run(desk, control, ui::value_at(control, control.most)));
          break;
        case ControlKind::kChoice:
          CHECK(control.choices.size() > 1);
          if (control.name == "mode") break;  // below
          for (const ui::ControlChoice& choice : control.choices) {
            CHECK(run(desk, control, choice.value));
          }
          break;
        case ControlKind::kSwitch:
          if (!control.enabled) break;
          for (const char* value : {"on", "off"}) CHECK(run(desk, control, value));
          break;
        case ControlKind::kText:
          if (!control.value.empty() || !control.none.empty()) {
            CHECK(run(desk, control, ui::value_of(control, control.value)));
          }
          break;
        case ControlKind::kButton: CHECK_FALSE(control.enabled); break;
      }
      CHECK(desk.graph().wish().policy.rewriter == before);
    }
    const Controls controls = controls_of(desk);
    CHECK(control(controls, "mode").value == mode);
    for (const ui::ControlChoice& choice : control(controls, "mode").choices) {
      CHECK(run(desk, control(controls, "mode"), choice.value));
    }
  }
}

TEST_CASE("a budget is a slider over whole MiB, at whose lower end there is none") {
  Desk desk;
  open_tutorial(desk, 50);
  Controls controls = controls_of(desk);
  CHECK(control(controls, "device-memory").shown == "none");
  CHECK(control(controls, "device-memory").value == "none");
  CHECK_FALSE(control(controls, "tune").enabled);
  CHECK_FALSE(control(controls, "automatic").enabled);
  CHECK(ui::value_at(control(controls, "device-memory"), 0.4) == "none");
  CHECK(ui::value_at(control(controls, "device-memory"), 1536.2) == "1536MiB");
  CHECK(ui::value_at(control(controls, "device-memory"), 1e12) == "196608MiB");
  REQUIRE(run(desk, control(controls, "device-memory"), "1536MiB"));
  controls = controls_of(desk);
  CHECK(control(controls, "device-memory").shown == "1.50 GiB");
  CHECK(control(controls, "device-memory").value == "1536MiB");
  CHECK(control(controls, "device-memory").number == 1536);
  CHECK(control(controls, "tune").enabled);
  CHECK(control(controls, "tune").help == "Search once for parameters that fit the budget");
  REQUIRE(run(desk, control(controls, "automatic"), "on"));
  controls = controls_of(desk);
  CHECK(control(controls, "automatic").value == "on");
  CHECK(control(controls, "swapout-threshold").shown == "auto");
  CHECK(control(controls, "swapout-threshold").value == "-1");
  CHECK(control(controls, "swapout-threshold").number ==
        control(controls, "swapout-threshold").least);
}

TEST_CASE("a slider goes to the levels of the graph, and one at a special end says so") {
  Desk desk;
  open_tutorial(desk, 50);
  Controls controls = controls_of(desk);
  const Control& threshold = control(controls, "swapout-threshold");
  CHECK(threshold.value == "50");
  CHECK(threshold.shown == "50");
  CHECK(threshold.most == 94);
  CHECK_FALSE(threshold.is_logarithmic);
  CHECK(control(controls, "batch-size").shown == "open, 1 assumed");
  CHECK(control(controls, "batch-size").is_assumed);
  CHECK(control(controls, "batch-size").value == "none");
  REQUIRE(run(desk, control(controls, "batch-size"), "4000"));
  test::settle(desk);
  controls = controls_of(desk);
  CHECK(control(controls, "batch-size").shown == "4000");
  CHECK_FALSE(control(controls, "batch-size").is_assumed);
  CHECK(control(controls, "batch-size").most == 4000);
  CHECK(control(controls, "batch-size").is_logarithmic);
  for (const Parameter& parameter : find_rewriter("lms2")->parameters) {
    if (parameter.kind != ParameterKind::kInteger || parameter.text_of_least.empty()) continue;
    if (find(controls, parameter.name) == nullptr) continue;
    REQUIRE(run(desk, control(controls, parameter.name), std::to_string(parameter.least)));
    CHECK(control(controls_of(desk), parameter.name).shown == parameter.text_of_least);
  }
}

TEST_CASE("whose order decides is asked of a step as TensorFlow runs it") {
  Desk desk;
  open_tutorial(desk, 50);
  const Controls controls = controls_of(desk);
  CHECK(control(controls, "as-run").shown == "as TensorFlow runs it");
  CHECK(control(controls, "executor").shown == "by devices");
  for (const ui::ControlChoice& choice : control(controls, "executor").choices) {
    REQUIRE(run(desk, control(controls, "executor"), choice.value));
    CHECK(control(controls_of(desk), "executor").value == choice.value);
    CHECK(control(controls_of(desk), "as-run").value == "modelled");
  }
  REQUIRE(run(desk, control(controls, "as-run"), "exact"));
  CHECK(control(controls_of(desk), "as-run").shown == "exactly, by TensorFlow");
  REQUIRE(run(desk, control(controls_of(desk), "executor"), "cpu"));
  CHECK(control(controls_of(desk), "as-run").value == "exact");  // another order asks the same
  REQUIRE(run(desk, control(controls, "as-run"), "off"));
  CHECK(control(controls_of(desk), "as-run").shown == "as in the file");
  CHECK(find(controls_of(desk), "executor") == nullptr);
}

TEST_CASE("a batch that the file says is from the file") {
  Desk desk;
  const std::string path =
      TIDELINE_SOURCE_DIR "/tests/data/replicate/train_single_static_momentum_res.meta";
  app::open_graph(desk, {.graph = {.path = path}}, {});
  test::settle(desk);
  REQUIRE(desk.graph().snapshot());
  const Controls controls = controls_of(desk);
  CHECK(control(controls, "batch-size").shown == "from file");
  CHECK_FALSE(control(controls, "batch-size").is_assumed);
}

TEST_CASE("what is typed for a slider is what its action takes, or refused with what is expected") {
  Desk desk;
  open_tutorial(desk, 50);
  const Controls controls = controls_of(desk);
  const auto typed = [&](std::string_view name, std::string_view text) {
    const auto value = ui::typed_value(control(controls, name), text);
    return value ? *value : value.error().message;
  };
  CHECK(typed("device-memory", " 168 mib ") == "168MiB");
  CHECK(typed("device-memory", "4g") == "4GiB");
  CHECK(typed("device-memory", "60 %") == "60 %");
  CHECK(typed("device-memory", "") == "none");
  CHECK(typed("device-memory", "None") == "none");
  CHECK(typed("device-memory", "60%%") ==
        "'60%%' cannot be read; expected a size such as 168 MiB or 4G, a share of the peak without "
        "a plan such as 60 %, or none");
  CHECK(typed("batch-size", "100") == "100");
  CHECK(typed("batch-size", "open, 1 assumed") == "none");
  CHECK(typed("batch-size", "0") ==
        "'0' cannot be read; expected an integer of at least 1, or none");
  CHECK(typed("batch-size", "10M").starts_with("'10M' cannot be read; expected an integer"));
  CHECK(typed("swapout-threshold", "AUTO") == "-1");
  CHECK(typed("swapout-threshold", "7 levels").starts_with("'7 levels' cannot be read; expected"));
  for (const Control& slider : controls) {
    if (slider.kind != ControlKind::kSlider) continue;
    INFO(slider.name);
    CHECK_FALSE(slider.expected.empty());
    CHECK(ui::typed_value(slider, slider.shown) == slider.value);
    CHECK(ui::typed_value(slider, slider.value) == slider.value);
  }
}

TEST_CASE("a value that has no effect is not offered") {
  Desk desk;
  open_tutorial(desk, 50);
  REQUIRE(run_action(desk, "policy.mode", {"lms1"}));
  const auto parameters = find_rewriter("lms1")->parameters;
  const auto dependent = std::find_if(parameters.begin(), parameters.end(),
                                      [](const Parameter& p) { return !p.only_with.empty(); });
  REQUIRE(dependent != parameters.end());
  const std::string with(dependent->only_with);
  REQUIRE(run_action(desk, "policy.set", {with, "off"}));
  CHECK(find(controls_of(desk), dependent->name) == nullptr);
  REQUIRE(run_action(desk, "policy.set", {with, "on"}));
  CHECK(find(controls_of(desk), dependent->name) != nullptr);
}

TEST_CASE("an empty text is none where there can be none") {
  Desk desk;
  open_tutorial(desk, 50);
  REQUIRE(run_action(desk, "policy.set", {"excl-output-by-types", "Relu,Conv2D"}));
  const Controls controls = controls_of(desk);
  CHECK(control(controls, "excl-output-by-types").value == "Relu,Conv2D");
  CHECK(control(controls, "excl-input-by-types").value.empty());
  CHECK(control(controls, "excl-input-by-types").shown == "none");
  for (const Control& text : controls) {
    if (text.kind != ControlKind::kText || text.none.empty()) continue;
    INFO(text.name);
    CHECK(ui::value_of(text, "") == "none");
    CHECK(ui::value_of(text, "a,b") == "a,b");
  }
  CHECK(ui::words_for(control(controls, "excl-input-by-types"), "a") ==
        std::vector<std::string>{"policy.set", "excl-input-by-types", "a"});
}

TEST_CASE("the profile of a file stands behind those that are built in") {
  Desk desk;
  open_tutorial(desk, 50);
  const Control built_in = control(controls_of(desk), "profile");
  CHECK(built_in.title == "device");  // most of its choices are no links
  CHECK(built_in.choices.size() == built_in_profile_names().size());
  REQUIRE(run(desk, built_in, built_in.choices.front().value));
  CHECK(control(controls_of(desk), "profile").value == built_in.choices.front().value);
  ui::UiModel model = make_ui_model(desk);
  DeviceProfile own = *model.profile;
  own.name = "mine";
  model.profile = &own;
  const Control with_own = control(ui::policy_controls(model), "profile");
  CHECK(with_own.value == "mine");
  CHECK(with_own.choices.size() == built_in.choices.size() + 1);
  CHECK(with_own.choices.back().value == "mine");
}

}  // namespace tideline
