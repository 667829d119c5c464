// A lesson: a bar above the rest of the window, and a spotlight on what its step is about.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr double kHintAfterS = 20;
// Of the window, at most; longer texts scroll.
constexpr float kMostOfWindow = 0.42F;

// A new step forgets what was typed and clicked in the one before.
void follow_turn(Ui& ui) {
  LessonView& view = ui.view.lesson;
  if (view.turn == ui.model.lesson->turn) return;
  const float height_px = view.height_px;
  view = {};
  view.turn = ui.model.lesson->turn;
  view.since_s = ImGui::GetTime();
  view.height_px = height_px;
}

void draw_title(Ui& ui, const LessonCard& card) {
  ImGui::PushFont(ui.fonts.large);
  const std::string title = fmt::format("{}: {}", card.lesson, card.title);
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  ImGui::PushFont(ui.fonts.body);
  const std::string place = fmt::format("step {} of {}", card.step, card.steps);
  const float width = ImGui::CalcTextSize(place.c_str()).x + ImGui::CalcTextSize("End").x +
                      2 * ImGui::GetStyle().FramePadding.x + ui.px(20);
  ImGui::PopFont();
  ImGui::TextUnformatted(fitted_end(title, right - width - ImGui::GetCursorPosX()).c_str());
  ImGui::PopFont();
  ui.widgets.remember("title");
  ImGui::SameLine(right - width);
  ImGui::TextDisabled("%s", place.c_str());
  ImGui::SameLine();
  if (ui.widgets.button("End")) ui.ask("lesson.end");
  ui.widgets.hint("Leave the lesson; its graph stays open");
}

// The question, the field for the guess and, beside it, what it is.
void draw_question(Ui& ui, const LessonCard& card) {
  LessonView& view = ui.view.lesson;
  colored_text(ui.palette().accent, card.question);
  const float letters = ImGui::GetFontSize();
  if (card.guess.empty() && card.answer.empty()) {
    ImGui::SetNextItemWidth(letters * 14);
    const bool entered = ui.widgets.input("##guess", "your guess", &view.typed, true);
    ImGui::SameLine();
    const bool pressed = ui.widgets.button("Guess", 0, !view.typed.empty());
    if ((entered || pressed) && !view.typed.empty()) ui.ask("lesson.guess", view.typed);
    return;
  }
  if (!card.guess.empty()) {
    ImGui::AlignTextToFramePadding();
    ImGui::Text("Your guess: %s", card.guess.c_str());
    ui.widgets.remember("your guess");
    ImGui::SameLine(0, ui.px(20));
  }
  if (card.answer.empty()) {
    ImGui::TextDisabled("%s", "What it is shows when the step is done.");
    return;
  }
  colored_text(ui.palette().good, "It is: " + card.answer);
  ui.widgets.remember("answer");
}

void draw_state(Ui& ui, const LessonCard& card) {
  const auto go_beside = [&ui] {
    ImGui::SameLine(0, ui.px(20));
    ImGui::AlignTextToFramePadding();
  };
  if (card.is_busy) {
    go_beside();
    ImGui::TextDisabled("...");
  } else if (card.is_elsewhere) {
    go_beside();
    colored_text(ui.palette().warning,
                 "Another document is shown. Reset step goes back to the lesson's graph.");
    ui.widgets.remember("elsewhere");
  } else if (!card.problem.empty()) {
    go_beside();
    colored_text(ui.palette().warning, card.problem);
    ui.widgets.remember("problem");
  } else if (card.is_done && card.has_checks) {
    go_beside();
    colored_text(ui.palette().good, "Done.");
    ui.widgets.remember("done");
  }
}

void draw_buttons(Ui& ui, const LessonCard& card) {
  Widgets& widgets = ui.widgets;
  if (widgets.button("Back", 0, card.step > 1)) ui.ask("lesson.back");
  ImGui::SameLine();
  if (widgets.button("Reset step")) ui.ask("lesson.reset");
  widgets.hint("Begin this step again, as it began");
  ImGui::SameLine();
  if (widgets.button("Hint", 0, card.has_hint && card.hint.empty())) ui.ask("lesson.hint");
  ImGui::SameLine();
  if (widgets.button("Show me", 0, card.can_show && !card.is_busy)) ui.ask("lesson.show");
  widgets.hint("Do what this step asks for");
  ImGui::SameLine();
  const bool is_last = card.step == card.steps;
  const bool is_ready = card.is_done && !card.is_busy;
  if (is_ready) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_Header));
  if (widgets.button(is_last ? "Finish" : "Next", 0, !card.is_busy)) ui.ask("lesson.next");
  if (is_ready) ImGui::PopStyleColor();
  draw_state(ui, card);
}

// A widget of a side that has no room, and is a strip of icons, is behind one of these.
const Item* find_spot(const Ui& ui, std::string_view label) {
  if (const Item* item = ui.widgets.find(label)) return item;
  struct Behind {
    std::string_view panel, icon;
  };
  constexpr std::array kBehind = {
      Behind{"policy/", "left icons/Swap policy"}, Behind{"scopes/", "left icons/Scopes"},
      Behind{"result/", "left icons/Graph"}, Behind{"swaps/", "right icons/Swaps"},
      Behind{"inspector/", "right icons/Inspector"}};
  for (const Behind& one : kBehind) {
    if (label.starts_with(one.panel)) return ui.widgets.find(one.icon);
  }
  return nullptr;
}

void darken(ImDrawList& list, render::Rect rect) {
  if (rect.width() <= 0 || rect.height() <= 0) return;
  constexpr ImU32 kShade = IM_COL32(0, 0, 0, 120);
  list.AddRectFilled({rect.x0, rect.y0}, {rect.x1, rect.y1}, kShade);
}

// All of `all` but `spot`.
void darken_around(ImDrawList& list, render::Rect all, render::Rect spot) {
  spot = {std::max(spot.x0, all.x0), std::max(spot.y0, all.y0), std::min(spot.x1, all.x1),
          std::min(spot.y1, all.y1)};
  darken(list, {all.x0, all.y0, all.x1, spot.y0});
  darken(list, {all.x0, spot.y1, all.x1, all.y1});
  darken(list, {all.x0, spot.y0, spot.x0, spot.y1});
  darken(list, {spot.x1, spot.y0, all.x1, spot.y1});
}

}  // namespace

float lesson_height(const Ui& ui) {
  const float screen = ImGui::GetIO().DisplaySize.y;
  const float wanted = ui.view.lesson.height_px > 0 ? ui.view.lesson.height_px : screen / 5;
  return std::min(wanted, screen * kMostOfWindow);
}

void draw_lesson(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("lesson");
  const LessonCard& card = *ui.model.lesson;
  follow_turn(ui);
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + size.x, from.y + size.y},
                                            to_u32(ui.palette().panel));
  draw_title(ui, card);
  colored_text(ui.palette().text, card.caption);
  explain(ui, card.caption);
  if (!card.question.empty()) draw_question(ui, card);
  if (!card.hint.empty()) {
    colored_text(ui.palette().warning, "Hint: " + card.hint);
    ui.widgets.remember("hint text");
  }
  draw_buttons(ui, card);
  ui.view.lesson.height_px = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
  const bool waits = card.has_hint && card.hint.empty() && card.has_checks && !card.is_done;
  if (waits && !card.is_busy && ImGui::GetTime() - ui.view.lesson.since_s > kHintAfterS)
    ui.ask("lesson.hint");
}

void draw_spotlight(Ui& ui, render::Rect rest) {
  const LessonCard& card = *ui.model.lesson;
  LessonView& view = ui.view.lesson;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_click = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (is_click && rest.contains({mouse.x, mouse.y})) view.is_touched = true;
  const std::string_view label =
      card.spotlight.empty() && card.op ? "levels/canvas" : std::string_view(card.spotlight);
  const bool is_hidden = card.is_busy || card.is_elsewhere || ui.view.popup != Popup::kNone ||
                         ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const Item* item = find_spot(ui, label);
  if (item == nullptr || is_hidden) return;
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const float margin = ui.px(4);
  const render::Rect spot = {item->rect.x0 - margin, item->rect.y0 - margin, item->rect.x1 + margin,
                             item->rect.y1 + margin};
  // The learner who has begun wants to see what it does everywhere.
  const bool is_in_rest = spot.y1 > rest.y0;
  const bool is_over = card.is_done && card.has_checks;
  if (!view.is_touched && !is_over && is_in_rest) darken_around(list, rest, spot);
  list.AddRect({spot.x0, spot.y0}, {spot.x1, spot.y1}, to_u32(ui.palette().warning), ui.px(4), 0,
               ui.px(2));
}

}  // namespace tideline::ui
