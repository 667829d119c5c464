#include "render/view/palette.h"

#include <algorithm>
#include <cmath>

namespace tideline::render {
namespace {

constexpr Color rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U),
          static_cast<std::uint8_t>(hex), 255};
}

constexpr Palette dark() {
  return {
      .background = rgb(0x111113),
      .panel = rgb(0x151517),
      .raised = rgb(0x24262B),
      .text = rgb(0xE8E8EA),
      .dim_text = rgb(0x8A8C92),
      .grid = rgb(0x2A2B30),
      .outline = rgb(0x3A3C43),
      .accent = rgb(0x4296FA),
      .good = rgb(0x4CC864),
      .error = rgb(0xF06464),
      .warning = rgb(0xE0B040),
      .original = rgb(0x8C8E96),
      .device = rgb(0x468CEB),
      .host = rgb(0xFF8C28),
      .host_lane = rgb(0x2A1C12),
      .swap_out = rgb(0xFF8C28),
      .swap_in = rgb(0x3CD2BE),
      .budget = rgb(0xE63C3C),
      .candidate = rgb(0x5C5E66),
      .resident = rgb(0x24436F),
      .measured = rgb(0xE6DC64),
      .selection = rgb(0xFFFFFF),
      .hover = rgb(0xC8DCFF),
      .scopes = {rgb(0x5A9BD8), rgb(0xC58AE0), rgb(0x5FB87A), rgb(0xD8A24F), rgb(0xD66A7A),
                 rgb(0x4FB8B4), rgb(0x9AA3E8), rgb(0xB0B45A)},
      .phases = {rgb(0x7A7C84), rgb(0x5A9BD8), rgb(0xA55AD2), rgb(0xD2A54B)},
      .kinds = {rgb(0x3E6FB4), rgb(0x7E6AC8), rgb(0x6E7078), rgb(0x5FB87A), rgb(0xA55AD2),
                rgb(0xB89A4C), rgb(0x3CD2BE)},
  };
}

constexpr Palette light() {
  return {
      .background = rgb(0xFFFFFF),
      .panel = rgb(0xF5F6F8),
      .raised = rgb(0xE2E5EA),
      .text = rgb(0x17181B),
      .dim_text = rgb(0x62656D),
      .grid = rgb(0xE3E5E9),
      .outline = rgb(0xC3C6CD),
      .accent = rgb(0x1F6FD6),
      .good = rgb(0x1B7F38),
      .error = rgb(0xC42626),
      .warning = rgb(0x8A5A00),
      .original = rgb(0x7C7F87),
      .device = rgb(0x2F76D6),
      .host = rgb(0xDC6A08),
      .host_lane = rgb(0xFDF0E3),
      .swap_out = rgb(0xDC6A08),
      .swap_in = rgb(0x0E958A),
      .budget = rgb(0xD02020),
      .candidate = rgb(0xB4B7BE),
      .resident = rgb(0xBCD2F0),
      .measured = rgb(0x8A7B00),
      .selection = rgb(0x000000),
      .hover = rgb(0x1F4F96),
      .scopes = {rgb(0x4A86C4), rgb(0xA866C8), rgb(0x3F9A5C), rgb(0xC0862A), rgb(0xC04A5C),
                 rgb(0x2F9A96), rgb(0x727CD0), rgb(0x8C9034)},
      .phases = {rgb(0x9A9CA4), rgb(0x4A86C4), rgb(0x8C46BA), rgb(0xB9862B)},
      .kinds = {rgb(0x4A7CC4), rgb(0x7E6AC8), rgb(0x9A9CA4), rgb(0x4FA86A), rgb(0x9A52C4),
                rgb(0xB99A3C), rgb(0x1FA89A)},
  };
}

// The eight colours of Okabe and Ito (Color Universal Design, 2008), which people with any of the
// common colour deficiencies can tell apart; on a dark ground. What is late or wrong, what goes out
// and what comes in differ in lightness, too: vermilion, orange, and sky blue made lighter.
constexpr Palette color_blind_safe() {
  Palette colors = dark();
  colors.accent = rgb(0x56B4E9);
  colors.good = rgb(0x56B4E9);
  colors.error = rgb(0xE8631C);
  colors.warning = rgb(0xF0E442);
  colors.device = rgb(0x0072B2);
  colors.host = rgb(0xE69F00);
  colors.host_lane = rgb(0x262010);
  colors.swap_out = rgb(0xE69F00);
  colors.swap_in = rgb(0xA8DCFF);
  colors.budget = rgb(0xF0E442);
  colors.resident = rgb(0x123A55);
  colors.measured = rgb(0xF0E442);
  colors.scopes = {rgb(0x56B4E9), rgb(0xCC79A7), rgb(0x009E73), rgb(0xE69F00),
                   rgb(0xD55E00), rgb(0xF0E442), rgb(0x0072B2), rgb(0xA8A8A8)};
  colors.phases = {rgb(0x8A8C92), rgb(0x56B4E9), rgb(0xCC79A7), rgb(0xF0E442)};
  colors.kinds = {rgb(0x0072B2), rgb(0xCC79A7), rgb(0x8A8C92), rgb(0x009E73),
                  rgb(0xD55E00), rgb(0xF0E442), rgb(0x56B4E9)};
  return colors;
}

double luminance(Color color) {
  const auto linear = [](std::uint8_t channel) {
    const double share = channel / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

constexpr std::array<Palette, kThemeCount> kPalettes = {dark(), light(), color_blind_safe()};
constexpr std::array<const char*, kThemeCount> kNames = {"dark", "light", "color-blind-safe"};

}  // namespace

const char* theme_name(ThemeKind theme) {
  return kNames[static_cast<std::size_t>(theme)];
}

std::optional<ThemeKind> theme_of_name(std::string_view name) {
  for (std::size_t i = 0; i < kThemeCount; ++i) {
    if (name == kNames[i]) return static_cast<ThemeKind>(i);
  }
  return std::nullopt;
}

const Palette& palette(ThemeKind theme) {
  return kPalettes[static_cast<std::size_t>(theme)];
}

double contrast(Color a, Color b) {
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Color readable(Color color, Color ground, Color text) {
  constexpr int kSteps = 10;
  Color mixed = color;
  for (int i = 1; i <= kSteps && contrast(mixed, ground) < kReadableContrast; ++i)
    mixed = text.with_alpha(static_cast<double>(i) / kSteps).over(color);
  return mixed;
}

}  // namespace tideline::render
