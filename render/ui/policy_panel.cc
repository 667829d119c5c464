#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"
#include "render/model/policy_controls.h"
#include "render/model/view_cache.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr double kMibPerGib = 1024;

void ask(Ui& ui, const Control& control, const std::string& value = {}) {
  std::vector<std::string> words = words_for(control, value);
  std::string action = std::move(words.front());
  words.erase(words.begin());
  ui.intents.push_back({std::move(action), std::move(words)});
}

// The text that is shown instead of the number, or the format of the number, which can then be
// typed.
std::string format_of(const Control& control, const std::string& number, const char* format) {
  if (control.shown == number) return format;
  std::string text = control.shown;
  for (std::size_t at = 0; (at = text.find('%', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '%');
  }
  return text;
}

// Drags ask for each number on the way.
void draw_bar(Ui& ui, const Control& control, const char* label) {
  if (control.unit == "MiB") {
    const double exact = control.number / kMibPerGib;
    const std::string format = format_of(control, fmt::format("{:.2f} GiB", exact), "%.2f GiB");
    auto gib = static_cast<float>(exact);
    if (ui.widgets.slider(label, &gib, static_cast<float>(control.least / kMibPerGib),
                          static_cast<float>(control.most / kMibPerGib), format.c_str(),
                          control.is_logarithmic, true)) {
      ask(ui, control, value_at(control, gib * kMibPerGib));
    }
    return;
  }
  int number = static_cast<int>(control.number);
  const std::string format = format_of(control, std::to_string(number), "%d");
  if (ui.widgets.slider(label, &number, static_cast<int>(control.least),
                        static_cast<int>(control.most), format.c_str(), control.is_logarithmic,
                        true)) {
    ask(ui, control, value_at(control, number));
  }
}

void type_value(Ui& ui, const Control& control, const char* label) {
  std::string text;
  if (!ui.widgets.type_value(label, &text)) return;
  if (const auto value = typed_value(control, text)) {
    ask(ui, control, *value);
  } else {
    ui.widgets.refuse(value.error().message);
  }
}

// Only the number in it has the colour of a warning, not its title.
void draw_slider(Ui& ui, const Control& control) {
  const std::string label = "##" + control.title;
  ImGui::BeginGroup();
  if (ui.widgets.is_typed(label.c_str(), control.value)) {
    type_value(ui, control, label.c_str());
  } else {
    if (control.is_assumed) {
      ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(ui.palette().warning));
    }
    draw_bar(ui, control, label.c_str());
    if (control.is_assumed) ImGui::PopStyleColor();
  }
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::TextUnformatted(fitted_end(control.title, room).c_str());
  ImGui::EndGroup();
}

void draw_choice(Ui& ui, const Control& control) {
  std::vector<const char*> titles;
  int chosen = 0;
  for (std::size_t i = 0; i < control.choices.size(); ++i) {
    titles.push_back(control.choices[i].title.c_str());
    if (control.choices[i].value == control.value) chosen = static_cast<int>(i);
  }
  if (ui.widgets.combo(control.title.c_str(), &chosen, titles)) {
    ask(ui, control, control.choices[static_cast<std::size_t>(chosen)].value);
  }
}

// Names of the file; of a list, one that is picked is added to what is there, or taken away.
void list_picks(Ui& ui, const Control& control) {
  const Widgets::Group group = ui.widgets.group("pick " + control.title);
  const Parameter* parameter = find_policy_parameter(control.name);
  const bool is_list = parameter != nullptr && parameter->kind == ParameterKind::kNames;
  std::vector<std::string> chosen = split_list(control.value, ',');
  for (const ControlChoice& choice : control.choices) {
    const auto at = std::find(chosen.begin(), chosen.end(), choice.value);
    const bool is_chosen = at != chosen.end();
    if (!ui.widgets.selectable(printable(choice.title, 400).c_str(), is_chosen)) continue;
    if (!is_list) {
      chosen = {choice.value};
    } else if (is_chosen) {
      chosen.erase(at);
    } else {
      chosen.push_back(choice.value);
    }
    return ask(ui, control, value_of(control, fmt::format("{}", fmt::join(chosen, ","))));
  }
}

void draw_picks(Ui& ui, const Control& control) {
  ImGui::SameLine(0, 0);
  const std::string id = "##pick " + control.title;
  const bool open = ImGui::BeginCombo(id.c_str(), nullptr,
                                      ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft);
  ui.widgets.remember("pick " + control.title);
  if (!open) return;
  Widgets::close_on_escape();
  list_picks(ui, control);
  ImGui::EndCombo();
}

// Names of filters are long, and so are lists: each has a line of its own.
void draw_text(Ui& ui, const Control& control) {
  std::string text = control.value;
  ImGui::TextUnformatted(control.title.c_str());
  explain(ui, control.title, control.help);
  const bool has_picks = !control.choices.empty();
  ImGui::SetNextItemWidth(has_picks ? -ImGui::GetFrameHeight() : -1);
  if (ui.widgets.field(fmt::format("##{}", control.title).c_str(), "none", &text)) {
    ask(ui, control, value_of(control, text));
  }
  if (has_picks) draw_picks(ui, control);
}

void draw_control(Ui& ui, const Control& control) {
  switch (control.kind) {
    case ControlKind::kSlider: draw_slider(ui, control); break;
    case ControlKind::kChoice: draw_choice(ui, control); break;
    case ControlKind::kText: draw_text(ui, control); break;
    case ControlKind::kSwitch: {
      bool is_on = control.value == "on";
      if (ui.widgets.checkbox(control.title.c_str(), &is_on, control.enabled)) {
        ask(ui, control, is_on ? "on" : "off");
      }
      break;
    }
    case ControlKind::kButton:
      ImGui::SameLine();
      if (ui.widgets.button(control.title.c_str(), -1, control.enabled)) ask(ui, control);
      break;
  }
  const bool is_slider = control.kind == ControlKind::kSlider;
  explain(ui, control.title,
          is_slider ? fmt::format("{}. Ctrl+click to type {}", control.help, control.expected)
                    : control.help);
  if (!is_slider || ui.widgets.refusal().empty()) return;
  colored_text(ui.palette().error, std::string(ui.widgets.refusal()));
  ui.widgets.remember(control.title + "/refused");
}

// What few users change is folded away.
void draw_more(Ui& ui, std::span<const Control> controls) {
  if (controls.empty() || !ui.widgets.section("More parameters")) return;
  const Widgets::Group group = ui.widgets.group("more");
  // It scrolls by itself: what stands below stays in reach.
  const float left =
      ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - ui.cache.result_height_px - ui.px(150);
  const float most = std::max(ui.px(140), left);
  const float height = ui.cache.more_height_px > 0 ? std::min(ui.cache.more_height_px, most) : most;
  ImGui::BeginChild("more", {0, height}, false, ImGuiWindowFlags_None);
  const float top = ImGui::GetCursorPosY();
  ImGui::PushItemWidth(std::floor(ImGui::GetContentRegionAvail().x * 0.5F));
  std::string_view section;
  for (const Control& control : controls) {
    if (control.section != section) dim_text(ui, control.section);
    section = control.section;
    draw_control(ui, control);
  }
  ImGui::PopItemWidth();
  ui.cache.more_height_px = ImGui::GetCursorPosY() - top;
  ImGui::EndChild();
}

// What automatic mode found, and the way to all that it tried.
void draw_found(Ui& ui) {
  const bool is_of_policy = ui.model.policy_error.empty();
  if (is_of_policy && !ui.model.tuned_text.empty()) dim_text(ui, ui.model.tuned_text);
  const TriedSettings* tried = ui.model.tried.get();
  if (tried == nullptr || tried->found.trials.size() < 2) return;
  const std::string link = fmt::format("{} settings were tried##tried", tried->found.trials.size());
  if (ui.widgets.link(link.c_str())) ui.ask("view.tab", "tried");
  ui.widgets.hint("Show them by device peak and added time; a click takes one");
}

}  // namespace

void draw_policy_panel(Ui& ui) {
  heading(ui, "Swap policy");
  if (!ui.model.scene || ui.model.policy == nullptr) {
    empty_state(ui, "Which tensors go to the host is decided here, once a graph is open.");
    return;
  }
  const Widgets::Group group = ui.widgets.group("policy");
  if (!ui.model.try_first.empty()) {
    colored_text(ui.palette().accent, "Try first: " + ui.model.try_first);
    ui.widgets.remember("try first");
  }
  ImGui::PushID(ui.model.path.c_str());  // what is being typed belongs to one graph
  const std::vector<Control> controls = policy_controls(ui.model);
  const auto more = std::find_if(controls.begin(), controls.end(),
                                 [](const Control& control) { return !control.section.empty(); });
  ImGui::PushItemWidth(std::floor(ImGui::GetContentRegionAvail().x * 0.55F));
  for (auto control = controls.begin(); control != more; ++control) {
    draw_control(ui, *control);
    if (control->name == "tune") draw_found(ui);
  }
  ImGui::PopItemWidth();
  draw_more(ui, {more, controls.end()});
  ImGui::PopID();
  if (!ui.model.policy_error.empty()) colored_text(ui.palette().error, ui.model.policy_error);
}

}  // namespace tideline::ui
