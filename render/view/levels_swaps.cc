// The swaps of the level view: bars in host memory, their edges, and the candidates.
#include <fmt/format.h>

#include <algorithm>

#include "render/view/levels_frame.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kDimmedSwap = 0.3;
constexpr double kBarAlpha = 0.62;
constexpr double kWayAlpha = 0.6;
constexpr int kMostWays = 1500;
constexpr std::size_t kMostMarked = 120;  // so many bars have triangles

bool is_marked(const LevelsFrame& frame, const SwapBar& bar) {
  const auto same = [&](const std::optional<TensorId>& tensor) {
    return tensor && bar.members == 1 && bar.tensor.op == tensor->op;
  };
  return same(frame.look.selected) || same(frame.look.hovered);
}

// The top of an op's box; of ops of a plan (which has none for them) the top of the rows.
Point top_of(const LevelsFrame& frame, OpId op, std::int32_t level) {
  const OpLayout& ops = *frame.look.ops;
  if (!op.valid() || op.index() >= ops.box_of.size()) return {frame.x_middle(level), frame.rows.y0};
  const OpBox& box = ops.boxes[ops.box_of[op.index()]];
  return {frame.x_middle(box.level), frame.box_rect(box).y0};
}

class SwapPainter {
 public:
  SwapPainter(Canvas& canvas, const LevelsFrame& frame, std::vector<PlacedBar> bars)
      : canvas_(canvas), frame_(frame), bars_(std::move(bars)) {}

  void draw() {
    const Rect ways = {frame_.look.area.x0, frame_.lane.y0, frame_.look.area.x1, frame_.rows.y1};
    canvas_.push_clip(ways);
    for (const bool marked : {false, true}) {  // what is marked lies on top
      for (const PlacedBar& bar : bars_) {
        if (is_marked(frame_, *bar.bar) == marked) draw_ways(bar, marked);
      }
      for (const PlacedBar& bar : bars_) {
        if (is_marked(frame_, *bar.bar) == marked) draw_bar(bar, marked);
      }
    }
    canvas_.pop_clip();
  }

 private:
  [[nodiscard]] double alpha(double usual, bool marked) const {
    if (marked) return 1;
    return frame_.look.selected ? usual * kDimmedSwap : usual;
  }

  void draw_bar(const PlacedBar& bar, bool marked) {
    const Palette& colors = *frame_.look.palette;
    const Rect shown = {std::max(bar.rect.x0, frame_.look.area.x0), bar.rect.y0,
                        std::min(bar.rect.x1, frame_.look.area.x1), bar.rect.y1};
    canvas_.fill(shown, colors.host.with_alpha(alpha(kBarAlpha, marked)),
                 shown.height() > 6 ? 2.0F : 0.0F);
    if (bar.bar->is_idle && shown.height() > 4) canvas_.frame(shown, colors.warning, 1);
    if (marked) canvas_.frame(shown, colors.selection, 1);
    const float size = std::min(frame_.small_px, shown.height() * 0.95F);
    if (size < frame_.small_px * 0.7F || shown.width() < size * 5) return;
    const std::string text = fit_name(canvas_, label(bar), size, shown.width() - 12);
    canvas_.text({shown.x0 + 8, (shown.y0 + shown.y1 - size) / 2}, text,
                 colors.text.with_alpha(alpha(0.95, marked)), size);
  }

  [[nodiscard]] std::string label(const PlacedBar& bar) const {
    const Scene& scene = *frame_.look.scene;
    const std::string bytes = format_bytes(bar.bar->bytes);
    if (bar.bar->members == 1) return scene.graph->tensor_name(bar.bar->tensor) + "  " + bytes;
    return fmt::format("{}  {} tensors, {}", scene.scopes->scopes[bar.bar->scope].path,
                       bar.bar->members, bytes);
  }

  void draw_ways(const PlacedBar& placed, bool marked) {
    const SwapBar& bar = *placed.bar;
    if (ways_ > kMostWays) return;
    const auto& spans = frame_.look.swaps->spans;
    const SwapSpan& first = spans[bar.first_span];
    draw_out(placed, top_of(frame_, bar.tensor.op, first.producer_level), marked);
    for (std::uint32_t i = 0; i < bar.span_count && ways_ <= kMostWays; ++i) {
      draw_in(placed, spans[bar.first_span + i], marked);
    }
  }

  void draw_out(const PlacedBar& placed, Point from, bool marked) {
    const Rect& bar = placed.rect;
    const float y = (bar.y0 + bar.y1) / 2;
    const Color color = frame_.look.palette->swap_out.with_alpha(alpha(kWayAlpha, marked));
    const Point to = {bar.x0, y};
    if (!is_visible(from.x, to.x)) return;
    ++ways_;
    canvas_.curve(from, {from.x, from.y + (y - from.y) * 0.75F}, {(from.x + to.x) / 2, y}, to,
                  color, marked ? 2.5F : 1.2F);
    if (bars_.size() <= kMostMarked || marked) {
      const float half = 3.5F;
      canvas_.triangle({to.x - half, y + half}, {to.x + half, y + half}, {to.x, y - half}, color);
    }
  }

  void draw_in(const PlacedBar& placed, const SwapSpan& span, bool marked) {
    const Point to = top_of(frame_, span.consumer, span.consumer_level);
    const std::int32_t in_level = placed.is_group ? placed.bar->end_level : span.in_level;
    const Point from = {std::min(frame_.axis.x(in_level), placed.rect.x1),
                        (placed.rect.y0 + placed.rect.y1) / 2};
    if (!is_visible(from.x, to.x)) return;
    ++ways_;
    const Color color = frame_.look.palette->swap_in.with_alpha(alpha(kWayAlpha, marked));
    canvas_.curve(from, {from.x + (to.x - from.x) * 0.7F, from.y},
                  {to.x, from.y + (to.y - from.y) * 0.25F}, to, color, marked ? 2.5F : 1.2F);
    if (bars_.size() <= kMostMarked || marked) {
      const float half = 3.5F;
      canvas_.triangle({to.x - half, to.y - 2 * half}, {to.x + half, to.y - 2 * half}, to, color);
    }
  }

  [[nodiscard]] bool is_visible(float a, float b) const {
    return std::max(a, b) >= frame_.look.area.x0 && std::min(a, b) <= frame_.look.area.x1;
  }

  Canvas& canvas_;
  const LevelsFrame& frame_;
  std::vector<PlacedBar> bars_;
  int ways_ = 0;
};

// What to do when the lane is empty.
std::string why_no_swaps(const LevelsFrame& frame) {
  const RewritePlan* plan = frame.look.scene->plan;
  if (frame.look.ops->level_count == 0) return "This graph has no ops.";
  if (plan == nullptr) return "No policy yet: choose a rewriter, or give a memory budget.";
  return std::string(plan->report->why_no_swaps());
}

}  // namespace

void draw_swaps(Canvas& canvas, const LevelsFrame& frame) {
  const float font = frame.look.font_px;
  if (frame.look.swaps->bars.empty()) {
    canvas.text({frame.bars.x0 + font * 0.5F, frame.bars.y0}, why_no_swaps(frame),
                frame.look.palette->text, font);
    return;
  }
  SwapPainter(canvas, frame, place_bars(frame)).draw();
}

void draw_candidates(Canvas& canvas, const LevelsFrame& frame) {
  const std::vector<const LongLived*> visible = visible_candidates(frame);
  if (visible.empty()) return;
  canvas.push_clip(frame.arcs);
  for (const LongLived* tensor : visible) {
    const bool marked =
        frame.look.hovered == tensor->tensor || frame.look.selected == tensor->tensor;
    const Color color =
        marked ? frame.look.palette->hover
               : frame.look.palette->candidate.with_alpha(visible.size() > 60 ? 0.5 : 0.9);
    const ArcShape arc = arc_shape(frame, *tensor);
    canvas.curve(arc.from, arc.control_a, arc.control_b, arc.to, color, marked ? 2.0F : 1.0F);
  }
  canvas.pop_clip();
}

}  // namespace tideline::render
