// Keeps the texts of a picture apart: the one solver of all views.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::render {

/// Whether two rectangles share a part of the picture; those that touch do not.
[[nodiscard]] bool do_meet(const Rect& a, const Rect& b);

/// The places of a picture that texts have taken. A text gets the first of its possible places that
/// lies inside the area and meets none that came before; so what matters most comes first.
/// Cost: O(texts) for each place that is tried. Thread: not shared.
class Labels {
 public:
  explicit Labels(Rect area) : area_(area) {}

  [[nodiscard]] bool is_free(const Rect& rect) const;
  /// Nothing else is written here.
  void take(const Rect& rect) { taken_.push_back(rect); }
  /// Takes `rect` if it is free.
  [[nodiscard]] bool try_take(const Rect& rect);
  /// The first free one of `places`, left upper corners of a text of this size, which is taken.
  [[nodiscard]] std::optional<Point> place(std::span<const Point> places, float width_px,
                                           float height_px);

 private:
  Rect area_;
  std::vector<Rect> taken_;
};

/// The first of `wordings` that is not wider than `width_px`; the last one, shortened, when none
/// is. So a number and its unit stay together: a shorter wording leaves both out.
[[nodiscard]] std::string first_that_fits(const Canvas& canvas,
                                          std::span<const std::string> wordings, float size_px,
                                          float width_px);

}  // namespace tideline::render
