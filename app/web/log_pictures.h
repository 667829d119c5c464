// The charts of a log as a page asks for them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/web/pictures.h"

namespace tideline::web {

// Preconditions: the mutex is held, and the session was polled. Errors: kInvalidArgument without a
// log, kNotFound for a chart that the filters or the chosen runs leave out.
/// tideline.picture/1 with "plot", the rectangle inside the axes, and "x", the horizontal axis as
/// [first, last, whether it is logarithmic].
[[nodiscard]] Result<std::string> log_picture_json(Served& served, const PictureWish& wish);
/// The bytes of an SVG file: a chart of scalars with the names of its runs.
[[nodiscard]] Result<std::string> log_picture_svg(Served& served, const PictureWish& wish);
/// The values of the curves of a chart of scalars.
[[nodiscard]] Result<std::string> log_chart_csv(Served& served, const std::string& tag);
/// What is at PictureWish::at: {"lines": [...], "colors": [...], "marks"}, the last a picture to
/// be painted on top.
[[nodiscard]] Result<nlohmann::ordered_json> log_hit_json(Served& served, const PictureWish& wish);

}  // namespace tideline::web
