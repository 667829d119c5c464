#include "render/view/svg_canvas.h"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>

namespace tideline::render {
namespace {

constexpr Color kRed = {255, 0, 0};
constexpr Color kHalfBlue = {0, 0, 255, 128};

std::string drawn(const std::function<void(SvgCanvas&)>& draw) {
  SvgCanvas canvas(100, 50, 2, {0, 0, 0});
  draw(canvas);
  return canvas.finish();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a colour over another is what is seen of both") {
  CHECK((Color{255, 0, 10, 255}.over({1, 2, 3}) == Color{255, 0, 10}));
  CHECK((Color{255, 0, 10, 0}.over({1, 2, 3}) == Color{1, 2, 3}));
  CHECK((Color{200, 0, 100, 51}.over({100, 255, 100}) == Color{120, 204, 100}));
}

TEST_CASE("scale enlarges the picture, not what is in it") {
  CHECK(has(drawn([](SvgCanvas&) {}), R"(width="200" height="100" viewBox="0 0 100 50")"));
}

TEST_CASE("shapes are written with short numbers, opacity only where there is some") {
  const std::string svg = drawn([](SvgCanvas& canvas) {
    canvas.fill({1, 2.5F, 4, 10.333333F}, kRed, 2);
    canvas.line({0, 0}, {10, 10}, kHalfBlue, 1, Dash::kDotted);
    canvas.curve({0, 0}, {1, 1}, {2, 2}, {3, 3}, kRed, 2);
  });
  CHECK(has(svg, R"(<rect x="1" y="2.5" width="3" height="7.83" rx="2" fill="#ff0000"/>)"));
  CHECK(has(svg, R"(<path d="M0 0L10 10" fill="none" stroke="#0000ff" stroke-opacity="0.5")"
                 R"( stroke-dasharray="1.5 3"/>)"));
  CHECK(has(svg, R"(<path d="M0 0C1 1 2 2 3 3" fill="none" stroke="#ff0000" stroke-width="2"/>)"));
}

TEST_CASE("names cannot leave their text element") {
  const std::string svg = drawn([](SvgCanvas& canvas) {
    canvas.text({0, 0}, "</text><script>\"&\x01\xff", kRed, 12);
  });
  CHECK(has(svg, "&lt;/text&gt;&lt;script&gt;&quot;&amp;\\x01\\xff</text>"));
  CHECK_FALSE(has(svg, "<script"));
}

TEST_CASE("numbers that are none are drawn as 0, huge ones cut off") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float huge = std::numeric_limits<float>::infinity();
  const std::string svg = drawn([&](SvgCanvas& canvas) {
    canvas.fill({nan, huge, nan, -huge}, kRed);
    const std::array<Point, 2> points = {{{nan, 0}, {3e38F, 1}}};
    canvas.polyline(points, kRed, nan);
    canvas.area(points, huge, kRed);
    canvas.polyline({}, kRed, 1);
  });
  CHECK_FALSE(has(svg, "nan"));
  CHECK_FALSE(has(svg, "inf"));
  CHECK(has(svg, "10000000"));
}

TEST_CASE("every clip is closed and every hatch has its pattern") {
  const std::string svg = drawn([](SvgCanvas& canvas) {
    canvas.push_clip({0, 0, 10, 10});
    canvas.hatch({0, 0, 5, 5}, kRed);
    canvas.hatch({5, 5, 9, 9}, kRed);
    canvas.hatch({5, 5, 9, 9}, kHalfBlue);
    canvas.pop_clip();
  });
  CHECK(has(svg, R"(<pattern id="h0")"));
  CHECK(has(svg, R"(<pattern id="h1")"));
  CHECK_FALSE(has(svg, R"(<pattern id="h2")"));
  CHECK(has(svg, "<g clip-path=\"url(#c0)\">"));
  CHECK(has(svg, "</g>\n</svg>\n"));
}

TEST_CASE("widths are those of DejaVu Sans") {
  // em of 2048 units, a line of 2384; M is 1767, i 569. Approximately: 23.84 is no float.
  CHECK(dejavu_width("M", 23.84F) == Approx(17.67));
  CHECK(dejavu_width("Mi", 23.84F) == Approx(17.67 + 5.69));
  CHECK(dejavu_width("", 20) == 0);
  CHECK(dejavu_width("\xc3\xa4", 23.84F) == Approx(12.29));  // one character
}

}  // namespace tideline::render
