// Golden pictures of the whole window: five graphs in three sizes, three sizes of letters and three
// themes. 135 pictures would be too many megabytes for a repository, so of each there is the mean
// of blocks of kBlockPx pixels, those of a graph and a theme on one sheet; a few are kept whole.
// WINDOW_PICTURES=FOLDER writes all of them whole, to be looked at.
//
// Tolerance: the mean of a block does not change with the edges of letters. A word that is gone or
// moved, a panel or a colour changes blocks by more than kSheet allows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/gui/support/golden_picture.h"
#include "tests/gui/support/opened_graph.h"
#include "tests/gui/support/window_painter.h"

namespace tideline::gui {
namespace {

struct Size {
  int width, height;
};
constexpr std::array kSizes = {Size{1600, 1000}, Size{1280, 720}, Size{800, 600}};
constexpr std::array kFonts = {16, 24, 32};
constexpr int kBlockPx = 16;
constexpr PictureTolerance kSheet = {.mean_off = 0.5, .much = 16, .most_much = 0.002};

// Of blocks at the right and lower edge only what is there.
gl::Image blocks_of(const gl::Image& image) {
  gl::Image blocks;
  blocks.width = (image.width + kBlockPx - 1) / kBlockPx;
  blocks.height = (image.height + kBlockPx - 1) / kBlockPx;
  for (int y = 0; y < image.height; y += kBlockPx) {
    for (int x = 0; x < image.width; x += kBlockPx) {
      int red = 0, green = 0, blue = 0;
      const int right = std::min(image.width, x + kBlockPx);
      const int bottom = std::min(image.height, y + kBlockPx);
      for (int row = y; row < bottom; ++row) {
        const std::uint8_t* at = image.rgba.data() + 4 * (row * image.width + x);
        for (int column = x; column < right; ++column, at += 4) {
          red += at[0], green += at[1], blue += at[2];
        }
      }
      const int pixels = (right - x) * (bottom - y);
      for (const int channel : {red, green, blue, 255 * pixels}) {
        blocks.rgba.push_back(static_cast<std::uint8_t>(channel / pixels));
      }
    }
  }
  return blocks;
}

// A column for each size, a row for each size of letters.
class Sheet {
 public:
  Sheet() {
    for (const Size size : kSizes) {
      left_.push_back(image_.width);
      image_.width += (size.width + kBlockPx - 1) / kBlockPx + 1;
    }
    row_ = (kSizes[0].height + kBlockPx - 1) / kBlockPx + 1;
    image_.height = row_ * static_cast<int>(kFonts.size());
    image_.rgba.assign(static_cast<std::size_t>(4 * image_.width * image_.height), 255);
  }
  void put(std::size_t size, std::size_t font, const gl::Image& blocks) {
    for (int y = 0; y < blocks.height; ++y) {
      const int to = 4 * ((static_cast<int>(font) * row_ + y) * image_.width + left_[size]);
      std::copy_n(blocks.rgba.begin() + 4 * y * blocks.width, 4 * blocks.width,
                  image_.rgba.begin() + to);
    }
  }
  [[nodiscard]] const gl::Image& image() const { return image_; }

 private:
  gl::Image image_;
  std::vector<int> left_;
  int row_ = 0;
};

// Those that are kept whole: one of each graph, with all sizes, sizes of letters and themes.
bool is_whole(const std::string& name) {
  constexpr std::array kWhole = {"tutorial_1600x1000_16_dark", "resnet50_1280x720_24_light",
                                 "transformer_800x600_16_color-blind-safe", "vgg_1280x720_16_light",
                                 "100k_800x600_32_dark"};
  return std::find(kWhole.begin(), kWhole.end(), name) != kWhole.end();
}

// The windows of one size of letters, in all sizes and themes.
template <typename Take>
void draw_all(OpenedGraph& opened, int font, const Take& take) {
  ui::ViewState view = opened.viewer.view;
  view.font_px = static_cast<float>(font);
  WindowPainter painter(opened.model(), view);
  for (std::size_t size = 0; size < kSizes.size(); ++size) {
    for (std::size_t kind = 0; kind < render::kThemeCount; ++kind) {
      view.theme = static_cast<render::ThemeKind>(kind);
      take(size, kind, painter.draw(view, kSizes[size].width, kSizes[size].height));
    }
  }
}

void check_pictures(const std::string& graph) {
  const auto opened = open_graph(graph);
  const char* folder = std::getenv("WINDOW_PICTURES");
  int whole = 0;
  std::array<Sheet, render::kThemeCount> sheets;
  for (std::size_t font = 0; font < kFonts.size(); ++font) {
    draw_all(
        *opened, kFonts[font], [&](std::size_t size, std::size_t kind, const gl::Image& drawn) {
          sheets[kind].put(size, font, blocks_of(drawn));
          const std::string name =
              fmt::format("{}_{}x{}_{}_{}", graph, kSizes[size].width, kSizes[size].height,
                          kFonts[font], render::theme_name(static_cast<render::ThemeKind>(kind)));
          if (folder != nullptr) write_png(fmt::format("{}/{}.png", folder, name), drawn);
          if (!is_whole(name)) return;
          check_golden("window_" + name, drawn);
          ++whole;
        });
  }
  for (std::size_t kind = 0; kind < render::kThemeCount; ++kind) {
    const auto theme = static_cast<render::ThemeKind>(kind);
    check_golden(fmt::format("every_{}_{}", graph, render::theme_name(theme)), sheets[kind].image(),
                 kSheet);
  }
  CHECK(whole == 1);
}

}  // namespace

TEST_CASE("Every window looks as it did: the tutorial", "[golden][every]") {
  check_pictures("tutorial");
}
TEST_CASE("Every window looks as it did: resnet50", "[golden][every]") {
  check_pictures("resnet50");
}
TEST_CASE("Every window looks as it did: the transformer", "[golden][every]") {
  check_pictures("transformer");
}
TEST_CASE("Every window looks as it did: a net like VGG", "[golden][every]") {
  check_pictures("vgg");
}
TEST_CASE("Every window looks as it did: 100,000 ops", "[golden][every]") {
  check_pictures("100k");
}

TEST_CASE("The blocks of a picture tell a pane and a parameter from others", "[golden][every]") {
  const auto opened = open_graph("tutorial");
  const auto drawn = [&] {
    WindowPainter painter(opened->model(), opened->viewer.view);
    return blocks_of(painter.draw(opened->viewer.view, 1280, 720));
  };
  const gl::Image first = drawn();
  const auto is_told = [&](const gl::Image& other) {
    const PictureDistance apart = distance(first, other, kSheet.much);
    return apart.mean >= kSheet.mean_off || apart.much >= kSheet.most_much;
  };
  CHECK_FALSE(is_told(drawn()));
  opened->viewer.view.show_bottom = false;
  CHECK(is_told(drawn()));
  opened->viewer.view.show_bottom = true;
  opened->run("policy.set", {"swapin-ahead", "30"});
  CHECK(is_told(drawn()));
}

}  // namespace tideline::gui
