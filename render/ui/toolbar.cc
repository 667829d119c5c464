// The toolbar of the centre: the tabs, then what of the view is chosen beside them. What has no
// room in a row stands in the next one, so that nothing is cut off in narrow windows.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "render/model/view_cache.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"
#include "render/view/clock_curve.h"
#include "render/view/scopes_loop.h"
#include "render/view/text_fit.h"

namespace tideline::ui {
namespace {

constexpr float kGroupGapPx = 20;

// Places widgets in rows.
class Rows {
 public:
  explicit Rows(const Ui& ui)
      : ui_(ui), right_(ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x) {}

  // The next widget is so wide. One that begins a group stands a little apart.
  void next(float width_px, bool begins_group = false) {
    const float gap = begins_group ? ui_.px(kGroupGapPx) : ImGui::GetStyle().ItemSpacing.x;
    const bool has_room = ImGui::GetItemRectMax().x + gap + width_px <= right_;
    if (!is_first_ && has_room) ImGui::SameLine(0, gap);
    is_first_ = false;
  }
  void next_button(const char* label) {
    next(text_px(label) + 2 * ImGui::GetStyle().FramePadding.x);
  }
  void next_checkbox(const char* label, bool begins_group = false) {
    next(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + text_px(label),
         begins_group);
  }
  // Sets its width: for the longest choice, but for at most so many letters; what is longer is cut.
  void next_combo(float least_px, std::span<const char* const> choices, bool begins_group = false) {
    constexpr float kMostLetters = 24;
    float longest_px = 0;
    for (const char* choice : choices) longest_px = std::max(longest_px, text_px(choice));
    longest_px = std::min(longest_px, kMostLetters * ImGui::GetFontSize() / 2);
    const float needed_px =
        std::ceil(longest_px + ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x);
    const float width_px = std::max(least_px, needed_px);
    next(width_px, begins_group);
    ImGui::SetNextItemWidth(width_px);
  }

 private:
  static float text_px(const char* label) { return ImGui::CalcTextSize(label, nullptr, true).x; }

  const Ui& ui_;
  float right_;
  bool is_first_ = true;
};

bool tab_button(Ui& ui, Rows& rows, const char* label, bool is_chosen) {
  const ImGuiCol color = is_chosen ? ImGuiCol_TabActive : ImGuiCol_Tab;
  rows.next_button(label);
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(color));
  const bool pressed = ui.widgets.button(label);
  ImGui::PopStyleColor();
  return pressed;
}

void draw_device_choice(Ui& ui, Rows& rows) {
  const auto& devices = ui.model.scene->devices;
  if (devices.size() < 2) return;
  std::vector<std::string> names;
  std::vector<const char*> choices;
  for (const auto& device : devices)
    names.push_back(device.device.empty() ? "(no device)" : printable(device.device));
  for (const std::string& name : names) choices.push_back(name.c_str());
  int chosen = static_cast<int>(std::min<std::size_t>(ui.view.device, devices.size() - 1));
  rows.next_combo(ui.px(130), choices);
  if (ui.widgets.combo("##device", &chosen, choices))
    ui.view.device = static_cast<std::uint32_t>(chosen);
}

// The axes that there are: estimated time with a clock, measured time with a traced step.
void draw_axis_choice(Ui& ui, Rows& rows) {
  std::vector<AxisKind> kinds = {AxisKind::kLevel, AxisKind::kStep};
  std::vector<const char*> names = {"by level", "by step"};
  const auto add = [&](AxisKind kind, const char* name) {
    kinds.push_back(kind);
    names.push_back(name);
  };
  const render::Scene& scene = *ui.model.scene;
  const bool is_traced = scene.measured != nullptr;
  if (render::has_clock(scene, ui.view.device)) add(AxisKind::kTime, "by time");
  if (is_traced) add(AxisKind::kMeasuredTime, "measured");
  const auto shown = std::find(kinds.begin(), kinds.end(), ui.view.memory_axis);
  int axis = shown == kinds.end() ? 0 : static_cast<int>(shown - kinds.begin());
  rows.next_combo(ui.px(90), names, true);
  if (ui.widgets.combo("##axis", &axis, names)) {
    ui.view.memory_axis = kinds[static_cast<std::size_t>(axis)];
    ui.view.cursor.reset();
    ui.view.pinned.reset();
  }
  if (!is_traced && ImGui::IsItemHovered())
    ImGui::SetTooltip("By measured time: open a traced step first (File, Open a traced step)");
}

// Which traced step of its log is shown.
void draw_trace_choice(Ui& ui, Rows& rows) {
  const MeasuredRun* run = ui.model.scene->measured;
  if (run == nullptr || run->choices.size() < 2) return;
  std::vector<std::string> names;
  std::vector<const char*> shown;
  const bool has_runs = run->choices.front().run != run->choices.back().run;
  for (const TracedStep& step : run->choices) {
    names.push_back(printable(has_runs ? step.run + ": " + step.tag : step.tag));
  }
  for (const std::string& name : names) shown.push_back(name.c_str());
  const auto at = std::find(run->choices.begin(), run->choices.end(), run->chosen);
  int chosen = static_cast<int>(at - run->choices.begin());
  rows.next_combo(ui.px(130), shown, true);
  if (ui.widgets.combo("##traced", &chosen, shown)) {
    const TracedStep& step = run->choices.at(static_cast<std::size_t>(chosen));
    ui.ask("measure.open", run->path, step.run, step.tag);
  }
  ui.widgets.hint("The traced step of the log that is shown, and whose sizes and times are used");
}

void draw_detail(Ui& ui, Rows& rows) {
  auto detail = static_cast<float>(ui.view.detail_0_1);
  const float slider_px = std::max(ui.px(110), 4 * ImGui::GetFontSize());
  rows.next(slider_px + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("detail").x);
  ImGui::SetNextItemWidth(slider_px);
  if (ui.widgets.slider("detail", &detail, 0, 1, "%.2f", false))
    ui.view.detail_0_1 = static_cast<double>(detail);
}

// Asks for `action` with the word that is chosen.
void draw_color_choice(Ui& ui, Rows& rows, const char* action, render::ColorBy chosen) {
  static constexpr std::array<const char*, 8> kNames = {"by scope", "by phase",  "by device",
                                                        "by type",  "by memory", "by time",
                                                        "by level", "by swaps"};
  static_assert(kNames.size() == render::kColorByWords.size());
  int color = static_cast<int>(chosen);
  rows.next_combo(ui.px(90), kNames, true);
  if (ui.widgets.combo("##color", &color, kNames))
    ui.ask(action, render::word_of(static_cast<render::ColorBy>(color)));
  ui.widgets.hint("What the colours say");
}

// "graph / function / loop / inner loop": where one is, and the ways back.
void draw_crumbs(Ui& ui, Rows& rows) {
  constexpr std::size_t kMostLetters = 48;
  const std::vector<std::string> loops = render::loops_around(*ui.model.scene, ui.view.boxes.loop);
  const std::string& function = ui.model.function;
  if (loops.empty() && function.empty()) return;
  const auto crumb = [&](const std::string& name, bool is_here) {
    const std::string shown = printable(name, kMostLetters);
    if (is_here) {
      rows.next(ImGui::CalcTextSize(shown.c_str()).x);
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(shown.c_str());
      return false;
    }
    rows.next_button(shown.c_str());
    const bool pressed = ui.widgets.button(shown.c_str());
    rows.next(ImGui::CalcTextSize("/").x);
    ImGui::TextDisabled("/");
    return pressed;
  };
  if (crumb("graph", false)) ui.ask("scope.leave", "all");
  if (!function.empty() && crumb(function, loops.empty())) ui.ask("scope.loop");
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (crumb(loops[i], i + 1 == loops.size())) ui.ask("scope.loop", loops[i]);
  }
}

void draw_box_controls(Ui& ui, Rows& rows) {
  draw_crumbs(ui, rows);
  render::ScopesPart& part = ui.view.boxes;
  draw_color_choice(ui, rows, "scope.color", part.color);
  bool is_vertical = part.is_vertical;
  rows.next_checkbox("vertical");
  if (ui.widgets.checkbox("vertical", &is_vertical))
    ui.ask("scope.direction", is_vertical ? "vertical" : "horizontal");
  static constexpr std::array kBoxes = {1, 2, 3, 5, render::kMostTrace};
  static constexpr std::array<const char*, 5> kFar = {"flow: 1 box", "2 boxes", "3 boxes",
                                                      "5 boxes", "all of it"};
  const auto* const at = std::lower_bound(kBoxes.begin(), kBoxes.end(), part.trace);
  int far = static_cast<int>(std::min<std::ptrdiff_t>(at - kBoxes.begin(), kBoxes.size() - 1));
  rows.next_combo(ui.px(90), kFar);
  if (ui.widgets.combo("##trace", &far, kFar))
    ui.ask("scope.trace", std::to_string(kBoxes.at(static_cast<std::size_t>(far))));
  ui.widgets.hint("How far what flows into the marked box, and out of it, is marked");
  if (part.open.empty()) return;
  rows.next_button("Close all");
  if (ui.widgets.button("Close all")) ui.ask("scope.collapse", "*");
}

// What a side of the diff can be: a word, the graph of another tab, or a file that the dialog
// chose.
struct SideChoice {
  std::string side;  // as diff.of takes it
  std::string shown;
};

std::vector<SideChoice> side_choices(const UiModel& model, const std::string& chosen) {
  std::vector<SideChoice> choices;
  const auto add = [&](const std::string& side, const std::string& shown) {
    const auto is_it = [&](const SideChoice& choice) { return choice.side == side; };
    if (std::none_of(choices.begin(), choices.end(), is_it)) choices.push_back({side, shown});
  };
  for (const char* word : {"original", "current", "A", "B"}) add(word, word);
  for (const DocumentInfo& document : model.documents) {
    if (document.kind != "graph" || document.is_shown || document.path.empty()) continue;
    add(document.path, document.title);
  }
  const std::string_view file = render::last_part(chosen);
  add(chosen, std::string(file.empty() ? chosen : file));
  return choices;
}

void draw_side_choice(Ui& ui, Rows& rows, const char* name, bool is_before) {
  const DiffState& diff = ui.model.diff;
  const std::string& side = is_before ? diff.before : diff.after;
  const std::vector<SideChoice> choices = side_choices(ui.model, side);
  std::vector<const char*> shown;
  int chosen = 0;
  for (const SideChoice& choice : choices) {
    if (choice.side == side) chosen = static_cast<int>(shown.size());
    shown.push_back(choice.shown.c_str());
  }
  rows.next_combo(ui.px(90), shown, is_before);
  if (!ui.widgets.combo(name, &chosen, shown)) return;
  const std::string& next = choices.at(static_cast<std::size_t>(chosen)).side;
  if (next == side) return;
  is_before ? ui.ask("diff.of", next, diff.after) : ui.ask("diff.of", diff.before, next);
}

void draw_diff_controls(Ui& ui, Rows& rows) {
  draw_side_choice(ui, rows, "##before", true);
  ui.widgets.hint("The graph before; of another tab it is the file");
  draw_side_choice(ui, rows, "##after", false);
  ui.widgets.hint("The graph after: current is what the policy makes of the original");
  rows.next_button("File...");
  if (ui.widgets.button("File...")) ui.ask("diff.file-dialog");
  ui.widgets.hint("Compare the open graph with a file");
  for (const char* word : {"A", "B"}) {
    const std::string label = fmt::format("Remember {}", word);
    rows.next_button(label.c_str());
    if (ui.widgets.button(label.c_str())) ui.ask("diff.remember", word);
    ui.widgets.hint("Keep what the policy makes of the graph now, to be compared later");
  }
  bool is_overlay = ui.view.diff.is_overlay;
  rows.next_checkbox("overlay");
  if (ui.widgets.checkbox("overlay", &is_overlay))
    ui.ask("diff.overlay", is_overlay ? "on" : "off");
  if (ui.view.diff.open.empty()) return;
  rows.next_button("Close all");
  if (ui.widgets.button("Close all")) ui.ask("diff.collapse", "*");
}

template <typename Page>
struct PageTab {
  const char* name;
  Page page;
};
constexpr std::array kPagesOfLog = {PageTab<LogPage>{"Scalars", LogPage::kScalars},
                                    PageTab<LogPage>{"Histograms", LogPage::kHistograms},
                                    PageTab<LogPage>{"Distributions", LogPage::kDistributions},
                                    PageTab<LogPage>{"Images", LogPage::kImages},
                                    PageTab<LogPage>{"Text", LogPage::kText},
                                    PageTab<LogPage>{"HParams", LogPage::kHparams},
                                    PageTab<LogPage>{"Graphs", LogPage::kGraphs}};
constexpr std::array kPagesOfCheckpoint = {
    PageTab<CheckpointPage>{"Tensors", CheckpointPage::kTensors},
    PageTab<CheckpointPage>{"Comparison", CheckpointPage::kComparison},
    PageTab<CheckpointPage>{"Backends", CheckpointPage::kBackends}};

template <typename Pages, typename Page>
void draw_pages(Ui& ui, Rows& rows, const Pages& pages, Page& shown) {
  for (const auto& [name, page] : pages) {
    if (tab_button(ui, rows, name, shown == page)) shown = page;
  }
}

// The speed is chosen while there is a cursor.
void draw_player_controls(Ui& ui, Rows& rows) {
  const char* play = ui.view.is_playing ? "Pause" : "Play";
  rows.next(ImGui::CalcTextSize(play).x + 2 * ImGui::GetStyle().FramePadding.x, true);
  if (ui.widgets.button(play)) ui.ask("player.play");
  ui.widgets.hint("Walk through the step level by level (P)");
  if (!ui.view.player) return;
  static constexpr std::array kSpeeds = {1, 2, 4, 8, 16, 32, 64};
  static constexpr std::array<const char*, 7> kNames = {"1 /s",  "2 /s",  "4 /s", "8 /s",
                                                        "16 /s", "32 /s", "64 /s"};
  const auto* const at = std::lower_bound(kSpeeds.begin(), kSpeeds.end(), ui.view.player_speed);
  int speed = static_cast<int>(std::min<std::ptrdiff_t>(at - kSpeeds.begin(), kSpeeds.size() - 1));
  rows.next_combo(ui.px(72), kNames);
  if (ui.widgets.combo("##speed", &speed, kNames)) {
    ui.ask("player.speed", fmt::format("{}", kSpeeds[static_cast<std::size_t>(speed)]));
  }
  ui.widgets.hint("Levels a second");
  rows.next_button("x##player");
  if (ui.widgets.button("x##player")) ui.ask("player.leave");
  ui.widgets.hint("Leave the step player (Escape)");
}

void draw_views(Ui& ui, Rows& rows) {
  const bool has_search = ui.model.tried != nullptr;
  for (const render::View& view : render::views()) {
    if (view.needs_search && !has_search && ui.view.tab != tab_of(view)) continue;
    const std::string title(view.title);
    if (tab_button(ui, rows, title.c_str(), ui.view.tab == tab_of(view)))
      ui.view.tab = tab_of(view);
  }
  const bool is_levels = ui.view.tab == Tab::kLevels;
  if (ui.model.scene && ui.view.tab == Tab::kScopes) draw_box_controls(ui, rows);
  if (ui.model.scene && (ui.view.tab == Tab::kScopes || ui.view.tab == Tab::kTimeline))
    return draw_trace_choice(ui, rows);
  if (ui.model.scene && ui.view.tab == Tab::kDiff) return draw_diff_controls(ui, rows);
  if (!ui.model.scene || !(is_levels || ui.view.tab == Tab::kMemory)) return;
  if (is_levels) {
    draw_player_controls(ui, rows);
    draw_color_choice(ui, rows, "view.color", ui.view.levels_color);
    rows.next_checkbox("candidates");
    ui.widgets.checkbox("candidates", &ui.view.show_candidates);
    rows.next_checkbox("control edges");
    ui.widgets.checkbox("control edges", &ui.view.show_control_edges);
  } else {
    draw_axis_choice(ui, rows);
    draw_detail(ui, rows);
  }
  rows.next_checkbox("original");
  ui.widgets.checkbox("original", &ui.view.show_original);
  draw_device_choice(ui, rows);
}

}  // namespace

float toolbar_height(const Ui& ui) {
  const float row = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().WindowPadding.y;
  return std::max(row, ui.cache.toolbar_height_px);
}

void draw_toolbar(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("centre");
  Rows rows(ui);
  if (ui.model.log) {
    draw_pages(ui, rows, kPagesOfLog, ui.view.log.page);
  } else if (ui.model.checkpoint) {
    draw_pages(ui, rows, kPagesOfCheckpoint, ui.view.checkpoint.page);
  } else {
    draw_views(ui, rows);
  }
  const float height = ImGui::GetCursorPosY();
  if (height != ui.cache.toolbar_height_px) ui.cache.wants_frame = true;
  ui.cache.toolbar_height_px = height;
}

}  // namespace tideline::ui
