// An image in main memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tideline::gl {

/// Four bytes per pixel (red, green, blue, alpha), rows from top to bottom.
/// Invariant: rgba.size() == 4 * width * height.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;

  [[nodiscard]] static std::size_t bytes_for(int width, int height) {
    return 4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

}  // namespace tideline::gl
