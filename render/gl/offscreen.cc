#define GL_GLEXT_PROTOTYPES
#include "render/gl/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tideline::gl {
namespace {

EGLDisplay surfaceless_display() {
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (get_display == nullptr) return EGL_NO_DISPLAY;
  return get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

}  // namespace

Result<std::unique_ptr<OffscreenContext>> OffscreenContext::create() {
  EGLDisplay display = surfaceless_display();
  if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) {
    return fail(Code::kUnsupported,
                "EGL without a display is not at hand; expected Mesa's libEGL (libegl-mesa0, "
                "libgl1-mesa-dri)");
  }
  // Requests no type of surface: the default would be windows, which this platform does not have.
  const std::array<EGLint, 5> config_wish = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                                             EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  const std::array<EGLint, 7> context_wish = {EGL_CONTEXT_MAJOR_VERSION,
                                              3,
                                              EGL_CONTEXT_MINOR_VERSION,
                                              3,
                                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                              EGL_NONE};
  EGLContext context = EGL_NO_CONTEXT;
  if (eglBindAPI(EGL_OPENGL_API) == EGL_TRUE &&
      eglChooseConfig(display, config_wish.data(), &config, 1, &count) == EGL_TRUE && count > 0) {
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wish.data());
  }
  if (context == EGL_NO_CONTEXT ||
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE) {
    const EGLint code = eglGetError();
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
    return fail(Code::kUnsupported, "EGL gives no OpenGL 3.3 context (error {:#x})", code);
  }
  return std::unique_ptr<OffscreenContext>(new OffscreenContext(display, context));
}

OffscreenContext::~OffscreenContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

Result<Framebuffer> Framebuffer::create(int width, int height) {
  if (width < 1 || height < 1 || width > kMostPixelsAside || height > kMostPixelsAside) {
    return fail(Code::kInvalidArgument,
                "a picture of {} x {} pixels; expected 1 to {} in each direction", width, height,
                kMostPixelsAside);
  }
  Framebuffer made(width, height);
  glGenFramebuffers(1, &made.framebuffer_);
  glGenRenderbuffers(1, &made.color_);
  glBindFramebuffer(GL_FRAMEBUFFER, made.framebuffer_);
  glBindRenderbuffer(GL_RENDERBUFFER, made.color_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, made.color_);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    return fail(Code::kUnsupported, "OpenGL gives no framebuffer of {} x {} pixels", width, height);
  }
  return made;
}

Framebuffer::~Framebuffer() {
  if (framebuffer_ != 0) glDeleteFramebuffers(1, &framebuffer_);
  if (color_ != 0) glDeleteRenderbuffers(1, &color_);
}

Framebuffer::Framebuffer(Framebuffer&& other) noexcept
    : width_(other.width_),
      height_(other.height_),
      framebuffer_(std::exchange(other.framebuffer_, 0)),
      color_(std::exchange(other.color_, 0)) {}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
}

Image Framebuffer::read() const {
  bind();
  return read_pixels(width_, height_);
}

void view_all(int width, int height) {
  glViewport(0, 0, width, height);
}

void clear(float red, float green, float blue) {
  glDisable(GL_SCISSOR_TEST);
  glClearColor(red, green, blue, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

Image read_pixels(int width, int height) {
  Image image{width, height, std::vector<std::uint8_t>(Image::bytes_for(width, height))};
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  // OpenGL counts rows from below; what blending left in alpha means nothing in a picture.
  const std::size_t row = Image::bytes_for(width, 1);
  for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {
    const auto at = image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * top;
    std::swap_ranges(at, at + static_cast<std::ptrdiff_t>(row),
                     image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * bottom);
  }
  for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4) image.rgba[alpha] = 255;
  return image;
}

}  // namespace tideline::gl
