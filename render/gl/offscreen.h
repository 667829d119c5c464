// OpenGL without a display: a context of its own and a picture to draw into.
#pragma once

#include <memory>

#include "core/base/error.h"
#include "render/gl/image.h"

namespace tideline::gl {

/// Largest width and height of a picture: what every driver of OpenGL 3.3 can draw into.
inline constexpr int kMostPixelsAside = 16384;

/// An OpenGL 3.3 core context on no surface (EGL, Mesa's surfaceless platform), current on the
/// thread that made it while it lives. Needs no X server, no graphics card.
class OffscreenContext {
 public:
  /// Errors: kUnsupported when EGL or OpenGL 3.3 is missing on this machine; says which.
  [[nodiscard]] static Result<std::unique_ptr<OffscreenContext>> create();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

 private:
  OffscreenContext(void* display, void* context) : display_(display), context_(context) {}
  void* display_;
  void* context_;
};

/// A framebuffer of `width` x `height` RGBA pixels. Needs a current context all its life.
class Framebuffer {
 public:
  /// Errors: kInvalidArgument for a size outside 1..kMostPixelsAside, kUnsupported when the driver
  /// refuses.
  [[nodiscard]] static Result<Framebuffer> create(int width, int height);
  ~Framebuffer();
  Framebuffer(Framebuffer&& other) noexcept;
  Framebuffer& operator=(Framebuffer&&) = delete;

  /// Everything drawn from now on goes here; the viewport is all of it.
  void bind() const;
  /// What was drawn. Waits for the driver.
  [[nodiscard]] Image read() const;

 private:
  Framebuffer(int width, int height) : width_(width), height_(height) {}
  int width_;
  int height_;
  unsigned framebuffer_ = 0;
  unsigned color_ = 0;
};

/// Drawing fills the current framebuffer, which has that many pixels.
void view_all(int width, int height);
/// Fills the current framebuffer with one opaque colour, parts from 0 to 1.
void clear(float red, float green, float blue);
/// The pixels of the current framebuffer, from its lower left corner.
[[nodiscard]] Image read_pixels(int width, int height);

}  // namespace tideline::gl
