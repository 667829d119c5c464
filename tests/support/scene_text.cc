#include "tests/support/scene_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/graph_text.h"

namespace tideline::test {
namespace {

render::Rect around(std::span<const render::Point> points) {
  render::Rect box = {1e9F, 1e9F, -1e9F, -1e9F};
  for (const render::Point p : points) {
    box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x),
           std::max(box.y1, p.y)};
  }
  return box;
}

}  // namespace

Policy swap_policy(int threshold, int ahead, int group_by) {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", threshold);
  set_value(policy, "swapin-ahead", ahead);
  set_value(policy, "swapin-groupby", group_by);
  return policy;
}

SnapshotPtr snapshot_of(std::string_view text, const Policy& policy,
                        std::optional<std::int64_t> batch_size) {
  app::OpenRequest request;
  request.batch_size = batch_size;
  request.run = with_executor(request.run, policy, *built_in_profile("pcie3"));
  const auto file = std::make_shared<const app::GraphFile>(std::make_shared<const app::ReadGraph>(
      events::GraphChoice{}, text.empty() ? io::Document{} : read_graph(text)));
  Progress silent;
  const auto graph = app::resize(file, request, nullptr, silent);
  INFO((graph ? "" : graph.error().message));
  REQUIRE(graph);
  const auto snapshot = app::make_snapshot(*graph, policy, *built_in_profile("pcie3"), silent);
  INFO((snapshot ? "" : snapshot.error().message));
  REQUIRE(snapshot);
  return *snapshot;
}

std::string u_shaped_graph(int towers, int length) {
  std::string text;
  const auto name = [](int tower, int at) { return fmt::format("tower_{}/op_{}", tower, at); };
  for (int tower = 0; tower < towers; ++tower) {
    text += fmt::format("tower_{}/x = MadeUp() f32[4,16]\n", tower);
    for (int at = 0; at < length; ++at) {
      text += fmt::format("{} = MadeUp({}) f32[4,16]\n", name(tower, at),
                          at == 0 ? fmt::format("tower_{}/x", tower) : name(tower, at - 1));
    }
    std::string last = name(tower, length - 1);
    for (int at = length; at-- > 0;) {
      const std::string back = fmt::format("gradients/tower_{}/op_{}_grad", tower, at);
      text += fmt::format("{} = MadeUp({}, {}) f32[4,16]\n", back, last, name(tower, at));
      last = back;
    }
  }
  return text;
}

void RecordingCanvas::add(render::Rect rect) {
  ++calls;
  for (const float value : {rect.x0, rect.y0, rect.x1, rect.y1}) {
    all_finite = all_finite && std::isfinite(value);
  }
}

void RecordingCanvas::line(render::Point from, render::Point to, render::Color color, float,
                           render::Dash) {
  const render::Point ends[] = {from, to};
  add(around(ends));
  lines.push_back({around(ends), color});
}

void RecordingCanvas::polyline(std::span<const render::Point> line, render::Color color, float) {
  add(around(line));
  points += static_cast<int>(line.size());
  polylines.push_back({around(line), color});
}

void RecordingCanvas::area(std::span<const render::Point> line, float base_y, render::Color color) {
  render::Rect box = around(line);
  box.y1 = std::max(box.y1, base_y);
  add(box);
  points += static_cast<int>(line.size());
  areas.push_back({box, color});
}

void RecordingCanvas::curve(render::Point from, render::Point, render::Point, render::Point to,
                            render::Color color, float) {
  const render::Point ends[] = {from, to};
  add(around(ends));
  curves.push_back({around(ends), color});
}

void RecordingCanvas::triangle(render::Point a, render::Point b, render::Point c,
                               render::Color color) {
  const render::Point corners[] = {a, b, c};
  add(around(corners));
  triangles.push_back({around(corners), color});
}

void RecordingCanvas::text(render::Point at, std::string_view text, render::Color, float size_px,
                           render::Align align) {
  const float width = text_width(text, size_px);
  const float x = align == render::Align::kLeft     ? at.x
                  : align == render::Align::kCenter ? at.x - width / 2
                                                    : at.x - width;
  const render::Rect box = {x, at.y, x + width, at.y + size_px};
  add(box);
  texts.emplace_back(text, box);
}

bool RecordingCanvas::says(std::string_view words) const {
  return std::any_of(texts.begin(), texts.end(), [&](const auto& entry) {
    return entry.first.find(words) != std::string::npos;
  });
}

}  // namespace tideline::test
