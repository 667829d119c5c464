#include "render/ui/fonts.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_freetype.h>

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/base/source_bytes.h"

namespace tideline::ui {
namespace {

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

// The built-in font, where `file` is empty.
ImFont* add(ImFontAtlas& atlas, std::string_view file, float size_px, const ImWchar* ranges) {
  size_px = std::max(6.0F, std::round(size_px));
  ImFontConfig config;
  if (!file.empty()) {
    config.EllipsisChar = 0x2026;
    void* owned = ImGui::MemAlloc(file.size());  // the atlas frees it
    std::memcpy(owned, file.data(), file.size());
    return atlas.AddFontFromMemoryTTF(owned, static_cast<int>(file.size()), size_px, &config,
                                      ranges);
  }
  config.SizePixels = size_px;
  return atlas.AddFontDefault(&config);
}

// The bytes of a font file; none if there is no such file, or, with a problem, if it is unusable.
std::string_view read(const std::string& path, SharedBytes& bytes, std::string& problem) {
  auto opened = open_bytes(path);
  if (!opened) {
    if (opened.error().code != Code::kNotFound) problem = opened.error().message;
    return {};
  }
  bytes = *std::move(opened);
  return bytes->bytes();
}

Fonts fill(ImFontAtlas& atlas, float body_px, std::string_view regular, std::string_view bold,
           std::string_view code) {
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  Fonts fonts;
  // The first font is the default.
  fonts.body = add(atlas, regular, body_px, kAllScripts.data());
  fonts.small = add(atlas, regular, body_px * kSmallShare, kAllScripts.data());
  fonts.tiny = add(atlas, regular, body_px * kTinyShare, kAllScripts.data());
  fonts.large = add(atlas, bold, body_px * kLargeShare, kDigitsAndArrows.data());
  fonts.code = code.empty() ? fonts.body : add(atlas, code, body_px, kDigitsAndArrows.data());
  return fonts;
}

constexpr std::size_t kMostFontBytes = std::size_t{64} << 20U;

// Whether FreeType can draw letters of any size with it, digits among them: Dear ImGui ends the
// program where a font has none of the letters that it looks for.
bool has_letters(std::string_view font) {
  if (font.empty() || font.size() > kMostFontBytes) return false;
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0) return false;
  FT_Face face = nullptr;
  const auto* bytes = reinterpret_cast<const FT_Byte*>(font.data());
  bool is_usable =
      FT_New_Memory_Face(library, bytes, static_cast<FT_Long>(font.size()), 0, &face) == 0;
  if (is_usable) {
    is_usable = FT_IS_SCALABLE(face) && FT_Select_Charmap(face, FT_ENCODING_UNICODE) == 0 &&
                FT_Set_Pixel_Sizes(face, 0, 15) == 0;
    for (const char letter : std::string_view("Aaz09 .")) {
      const auto code = static_cast<FT_ULong>(letter);
      is_usable = is_usable && FT_Get_Char_Index(face, code) != 0 &&
                  FT_Load_Char(face, code, FT_LOAD_DEFAULT) == 0;
    }
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return is_usable;
}

}  // namespace

ImFont* Fonts::nearest(float size_px) const {
  ImFont* best = body;
  for (ImFont* font : {tiny, small, large}) {
    if (std::abs(font->FontSize - size_px) < std::abs(best->FontSize - size_px)) best = font;
  }
  return best;
}

Typefaces typefaces_beside(const std::string& folder) {
  namespace fs = std::filesystem;
  Typefaces found;
  for (std::string* file : {&found.regular, &found.bold, &found.code}) {
    const fs::path beside =
        fs::path(folder) / "../share/tideline/fonts" / fs::path(*file).filename();
    std::error_code ignored;
    if (fs::is_regular_file(beside, ignored)) *file = beside.lexically_normal().string();
  }
  return found;
}

Typefaces usual_typefaces() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return typefaces_beside(program.parent_path().string());
}

Fonts load_fonts(ImFontAtlas& atlas, float body_px, const Typefaces& typefaces) {
  SharedBytes regular;
  SharedBytes bold;
  std::string problem;
  const std::string_view regular_file = read(typefaces.regular, regular, problem);
  const std::string_view bold_file = read(typefaces.bold, bold, problem);
  SharedBytes code;
  const std::string_view code_file = read(typefaces.code, code, problem);
  Fonts fonts = fill(atlas, body_px, regular_file, bold_file, code_file);
  if (!atlas.Build()) {
    problem =
        fmt::format("{} or {}: is no font that can be drawn", typefaces.regular, typefaces.bold);
    fonts = fill(atlas, body_px, {}, {}, {});
    atlas.Build();
  }
  if (!problem.empty()) fonts.problem = problem + "; the built-in font is used";
  return fonts;
}

Fonts load_chosen_fonts(ImFontAtlas& atlas, float body_px, const std::string& file) {
  if (file.empty()) return load_fonts(atlas, body_px);
  std::string problem;
  if (const auto bytes = open_bytes(file); !bytes) {
    problem = bytes.error().message;
  } else if (const std::string_view font = (*bytes)->bytes(); has_letters(font)) {
    SharedBytes code;
    std::string ignored;  // the font of code is not what was chosen
    const Fonts fonts =
        fill(atlas, body_px, font, font, read(usual_typefaces().code, code, ignored));
    if (atlas.Build()) return fonts;
  }
  if (problem.empty()) problem = fmt::format("{}: is no font that can be drawn", file);
  Fonts fonts = load_fonts(atlas, body_px);
  fonts.problem =
      problem + (fonts.problem.empty() ? "; the usual font is used" : "; " + fonts.problem);
  return fonts;
}

}  // namespace tideline::ui
