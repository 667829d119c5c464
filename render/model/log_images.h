// The images of a log that are on the screen, decoded.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace tideline::ui {

/// A row of EventLog::series.
struct LogRowKey {
  std::uint32_t series = 0;
  std::uint64_t row = 0;
  friend auto operator<=>(const LogRowKey&, const LogRowKey&) = default;
};

/// Four bytes per pixel (red, green, blue, alpha), rows from top to bottom.
/// Invariant: rgba.size() == 4 * width * height.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
};

/// One of the images of a row.
struct LoggedPicture {
  std::shared_ptr<const Pixels> pixels;  ///< null: see `problem`
  std::string problem;                   ///< why it is not shown
  int width = 0, height = 0;             ///< of the image
  int shrunk_by = 1;                     ///< a pixel here is the mean of so many by so many
};

/// All images of a row; `pictures` ends before `total` where a row has too many.
struct LoggedRow {
  std::vector<LoggedPicture> pictures;
  std::size_t total = 0;
  std::string problem;  ///< why the row cannot be read; else empty
  [[nodiscard]] Bytes bytes() const {
    Bytes sum = 0;
    for (const LoggedPicture& picture : pictures) {
      if (picture.pixels) sum += static_cast<Bytes>(picture.pixels->rgba.size());
    }
    return sum;
  }
};

/// Immutable.
struct LogImages {
  std::map<LogRowKey, std::shared_ptr<const LoggedRow>> rows;
};

}  // namespace tideline::ui
