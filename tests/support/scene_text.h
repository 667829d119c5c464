// Scenes from the text form of graphs, and a canvas that remembers what was drawn.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/snapshot.h"
#include "render/view/canvas.h"

namespace tideline::test {

using SnapshotPtr = std::shared_ptr<const app::Snapshot>;

/// LMS v2 with these parameters.
[[nodiscard]] Policy swap_policy(int threshold, int ahead, int group_by);
/// What the app shows of the graph (of one without ops for ""); a text or policy that gives an
/// error fails the test.
[[nodiscard]] SnapshotPtr snapshot_of(std::string_view text, const Policy& policy = {},
                                      std::optional<std::int64_t> batch_size = std::nullopt);
/// `towers` chains of `length` ops forward and as many back, each of which reads its counterpart;
/// 4 x 16 floats each, scopes tower_0/..., gradients/....
[[nodiscard]] std::string u_shaped_graph(int towers, int length);

/// Remembers calls instead of drawing; letters are half as wide as high.
class RecordingCanvas final : public render::Canvas {
 public:
  struct Shape {
    render::Rect box;  ///< around it
    render::Color color;
  };

  void fill(render::Rect rect, render::Color color, float) override {
    add(rect);
    fills.push_back({rect, color});
  }
  void frame(render::Rect rect, render::Color color, float, float, render::Dash) override {
    add(rect);
    frames.push_back({rect, color});
  }
  void hatch(render::Rect rect, render::Color color) override {
    add(rect);
    hatches.push_back({rect, color});
  }
  void line(render::Point from, render::Point to, render::Color color, float,
            render::Dash) override;
  void polyline(std::span<const render::Point> points, render::Color color, float) override;
  void area(std::span<const render::Point> points, float base_y, render::Color color) override;
  void curve(render::Point from, render::Point, render::Point, render::Point to,
             render::Color color, float) override;
  void triangle(render::Point a, render::Point b, render::Point c, render::Color color) override;
  void text(render::Point at, std::string_view text, render::Color color, float size_px,
            render::Align align) override;
  [[nodiscard]] float text_width(std::string_view text, float size_px) const override {
    return static_cast<float>(text.size()) * size_px / 2;
  }
  void push_clip(render::Rect) override {
    ++calls;
    ++open_clips;
  }
  void pop_clip() override {
    ++calls;
    --open_clips;
  }

  /// Whether a text with this in it was drawn.
  [[nodiscard]] bool says(std::string_view words) const;

  int calls = 0;
  int points = 0;  ///< of polylines and areas
  int open_clips = 0;
  bool all_finite = true;
  std::vector<Shape> fills, frames, hatches, lines, curves, triangles, areas, polylines;
  std::vector<std::pair<std::string, render::Rect>> texts;

 private:
  void add(render::Rect rect);
};

}  // namespace tideline::test
