// The charts of a session as a page asks for them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "app/web/served.h"
#include "render/view/canvas.h"

namespace tideline::web {

inline constexpr int kMostPicturePx = 8192;

/// A chart of a log, by the page that it is on: scalars, histograms or distributions.
struct LogChartWish {
  ui::LogPage kind = ui::LogPage::kScalars;
  std::string tag;
  std::string run;  ///< of histograms and distributions
};

/// A chart of some size; what is not given is as in the session's view.
struct PictureWish {
  ui::Tab view = ui::Tab::kLevels;
  float width_px = 0, height_px = 0;
  std::optional<double> font_px, first, span, row_zoom, scroll_px;
  std::optional<render::ThemeKind> theme;
  std::optional<render::Point> at;  ///< of the mouse
  std::optional<render::Point> to;  ///< the other corner of a rectangle, in the scopes view
  std::optional<LogChartWish> log;  ///< instead of `view`
};

/// The text of a parameter by its name; nullopt if it is not given.
using FindParameter = std::function<std::optional<std::string>(std::string_view name)>;
/// Errors: kInvalidArgument, naming the parameter and what was expected.
[[nodiscard]] Result<PictureWish> parse_picture(const FindParameter& find);
/// The same from an object of `act`.
[[nodiscard]] Result<PictureWish> parse_picture(const nlohmann::json& object);

// Preconditions: the mutex is held, and the session was polled. Errors: kInvalidArgument without a
// graph.
/// tideline.picture/1.
[[nodiscard]] Result<std::string> picture_json(Served& served, const PictureWish& wish);
/// The bytes of an SVG file.
[[nodiscard]] Result<std::string> picture_svg(Served& served, const PictureWish& wish);
/// What is at PictureWish::at.
[[nodiscard]] Result<nlohmann::ordered_json> hit_json(Served& served, const PictureWish& wish);

}  // namespace tideline::web
