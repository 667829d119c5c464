// Pictures on the screen, as panels ask for them.
#pragma once

#include <memory>

#include "render/model/log_images.h"

namespace tideline::ui {

/// Implemented where there is a graphics context. Thread: the UI's.
class Textures {
 public:
  Textures() = default;
  virtual ~Textures() = default;
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  /// The id that Dear ImGui draws `pixels` by, for this frame; null when the frame has no time left
  /// to take them over: another frame is needed then.
  [[nodiscard]] virtual void* id_of(const std::shared_ptr<const Pixels>& pixels) = 0;
};

}  // namespace tideline::ui
