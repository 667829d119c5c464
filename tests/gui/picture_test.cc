#include "app/gui/picture.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "render/gl/png.h"

namespace tideline::gui {
namespace {

using render::Canvas;
using render::Color;
using render::Point;

constexpr Color kRed = {255, 0, 0};

gl::Image drawn(int width, int height, const std::function<void(Canvas&)>& draw) {
  const auto bytes = draw_png(width, height, 1, render::ThemeKind::kDark, draw);
  INFO((bytes ? "" : bytes.error().message));
  REQUIRE(bytes);
  auto image = gl::decode_png(*bytes);
  REQUIRE(image);
  return *std::move(image);
}

Color at(const gl::Image& image, int x, int y) {
  const std::size_t first =
      4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
           static_cast<std::size_t>(x));
  return {image.rgba[first], image.rgba[first + 1], image.rgba[first + 2], image.rgba[first + 3]};
}

// Pixels that are not the ground.
int inked(const gl::Image& image) {
  const Color ground = render::palette(render::ThemeKind::kDark).background;
  int count = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) count += at(image, x, y) == ground ? 0 : 1;
  }
  return count;
}

}  // namespace

TEST_CASE("A picture shows what was drawn where it was drawn", "[picture]") {
  const gl::Image image = drawn(40, 20, [](Canvas& canvas) { canvas.fill({10, 5, 20, 15}, kRed); });
  CHECK(image.width == 40);
  CHECK(image.height == 20);
  CHECK(at(image, 10, 5) == kRed);
  CHECK(at(image, 19, 14) == kRed);
  CHECK(at(image, 20, 14) == render::palette(render::ThemeKind::kDark).background);
  CHECK(inked(image) == 10 * 10);
}

TEST_CASE("Two pictures of the same are the same bytes", "[picture]") {
  const auto draw = [](Canvas& canvas) { canvas.text({3, 3}, "conv1/Relu:0", kRed, 15); };
  const auto first = draw_png(120, 30, 1, render::ThemeKind::kLight, draw);
  const auto second = draw_png(120, 30, 1, render::ThemeKind::kLight, draw);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first == *second);
}

TEST_CASE("A picture without pixels, and one too large, are refused", "[picture]") {
  const auto nothing = [](Canvas&) {};
  const auto none = draw_png(0, 10, 1, render::ThemeKind::kDark, nothing);
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("1 to 16384") != std::string::npos);
  CHECK_FALSE(draw_png(10, 100000, 1, render::ThemeKind::kDark, nothing));
}

TEST_CASE("Nothing is drawn outside the clip", "[picture]") {
  const gl::Image image = drawn(40, 40, [](Canvas& canvas) {
    canvas.push_clip({10, 10, 20, 20});
    canvas.fill({0, 0, 40, 40}, kRed);
    canvas.hatch({-1e6F, -1e6F, 1e6F, 1e6F}, kRed);
    canvas.line({-1e6F, 0}, {1e6F, 40}, kRed, 3, render::Dash::kDotted);
    canvas.pop_clip();
  });
  CHECK(inked(image) == 10 * 10);
}

TEST_CASE("Dashes leave gaps, and dots more of them", "[picture]") {
  const auto line = [](render::Dash dash) {
    return inked(drawn(200, 10, [dash](Canvas& canvas) {
      canvas.line({0, 5}, {200, 5}, kRed, 2, dash);
    }));
  };
  CHECK(line(render::Dash::kSolid) > line(render::Dash::kDashed));
  CHECK(line(render::Dash::kDashed) > line(render::Dash::kDotted));
  CHECK(line(render::Dash::kDotted) > 0);
}

TEST_CASE("An area that is not convex is filled down to its base and no further", "[picture]") {
  const gl::Image image = drawn(30, 20, [](Canvas& canvas) {
    const std::array<Point, 6> steps = {{{0, 5}, {10, 5}, {10, 15}, {20, 15}, {20, 5}, {30, 5}}};
    canvas.area(steps, 18, kRed);
  });
  CHECK(inked(image) == 10 * 13 + 10 * 3 + 10 * 13);
  CHECK(at(image, 15, 10) == render::palette(render::ThemeKind::kDark).background);
}

TEST_CASE("More points than a list of Dear ImGui can index are drawn to the end", "[picture]") {
  std::vector<Point> points;
  for (int i = 0; i <= 100000; ++i)
    points.push_back({static_cast<float>(i) / 1000, i % 2 == 0 ? 4.0F : 5.0F});
  const gl::Image image = drawn(100, 20, [&](Canvas& canvas) {
    canvas.area(points, 10, kRed);
    canvas.polyline(points, kRed, 1);
  });
  CHECK(at(image, 0, 8) == kRed);
  CHECK(at(image, 50, 8) == kRed);
  CHECK(at(image, 99, 8) == kRed);
}

TEST_CASE("Text starts, is centred or ends where it was put", "[picture]") {
  using render::Align;
  const auto columns = [](Align align) {
    const gl::Image image = drawn(200, 30, [align](Canvas& canvas) {
      canvas.text({100, 5}, "MMMM", kRed, 15, align);
    });
    int left = 0;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < 100; ++x) {
        left += at(image, x, y) == render::palette(render::ThemeKind::kDark).background ? 0 : 1;
      }
    }
    return std::pair(left, inked(image) - left);
  };
  CHECK(columns(Align::kLeft).first == 0);
  CHECK(columns(Align::kRight).second == 0);
  const auto [left, right] = columns(Align::kCenter);
  CHECK(left > 0);
  CHECK(right > 0);
}

TEST_CASE("Bytes that are no PNG are told from one", "[picture]") {
  CHECK_FALSE(gl::decode_png("GIF89a"));
  CHECK_FALSE(gl::decode_png(""));
}

}  // namespace tideline::gui
