// Pictures against those that somebody has looked at (tests/gui/golden). UPDATE_GOLDEN=1 writes
// them anew: look at them before they are committed.
#pragma once

#include <string>

#include "render/gl/image.h"

namespace tideline::gui {

/// How far a picture may be from the golden one.
struct PictureTolerance {
  double mean_off = 1.5;    ///< of 255, over all channels
  int much = 64;            ///< a channel that is off by so much is another colour
  double most_much = 0.02;  ///< share of channels that may be
};

/// How far apart two pictures of one size are.
struct PictureDistance {
  double mean = 0;
  double much = 0;  ///< share of channels that are off by more than PictureTolerance::much
};
[[nodiscard]] PictureDistance distance(const gl::Image& a, const gl::Image& b, int much);

/// Fails the test unless `drawn` looks like the picture of that name.
void check_golden(const std::string& name, const gl::Image& drawn,
                  const PictureTolerance& tolerance = {});
void write_png(const std::string& path, const gl::Image& image);

}  // namespace tideline::gui
