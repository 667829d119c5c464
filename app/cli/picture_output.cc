#include "app/cli/picture_output.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "app/cli/terminal.h"
#include "app/engine/search.h"
#include "core/base/output_file.h"
#include "core/base/parse.h"

namespace tideline::cli {
namespace {

constexpr int kLeastPx = 200;
constexpr int kMostPx = 16384;
constexpr float kUsualFontPx = 15;  // of a picture of scale 1

// WIDTHxHEIGHT; nothing for anything else.
std::optional<std::pair<int, int>> parse_size_px(const std::string& text) {
  const auto side = [](std::string_view digits) {
    if (digits.empty() || digits.size() > 5) return 0;
    int value = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return 0;
      value = 10 * value + (digit - '0');
    }
    return value >= kLeastPx && value <= kMostPx ? value : 0;
  };
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return std::nullopt;
  const int width = side(std::string_view(text).substr(0, cross));
  const int height = side(std::string_view(text).substr(cross + 1));
  if (width == 0 || height == 0) return std::nullopt;
  return std::pair(width, height);
}

// FIRST:LAST, both included, FIRST not behind LAST; nothing for anything else.
std::optional<std::pair<int, int>> parse_range(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto first = parse_as<int>(text.substr(0, colon));
  const auto last = parse_as<int>(text.substr(colon + 1));
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

bool is_png(const PictureOptions& options) {
  return options.path.ends_with(".png");
}

// In pixels of the file: everything in it grows with --scale. Letters are rasterised in the size of
// the text.
Result<std::string> draw_png(double scale, render::Picture picture, const app::DrawPng& draw_on) {
  const auto factor = static_cast<float>(scale);
  const float text_scale = factor * picture.font_px / kUsualFontPx;
  picture.width_px = std::round(picture.width_px * factor);
  picture.height_px = std::round(picture.height_px * factor);
  picture.font_px *= factor;
  return draw_on(static_cast<int>(picture.width_px), static_cast<int>(picture.height_px),
                 text_scale, picture.theme,
                 [&](render::Canvas& canvas) { render::draw_picture(canvas, picture); });
}

}  // namespace

void add_picture_look(const Command& command, PictureOptions& options) {
  command.add_option("--size", options.size, "Width and height of the picture before --scale")
      .check([](const std::string& text) {
        return parse_size_px(text) ? std::string()
                                   : fmt::format("expected WIDTHxHEIGHT, each {} to {}, not {}",
                                                 kLeastPx, kMostPx, text);
      })
      .type_name("WxH")
      .show_default();
  command
      .add_option("--scale", options.scale, "Enlarges the picture and everything in it (0.5 to 8)")
      .in_range(0.5, 8.0)
      .type_name("N")
      .show_default();
  command.add_option("--theme", options.theme, "dark, light or color-blind-safe")
      .one_of({"dark", "light", "color-blind-safe"})
      .type_name("NAME")
      .show_default();
  command.add_option("--font-size", options.font_px, "Size of text before --scale (8 to 48)")
      .in_range(8, 48)
      .type_name("PX")
      .show_default();
}

void add_picture_part(const Command& command, PartOptions& options) {
  command
      .add_option("--range", options.range,
                  "Show the levels FIRST to LAST, as in 560:605; of another axis steps or "
                  "microseconds, of scopes thousandths of the width")
      .check([](const std::string& text) {
        return parse_range(text)
                   ? std::string()
                   : fmt::format(
                         "expected FIRST:LAST, two whole numbers of at least 0, the first "
                         "not above the last, as in 560:605, not {}",
                         text);
      })
      .type_name("FIRST:LAST");
  command.add_option("--select", options.select, "Mark an op, its tensors, readers and swap")
      .not_empty()
      .type_name("OP");
}

Result<render::ViewPart> picture_part(const PartOptions& options, const app::OpenedGraph& graph,
                                      int count, std::string_view unit) {
  render::ViewPart part;
  if (!options.range.empty()) {
    const auto [first, last] = *parse_range(options.range);
    if (last >= count) {
      return fail(Code::kInvalidArgument, "--range {}: expected {} from 0 to {}", options.range,
                  unit, count - 1);
    }
    part.range = {static_cast<double>(first), static_cast<double>(last - first + 1)};
  }
  if (!options.select.empty()) {
    auto found = app::find_named(graph, options.select);
    if (!found) return tl::unexpected(with_context(std::move(found).error(), "--select"));
    part.selected = *found;
  }
  return part;
}

std::optional<int> refuse_picture(const PictureOptions& options, const Front& front) {
  if (!options.path.ends_with(".svg") && !is_png(options)) {
    return report_usage(
        {Code::kInvalidArgument,
         fmt::format("-o {}: expected a name that ends in .svg or .png", options.path)});
  }
  if (is_png(options) && !front.draw_png) {
    return report_usage(
        {Code::kUnsupported,
         fmt::format("-o {}: this build has no window and cannot draw PNG; expected "
                     ".svg",
                     options.path)});
  }
  if (Status status = check_output_path(options.path, options.force); !status) {
    return report(status.error());
  }
  return std::nullopt;
}

Result<std::string> draw_picture(const PictureOptions& options, render::Picture picture,
                                 const Front& front) {
  picture.theme = *render::theme_of_name(options.theme);
  const auto [width, height] = *parse_size_px(options.size);
  picture.width_px = static_cast<float>(width);
  picture.height_px = static_cast<float>(height);
  picture.font_px = static_cast<float>(options.font_px);
  if (is_png(options)) return draw_png(options.scale, std::move(picture), front.draw_png);
  return render::draw_svg(picture, options.scale);
}

}  // namespace tideline::cli
