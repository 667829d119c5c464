// Tested by tests/unit/view/labels_test.cc.
#include "render/view/labels.h"

#include <algorithm>

#include "render/view/text_fit.h"

namespace tideline::render {

bool do_meet(const Rect& a, const Rect& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

bool Labels::is_free(const Rect& rect) const {
  if (rect.x0 < area_.x0 || rect.x1 > area_.x1 || rect.y0 < area_.y0 || rect.y1 > area_.y1) {
    return false;
  }
  return std::none_of(taken_.begin(), taken_.end(),
                      [&](const Rect& other) { return do_meet(rect, other); });
}

bool Labels::try_take(const Rect& rect) {
  if (!is_free(rect)) return false;
  take(rect);
  return true;
}

std::optional<Point> Labels::place(std::span<const Point> places, float width_px, float height_px) {
  for (const Point at : places) {
    if (try_take({at.x, at.y, at.x + width_px, at.y + height_px})) return at;
  }
  return std::nullopt;
}

std::string first_that_fits(const Canvas& canvas, std::span<const std::string> wordings,
                            float size_px, float width_px) {
  for (const std::string& wording : wordings) {
    if (canvas.text_width(wording, size_px) <= width_px) return wording;
  }
  return wordings.empty() ? std::string() : fit_text(canvas, wordings.back(), size_px, width_px);
}

}  // namespace tideline::render
