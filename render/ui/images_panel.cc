// The images of a log: a card for each tag and run, with a slider over its steps.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/events/event_log.h"
#include "render/model/view_cache.h"
#include "render/ui/chart_grid.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr float kCardShare = 1.5F;  // of the height of a chart

void draw_picture(Ui& ui, const LoggedPicture& picture, float room_px, float high_px) {
  if (!picture.pixels) return colored_text(ui.palette().error, printable(picture.problem, 500));
  const auto width = static_cast<float>(picture.width);
  const auto height = static_cast<float>(picture.height);
  // A pixel of the image is one of the screen, or as large as there is room for.
  float scale = 1;
  if (!ui.view.log.is_pixel_size) {
    scale = std::min(room_px / width, std::max(high_px, room_px / 4) / height);
    if (scale > 1) scale = std::floor(scale);
  }
  const ImVec2 size = {std::max(1.0F, width * scale), std::max(1.0F, height * scale)};
  void* texture = nullptr;
  if (ui.textures != nullptr && ImGui::IsRectVisible(size)) {
    texture = ui.textures->id_of(picture.pixels);
    if (texture == nullptr) ui.cache.wants_frame = true;
  }
  if (texture != nullptr) {
    ImGui::Image(texture, size);
  } else {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    ImGui::GetWindowDrawList()->AddRect(at, {at.x + size.x, at.y + size.y},
                                        to_u32(ui.palette().grid));
  }
  ui.widgets.remember("picture");
  std::string text = fmt::format("{} x {}", picture.width, picture.height);
  if (picture.shrunk_by > 1) text += fmt::format(", shown at 1/{}", picture.shrunk_by);
  if (ImGui::IsItemHovered()) {
    ui.view.tooltip = text;
    ImGui::SetTooltip("%s", text.c_str());
  }
}

void draw_pictures(Ui& ui, LogRowKey key) {
  ui.view.log.wanted_images.push_back(key);
  const LogImages* images = ui.model.log_images.get();
  const auto found = images == nullptr ? decltype(images->rows.begin())() : images->rows.find(key);
  if (images == nullptr || found == images->rows.end()) {
    return dim_text(ui, "The image is being read.");
  }
  const LoggedRow& row = *found->second;
  if (!row.problem.empty()) return colored_text(ui.palette().error, printable(row.problem, 500));
  if (row.total == 0) return dim_text(ui, "There is no image in this step.");
  const ImVec2 room = ImGui::GetContentRegionAvail();
  for (std::size_t i = 0; i < row.pictures.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    draw_picture(ui, row.pictures[i], room.x, room.y);
    ImGui::PopID();
  }
  if (row.pictures.size() < row.total) {
    dim_text(ui, fmt::format("and {} more images in this step", row.total - row.pictures.size()));
  }
}

void draw_image_card(Ui& ui, const LogCharts::Shown& shown, const ChartGrid& grid) {
  const ImVec2 size = {grid.width_px(), grid.height_px() * kCardShare};
  if (!ImGui::IsRectVisible(size)) return ImGui::Dummy(size);
  const events::EventLog& log = *ui.model.log->events;
  const events::Series& series = log.series()[shown.series];
  const std::string name = log.runs()[series.run] + "/" + series.tag;
  const Widgets::Group group = ui.widgets.group(name);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec4(ui.palette().panel));
  ImGui::BeginChild("card", size, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleColor();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::TextUnformatted(fitted(series.tag, width).c_str());
  draw_run_name(ui, shown.series, shown.number, width);
  if (series.rows.empty()) {
    dim_text(ui, "no image yet");
  } else {
    draw_pictures(ui, {shown.series, draw_row_choice(ui, shown.series, width)});
  }
  ImGui::EndChild();
}

}  // namespace

void draw_images_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("images");
  const auto all = ui.cache.log_charts().series_of(events::SeriesKind::kImage);
  if (all.empty()) return draw_empty_page(ui, "images");
  ChartGrid grid(ui);
  for (const LogCharts::Shown& shown : all) {
    grid.next(ui.model.log->tags[shown.tag].name);
    draw_image_card(ui, shown, grid);
  }
}

}  // namespace tideline::ui
