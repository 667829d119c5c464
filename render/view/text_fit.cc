#include "render/view/text_fit.h"

#include "core/base/text.h"

namespace tideline::render {
namespace {

constexpr std::size_t kLeastLetters = 2;
constexpr std::size_t kMostLetters = 400;

// The longest prefix (or suffix) that fits beside the dots, by halving.
std::string shorten(const Canvas& canvas, const std::string& text, float size_px, float width_px,
                    bool keep_end) {
  const auto cut = [&](std::size_t letters) {
    return keep_end ? ".." + text.substr(text.size() - letters) : text.substr(0, letters) + "..";
  };
  std::size_t fits = 0;
  std::size_t too_many = text.size();
  while (fits + 1 < too_many) {
    const std::size_t middle = (fits + too_many) / 2;
    (canvas.text_width(cut(middle), size_px) <= width_px ? fits : too_many) = middle;
  }
  return fits < kLeastLetters ? std::string() : cut(fits);
}

std::string fit(const Canvas& canvas, std::string_view text, float size_px, float width_px,
                bool keep_end) {
  std::string clean = printable(text, kMostLetters);
  if (canvas.text_width(clean, size_px) <= width_px) return clean;
  for (char& letter : clean) {
    if (static_cast<unsigned char>(letter) > 0x7E) letter = '?';  // so that any place may be cut
  }
  return shorten(canvas, clean, size_px, width_px, keep_end);
}

}  // namespace

std::string fit_text(const Canvas& canvas, std::string_view text, float size_px, float width_px) {
  return fit(canvas, text, size_px, width_px, false);
}

std::string fit_name(const Canvas& canvas, std::string_view name, float size_px, float width_px) {
  return fit(canvas, name, size_px, width_px, true);
}

std::string_view last_part(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos || slash + 1 == name.size() ? name
                                                                     : name.substr(slash + 1);
}

}  // namespace tideline::render
