// Tested by tests/unit/view/labels_test.cc.
#include "render/view/legend.h"

#include <algorithm>
#include <array>

#include "render/view/svg_canvas.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr std::array kLegendShares = {1.0F, 0.85F, 0.7F};
constexpr float kLegendLineShare = 1.35F;
constexpr float kLegendGapShare = 0.8F;  // between entries
constexpr float kWiderShare = 1.1F;      // of letters on a screen, which are drawn in whole sizes
constexpr float kWordsShare = 1;         // where the words of an entry begin

float words_at(const LegendEntry& entry, float size) {
  return entry.mark == LegendEntry::Mark::kText ? 0 : size * kWordsShare;
}

// Answers how many lines there are.
int flow(std::vector<LegendEntry>& entries, float x0, float x1, float size) {
  float x = x0;
  int line = 0;
  for (LegendEntry& entry : entries) {
    const float before = words_at(entry, size);
    const float words = dejavu_width(entry.text, size) * kWiderShare;
    const float width = std::min(before + words, std::max(x1 - x0, 1.0F));
    if (x > x0 && x + width > x1) {
      x = x0;
      ++line;
    }
    entry.at = {x, static_cast<float>(line) * size * kLegendLineShare};
    entry.room_px = x == x0 ? std::max(1.0F, x1 - x0 - before) : 0;
    x += width + size * kLegendGapShare;
  }
  return entries.empty() ? 0 : line + 1;
}

}  // namespace

Legend place_legend(std::vector<LegendEntry> entries, float x0, float x1, float size_px,
                    float most_px) {
  Legend legend;
  legend.entries = std::move(entries);
  for (const float share : kLegendShares) {
    legend.size_px = size_px * share;
    const int lines = flow(legend.entries, x0, x1, legend.size_px);
    legend.height_px = static_cast<float>(lines) * legend.size_px * kLegendLineShare;
    if (legend.height_px <= most_px) break;
  }
  return legend;
}

void draw_legend(Canvas& canvas, const Legend& legend, float y, Color text, Color ground) {
  const float size = legend.size_px;
  for (const LegendEntry& entry : legend.entries) {
    const float top = y + entry.at.y;
    const Rect sample = {entry.at.x, top + size * 0.2F, entry.at.x + size * 0.7F,
                         top + size * 0.85F};
    switch (entry.mark) {
      case LegendEntry::Mark::kPatch: canvas.fill(sample, entry.color, 2); break;
      case LegendEntry::Mark::kUp:
      case LegendEntry::Mark::kDown: {
        const float middle = (sample.x0 + sample.x1) / 2;
        const bool is_up = entry.mark == LegendEntry::Mark::kUp;
        canvas.fill({middle - 1, sample.y0, middle + 1, sample.y1}, entry.color);
        const float tip = is_up ? sample.y0 : sample.y1;
        const float base = (sample.y0 + sample.y1) / 2;
        canvas.triangle({sample.x0, base}, {sample.x1, base}, {middle, tip}, entry.color);
        break;
      }
      case LegendEntry::Mark::kLow: {
        const float inset = sample.height() * 0.3F;
        canvas.fill({sample.x0, sample.y0 + inset, sample.x1, sample.y1 - inset}, entry.color);
        break;
      }
      case LegendEntry::Mark::kUnknown:
        canvas.fill(sample, entry.color);
        canvas.hatch(sample, ground);
        break;
      case LegendEntry::Mark::kLine:
      case LegendEntry::Mark::kDotted: {
        const float middle = (sample.y0 + sample.y1) / 2;
        const bool is_dotted = entry.mark == LegendEntry::Mark::kDotted;
        canvas.line({sample.x0, middle}, {sample.x1, middle}, entry.color, 2,
                    is_dotted ? Dash::kDotted : Dash::kSolid);
        break;
      }
      case LegendEntry::Mark::kText: break;
    }
    canvas.text({entry.at.x + words_at(entry, size), top},
                entry.room_px > 0 ? fit_text(canvas, entry.text, size, entry.room_px) : entry.text,
                text, size);
  }
}

std::vector<std::string> legend_lines(const std::vector<LegendEntry>& entries) {
  std::vector<std::string> lines;
  for (const LegendEntry& entry : entries) {
    if (!entry.text.empty()) lines.push_back(entry.text);
  }
  return lines;
}

std::string ticks_unit(const Canvas& canvas, const Legend& legend, std::string unit, float size_px,
                       float width_px) {
  constexpr float kMostShare = 0.4F;
  if (!legend.is_folded) return unit;
  std::string text = "legend: point here | " + unit;
  return canvas.text_width(text, size_px) > kMostShare * width_px ? unit : text;
}

}  // namespace tideline::render
