// An image in the memory of the graphics card.
#pragma once

#include <cstdint>
#include <span>

namespace tideline::gl {

/// A context must be current whenever one is made or ends. Pixels that are drawn larger stay sharp.
class Texture {
 public:
  /// Four bytes per pixel, as Image::rgba. Precondition: rgba.size() == 4 * width * height > 0.
  Texture(int width, int height, std::span<const std::uint8_t> rgba);
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  /// Its name in OpenGL.
  [[nodiscard]] unsigned id() const { return id_; }

 private:
  unsigned id_ = 0;
};

}  // namespace tideline::gl
