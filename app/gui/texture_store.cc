#include "app/gui/texture_store.h"

namespace tideline::gui {
namespace {

constexpr std::uint64_t kFramesKept = 30;
// Taking over a megabyte takes some 0.2 ms with Mesa's software renderer.
constexpr std::int64_t kBytesAFrame = std::int64_t{16} << 20U;

}  // namespace

void TextureStore::begin_frame() {
  ++frame_;
  bytes_left_ = kBytesAFrame;
  std::erase_if(kept_,
                [this](const auto& entry) { return entry.second.drawn + kFramesKept < frame_; });
}

void* TextureStore::id_of(const std::shared_ptr<const ui::Pixels>& pixels) {
  Kept& kept = kept_[pixels.get()];
  kept.drawn = frame_;
  if (!kept.texture) {
    if (bytes_left_ <= 0) return nullptr;
    bytes_left_ -= static_cast<std::int64_t>(pixels->rgba.size());
    kept.pixels = pixels;
    kept.texture = std::make_unique<gl::Texture>(pixels->width, pixels->height, pixels->rgba);
  }
  // Dear ImGui's backend takes the name of a texture as a pointer.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kept.texture->id()));
}

}  // namespace tideline::gui
