#include "render/view/draw_list.h"

#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "render/view/levels_view.h"
#include "render/view/memory_view.h"
#include "render/view/svg_canvas.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

using Json = nlohmann::json;

constexpr Color kRed = {255, 0, 0};
constexpr Color kHalfBlue = {0, 0, 255, 128};

struct Call {
  std::string kind;
  double x = 0, y = 0;
  std::string text;
};

double number_after(const std::string& line, const std::string& word) {
  return std::strtod(line.c_str() + line.find(word) + word.size(), nullptr);
}

// What SvgCanvas wrote, without the background that it fills first.
std::vector<Call> svg_calls(const std::string& svg) {
  const auto has = [](const std::string& line, std::string_view part) {
    return line.find(part) != std::string::npos;
  };
  std::vector<Call> calls;
  std::istringstream lines(svg);
  std::string line;
  while (std::getline(lines, line)) {
    if (has(line, "<svg") || has(line, "</svg") || has(line, "<pattern")) continue;
    Call call;
    if (line == "</g>") {
      call.kind = "pop";
    } else if (has(line, "<path")) {
      call.kind = has(line, "C") ? "curve" : has(line, "Z\"") ? "shape" : "way";
      call.x = number_after(line, "d=\"M");
      call.y = number_after(line.substr(line.find("d=\"M")), " ");
    } else {
      call.kind = has(line, "<clipPath")    ? "push"
                  : has(line, "<text")      ? "text"
                  : has(line, "url(#h")     ? "hatch"
                  : has(line, " stroke=\"") ? "frame"
                                            : "fill";
      call.x = number_after(line, " x=\"");
      call.y = number_after(line, " y=\"");
    }
    if (call.kind == "text") {
      const std::size_t from = line.find('>') + 1;
      call.text = line.substr(from, line.find("</text>") - from);
      if (const auto at = call.text.find("&gt;"); at != std::string::npos) {
        call.text.replace(at, 4, ">");  // the only letter of these pictures that SVG writes so
      }
    }
    calls.push_back(std::move(call));
  }
  calls.erase(calls.begin());
  return calls;
}

// The same of the draw list.
std::vector<Call> listed_calls(const Json& picture) {
  constexpr std::array kKinds = {"fill",  "frame", "hatch", "way",  "way", "shape",
                                 "curve", "shape", "text",  "push", "pop"};
  std::vector<Call> calls;
  for (const Json& row : picture["list"]) {
    const int kind = row[0];
    Call call{kKinds.at(static_cast<std::size_t>(kind)), 0, 0, {}};
    if (kind == 4 || kind == 6) {  // the width comes first
      call.x = row[3], call.y = row[4];
    } else if (kind == 5) {  // SVG begins at the base
      call.x = row[3], call.y = row[2];
    } else if (kind != 10) {
      call.x = row[2], call.y = row[3];
    }
    if (kind == 8) {
      call.text = picture["texts"].at(row[6].get<std::size_t>());
      call.y += row[4].get<double>() * 1901 / 2384;
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

void check_same(const std::vector<Call>& svg, const std::vector<Call>& listed) {
  REQUIRE(svg.size() == listed.size());
  for (std::size_t i = 0; i < svg.size(); ++i) {
    INFO("call " << i << ", " << svg[i].kind);
    REQUIRE(listed[i].kind == svg[i].kind);
    CHECK(listed[i].text == svg[i].text);
    // Half of a decimal each, and of the size of a text.
    CHECK(listed[i].x == Approx(svg[i].x).margin(0.056));
    CHECK(listed[i].y == Approx(svg[i].y).margin(svg[i].kind == "text" ? 0.1 : 0.056));
  }
}

template <typename Draw>
Json listed(const Draw& draw) {
  DrawList list;
  draw(list);
  Json picture = Json::parse(list.json({}));
  CHECK(picture["list"].size() == list.calls());
  return picture;
}

template <typename Draw>
void check_as_svg(const Draw& draw) {
  SvgCanvas svg(100, 50, 1, {0, 0, 0});
  draw(svg);
  check_same(svg_calls(svg.finish()), listed_calls(listed(draw)));
}

}  // namespace

TEST_CASE("a small picture has exactly this text") {
  DrawList list;
  list.push_clip({0, 0, 100, 50});
  list.fill({1, 2.5F, 4, 10.333333F}, kRed, 2);
  list.text({7, 8}, "a\"b\\", kHalfBlue, 12, Align::kRight);
  list.pop_clip();
  CHECK(list.calls() == 4);
  const Axis axis = {3.5, 20, 7.5F, 92.5F};
  CHECK_THAT(list.json({12, axis, 94, 7.25}), Catch::Contains(R"(],"scroll":7.25,"colors":[)"));
  CHECK(list.json({12, axis, 94}) ==
        R"({"schema":"tideline.picture/1","revision":12,"first":3.5,"span":20,"count":94,)"
        R"("axis":[7.5,92.5],"colors":["#ff0000ff","#0000ff80"],"texts":["a\"b\\"],"list":[)"
        R"([9,0,0,0,100,50],[0,0,1,2.5,4,10.3,2],[8,1,7,8,12,2,0,21.1],[10,0]]})");
}

TEST_CASE("every kind of call is listed with all that it was given") {
  const Json picture = listed([](Canvas& canvas) {
    canvas.frame({1, 2, 3, 4}, kRed, 1.5F, 2, Dash::kDashed);
    canvas.hatch({1, 2, 3, 4}, kRed);
    canvas.line({1, 2}, {3, 4}, kRed, 1, Dash::kDotted);
    const std::array<Point, 3> points = {{{0, 5}, {1, 6}, {2, 3}}};
    canvas.polyline(points, kRed, 1.6F);
    canvas.area(points, 9, kRed);
    canvas.curve({1, 2}, {3, 4}, {5, 6}, {7, 8}, kRed, 1.2F);
    canvas.triangle({1, 2}, {3, 4}, {5, 6}, kRed);
  });
  CHECK(picture["list"] == Json::parse(R"([[1,0,1,2,3,4,1.5,2,1], [2,0,1,2,3,4],
    [3,0,1,2,3,4,1,2], [4,0,1.6,0,5,1,6,2,3], [5,0,9,0,5,1,6,2,3],
    [6,0,1.2,1,2,3,4,5,6,7,8], [7,0,1,2,3,4,5,6]])"));
  CHECK(picture["colors"] == Json({"#ff0000ff"}));
}

TEST_CASE("numbers have one decimal, rounded, and none when it is 0") {
  const Json picture = listed([](Canvas& canvas) {
    canvas.fill({0.04F, -0.04F, 0.05F, -0.26F}, kRed);
    canvas.fill({123.96F, -7.95F, 1e30F, -1e30F}, kRed);
  });
  CHECK(picture["list"].dump() ==
        "[[0,0,0,0,0.1,-0.3],[0,0,124,-7.9,10000000,-10000000]]");  // -7.95 is -7.9499998
}

TEST_CASE("the list of the level and memory views is that of their SVG, call by call") {
  for (const int threshold : {0, 5}) {
    const auto snapshot =
        test::snapshot_of(test::u_shaped_graph(2, 15),
                          threshold == 0 ? Policy{} : test::swap_policy(threshold, 2, 0));
    const Scene scene = snapshot->scene();
    const LevelsLayout layout = layout_levels(scene);
    for (const double span : {0.0, 12.0, 4.0}) {
      LevelsLook look = {.scene = &scene,
                         .ops = &layout.ops,
                         .swaps = &layout.swaps,
                         .palette = &palette(ThemeKind::kDark),
                         .area = {0, 0, 900, 500},
                         .range = {3, span},
                         .selected = TensorId{OpId{4}, 0},
                         .hovered = {},
                         .cursor = 4.5,
                         .show_control_edges = true};
      check_as_svg([&](Canvas& canvas) { draw_levels(canvas, look); });
    }
    for (const bool bands : {false, true}) {
      const MemoryLayout memory = layout_memory(scene, 0, MemoryAxis::kLevel);
      const MemoryLook look = {.scene = &scene,
                               .memory = &memory,
                               .palette = &palette(ThemeKind::kLight),
                               .area = {0, 0, 700, 300},
                               .range = {},
                               .show_bands = bands,
                               .selected = {},
                               .cursor = 7};
      check_as_svg([&](Canvas& canvas) { draw_memory(canvas, look); });
    }
  }
}

TEST_CASE("lines without extent are not listed, nor in the SVG") {
  check_as_svg([](Canvas& canvas) {
    const std::array<Point, 1> point = {{{1, 2}}};
    canvas.polyline(point, kRed, 1);
    canvas.area({}, 5, kRed);
    canvas.polyline(point, kRed, 1);
  });
}

TEST_CASE("points on a straight way are left out of lines and areas") {
  std::vector<Point> steps;
  for (int i = 0; i < 500; ++i) {
    steps.push_back({static_cast<float>(i), i < 250 ? 20.0F : 20.01F});
    steps.push_back({static_cast<float>(i + 1), i < 250 ? 20.0F : 20.01F});
  }
  const Json picture = listed([&](Canvas& canvas) {
    canvas.polyline(steps, kRed, 1);
    canvas.area(steps, 40, kRed);
  });
  CHECK(picture["list"][0] == Json({4, 0, 1, 0, 20, 500, 20}));
  CHECK(picture["list"][1] == Json({5, 0, 40, 0, 20, 500, 20}));
}

TEST_CASE("any bytes of a name give valid JSON, as they are shown in an SVG") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string name;
    for (int i = 0; i < 20; ++i) name += static_cast<char>(random() % 256);
    name += "</script>\"\\\xe2\x80\xae\xc3";
    const Json picture = listed([&](Canvas& canvas) { canvas.text({1, 2}, name, kRed, 12); });
    const std::string shown = picture["texts"][0];
    CHECK(shown.ends_with(R"(</script>"\\u202e\xc3)"));
    CHECK(picture["list"][0][7].get<double>() == Approx(dejavu_width(shown, 12)).margin(0.051));
  }
  const Json twice = listed([](Canvas& canvas) {
    for (const char* text : {"a", "b", "a", ""}) canvas.text({0, 0}, text, kRed, 12);
  });
  CHECK(twice["texts"] == Json({"a", "b", ""}));
  CHECK(twice["list"][2][6] == 0);
  CHECK(twice["list"][3][6] == 2);
}

TEST_CASE("numbers that are none never leave JSON") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float huge = std::numeric_limits<float>::infinity();
  DrawList list;
  list.fill({nan, huge, -huge, 3e38F}, kRed, nan);
  list.frame({nan, nan, nan, nan}, kRed, huge, huge);
  const std::array<Point, 4> points = {{{nan, 0}, {3e38F, 1}, {huge, -huge}, {nan, nan}}};
  list.polyline(points, kRed, nan);
  list.area(points, huge, kRed);
  list.text({nan, huge}, "x", kRed, huge);
  const double infinite = std::numeric_limits<double>::infinity();
  const Axis axis = {std::numeric_limits<double>::quiet_NaN(), infinite, nan, huge};
  const Json picture = Json::parse(list.json({~std::uint64_t{0}, axis, -1}));
  CHECK(picture["revision"] == ~std::uint64_t{0});
  CHECK(picture["first"] == 0);
  CHECK(picture["span"] == 0);
  CHECK(picture["list"].size() == 5);
  CHECK(picture["list"][0] == Json({0, 0, 0, 0, 0, 10000000}));
}

}  // namespace tideline::render
