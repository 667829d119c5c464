#include "render/ui/markdown_text.h"

#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr float kSlant = 0.2F;  // of slanted letters, by their height
constexpr float kBoldPx = 0.5F;

// The font of code has Latin letters alone.
bool is_latin(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char byte) { return static_cast<unsigned char>(byte) < 0xC4; });
}

const ImFont* font_for(const Fonts& fonts, const MarkdownRun& run, float size_px) {
  return run.is_code && is_latin(run.text) ? fonts.code : fonts.nearest(size_px);
}

// Emphasis has no font of its own: its letters lean.
void add_slanted(ImDrawList& list, const ImFont& font, float size_px, ImVec2 at, ImU32 color,
                 const std::string& text) {
  const int first = list.VtxBuffer.Size;
  list.AddText(&font, size_px, at, color, text.data(), text.data() + text.size());
  const float base = at.y + size_px * 0.8F;
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    list.VtxBuffer[i].pos.x += (base - list.VtxBuffer[i].pos.y) * kSlant;
  }
}

void draw_shape(const Ui& ui, ImDrawList& list, const MarkdownShape& shape, ImVec2 corner) {
  const ImVec2 from = {corner.x + shape.rect.x0, corner.y + shape.rect.y0};
  const ImVec2 to = {corner.x + shape.rect.x1, corner.y + shape.rect.y1};
  const render::Palette& colors = ui.palette();
  const auto packed = [](render::Color color) { return ImGui::GetColorU32(to_vec4(color)); };
  switch (shape.kind) {
    case MarkdownShape::Kind::kShade:
      return list.AddRectFilled(from, to, packed(colors.text.with_alpha(0.08)), ui.px(3));
    case MarkdownShape::Kind::kQuote:
    case MarkdownShape::Kind::kRule: return list.AddRectFilled(from, to, packed(colors.outline));
    case MarkdownShape::Kind::kCell: return list.AddRect(from, to, packed(colors.outline));
  }
}

void draw_piece(Ui& ui, ImDrawList& list, const MarkdownPiece& piece, ImVec2 corner) {
  const MarkdownRun& run = piece.run;
  const ImVec2 at = {corner.x + piece.rect.x0, corner.y + piece.rect.y0};
  const ImVec2 end = {corner.x + piece.rect.x1, corner.y + piece.rect.y1};
  const float size = piece.rect.height();
  const ImFont* font = font_for(ui.fonts, run, size);
  const render::Palette& colors = ui.palette();
  const ImU32 color = ImGui::GetColorU32(
      to_vec4(run.address.empty() ? colors.text
                                  : render::readable(colors.device, colors.panel, colors.text)));
  if (run.is_code) {
    list.AddRectFilled(at, end, ImGui::GetColorU32(to_vec4(colors.text.with_alpha(0.08))));
  }
  const auto write = [&](ImVec2 place) {
    if (run.is_emphasised) return add_slanted(list, *font, size, place, color, run.text);
    list.AddText(font, size, place, color, run.text.data(), run.text.data() + run.text.size());
  };
  write(at);
  if (run.is_strong || piece.is_heading) write({at.x + ui.px(kBoldPx), at.y});
  const auto draw_line = [&](float y) { list.AddLine({at.x, y}, {end.x, y}, color); };
  if (run.is_struck) draw_line((at.y + end.y) / 2);
  if (run.address.empty()) return;
  draw_line(end.y);
  if (!ImGui::IsMouseHoveringRect(at, end) || !ImGui::IsWindowHovered()) return;
  ui.view.tooltip = run.address;
  ImGui::SetTooltip("%s", run.address.c_str());
}

}  // namespace

MeasureWords measure_words(const Ui& ui) {
  return [&ui](std::string_view words, const MarkdownRun& look, float size_px) {
    MarkdownRun run = look;
    run.text = words;
    const ImFont* font = font_for(ui.fonts, run, size_px);
    return font->CalcTextSizeA(size_px, 1e9F, 0, words.data(), words.data() + words.size()).x +
           (look.is_strong ? ui.px(kBoldPx) : 0);
  };
}

void draw_markdown(Ui& ui, const MarkdownLayout& layout) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = list.GetClipRectMin().y - corner.y;
  const float bottom = list.GetClipRectMax().y - corner.y;
  const auto is_seen = [&](const render::Rect& rect) {
    return rect.y1 >= top && rect.y0 <= bottom;
  };
  for (const MarkdownShape& shape : layout.shapes) {
    if (is_seen(shape.rect)) draw_shape(ui, list, shape, corner);
  }
  for (const MarkdownPiece& piece : layout.pieces) {
    if (is_seen(piece.rect)) draw_piece(ui, list, piece, corner);
  }
  ImGui::Dummy({1, layout.height_px});
}

}  // namespace tideline::ui
