// OpenGL without a display: a surfaceless context and framebuffers.
#pragma once

#include <memory>

#include "core/base/error.h"
#include "render/gl/image.h"

namespace tideline::gl {

/// Limit on the width and height of a picture, which every OpenGL 3.3 driver supports.
inline constexpr int kMostPixelsAside = 16384;

/// An OpenGL 3.3 core context without a surface (EGL, Mesa's surfaceless platform), current on the
/// creating thread during its lifetime. Needs neither an X server nor a graphics card.
class OffscreenContext {
 public:
  /// Errors: kUnsupported when EGL or OpenGL 3.3 is missing, saying which.
  [[nodiscard]] static Result<std::unique_ptr<OffscreenContext>> create();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

 private:
  OffscreenContext(void* display, void* context) : display_(display), context_(context) {}
  void* display_;
  void* context_;
};

/// A framebuffer of `width` x `height` RGBA pixels. A context must be current during its lifetime.
class Framebuffer {
 public:
  /// Errors: kInvalidArgument for a size outside 1..kMostPixelsAside, kUnsupported when the driver
  /// refuses.
  [[nodiscard]] static Result<Framebuffer> create(int width, int height);
  ~Framebuffer();
  Framebuffer(Framebuffer&& other) noexcept;
  Framebuffer& operator=(Framebuffer&&) = delete;

  /// Makes it the target of all drawing, with the viewport covering it.
  void bind() const;
  /// The pixels. Waits until drawing is complete.
  [[nodiscard]] Image read() const;

 private:
  Framebuffer(int width, int height) : width_(width), height_(height) {}
  int width_;
  int height_;
  unsigned framebuffer_ = 0;
  unsigned color_ = 0;
};

/// Sets the viewport to the whole current framebuffer of `width` x `height` pixels.
void view_all(int width, int height);
/// Fills the current framebuffer with one opaque colour; components from 0 to 1.
void clear(float red, float green, float blue);
/// The pixels of the current framebuffer, from its lower left corner.
[[nodiscard]] Image read_pixels(int width, int height);

}  // namespace tideline::gl
