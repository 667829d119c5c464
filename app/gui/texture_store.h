// The pictures that the window shows, kept as textures while they are drawn.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "render/gl/texture.h"
#include "render/ui/textures.h"

namespace tideline::gui {

/// Keeps what was drawn in one of the last frames. A context must be current whenever it is used;
/// before the context goes, call `clear`.
class TextureStore final : public ui::Textures {
 public:
  [[nodiscard]] void* id_of(const std::shared_ptr<const ui::Pixels>& pixels) override;
  /// To be called before each frame: forgets what was not drawn for some frames.
  void begin_frame();
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    std::shared_ptr<const ui::Pixels> pixels;
    std::unique_ptr<gl::Texture> texture;
    std::uint64_t drawn = 0;
  };
  std::map<const ui::Pixels*, Kept> kept_;
  std::uint64_t frame_ = 0;
  std::int64_t bytes_left_ = 0;
};

}  // namespace tideline::gui
