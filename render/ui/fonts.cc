#include "render/ui/fonts.h"

#include <imgui.h>
#include <imgui_freetype.h>

#include <cmath>
#include <filesystem>
#include <system_error>

namespace tideline::ui {
namespace {

constexpr const char* kTypeface = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
constexpr const char* kBoldTypeface = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";

// Pairs of first and last. Names in graphs are mostly Latin, but any script may turn up.
constexpr std::array<ImWchar, 19> kAllScripts = {
    0x0020, 0x024F,  // Latin with accents
    0x0370, 0x052F,  // Greek, Cyrillic
    0x2010, 0x2027,  // dashes, quotation marks, ellipsis
    0x2070, 0x209F,  // raised and lowered digits
    0x2190, 0x21FF,  // arrows
    0x2200, 0x22FF,  // mathematical signs
    0x25A0, 0x25FF,  // squares, triangles
    0x2600, 0x266F,  // symbols
    0x2713, 0x2717,  // ticks
    0};
constexpr std::array<ImWchar, 5> kDigitsAndArrows = {0x0020, 0x00FF, 0x2190, 0x2193, 0};

bool exists(const char* path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

ImFont* add(ImFontAtlas& atlas, const char* path, float size_px, const ImWchar* ranges) {
  size_px = std::max(6.0F, std::round(size_px));
  if (exists(path)) {
    ImFontConfig config;
    config.EllipsisChar = 0x2026;
    if (ImFont* font = atlas.AddFontFromFileTTF(path, size_px, &config, ranges)) return font;
  }
  ImFontConfig config;
  config.SizePixels = size_px;
  return atlas.AddFontDefault(&config);
}

}  // namespace

ImFont* Fonts::nearest(float size_px) const {
  ImFont* best = body;
  for (ImFont* font : {tiny, small, large}) {
    if (std::abs(font->FontSize - size_px) < std::abs(best->FontSize - size_px)) best = font;
  }
  return best;
}

Fonts load_fonts(ImFontAtlas& atlas, float body_px) {
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  Fonts fonts;
  // The first font is the default.
  fonts.body = add(atlas, kTypeface, body_px, kAllScripts.data());
  fonts.small = add(atlas, kTypeface, body_px * kSmallShare, kAllScripts.data());
  fonts.tiny = add(atlas, kTypeface, body_px * kTinyShare, kAllScripts.data());
  fonts.large = add(atlas, kBoldTypeface, body_px * kLargeShare, kDigitsAndArrows.data());
  atlas.Build();
  return fonts;
}

}  // namespace tideline::ui
