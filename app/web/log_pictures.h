// The charts of a log as a page asks for them.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/web/pictures.h"
#include "render/view/scalar_chart.h"

namespace tideline::web {

// Preconditions: the mutex is held, and the session was polled. Errors: kInvalidArgument without a
// log, kNotFound for a chart that the filters or the chosen runs leave out.
/// tideline.picture/1 with "plot", the rectangle inside the axes, and "x", the horizontal axis as
/// [first, last, whether it is logarithmic].
[[nodiscard]] Result<std::string> log_picture_json(Served& served, const PictureWish& wish);
/// The bytes of an SVG file: a chart of scalars with the names of its runs.
[[nodiscard]] Result<std::string> log_picture_svg(Served& served, const PictureWish& wish);

/// A chart of scalars apart from its session, so that its files can be made without the mutex.
struct ScalarsFile {
  std::shared_ptr<const ui::LogContents> log;  ///< that the curves are of
  std::vector<render::RunCurve> curves;
  PictureWish wish;
  render::Palette colors;
  render::ScalarLook look;
  float font_px = 15;

  /// The bytes of an SVG file, with the names of the runs. Cost: O(points). Thread: pure.
  [[nodiscard]] std::string svg() const;
  /// The values of the curves. Cost: O(points). Thread: pure.
  [[nodiscard]] std::string csv() const;
};
/// Preconditions and errors as above. Cost: O(runs).
[[nodiscard]] Result<ScalarsFile> scalars_file(Served& served, const PictureWish& wish);

/// What is at PictureWish::at: {"lines": [...], "colors": [...], "marks"}, the last a picture to
/// be painted on top.
[[nodiscard]] Result<nlohmann::ordered_json> log_hit_json(Served& served, const PictureWish& wish);

}  // namespace tideline::web
