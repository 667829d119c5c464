// The lens of the level view: two insets around the way out and the way back in of the selected
// swap, on the clock of the step, each with the rows host, link and device. Where they have no
// room, a line in the heading of the host lane says the same. Tested by
// tests/unit/view/swap_lens_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "render/view/labels.h"
#include "render/view/levels_frame.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr float kLensHeadShare = 1.4F;  // of a line of text
constexpr float kLensRowShare = 1.25F;
constexpr float kLensFootShare = 0.3F;
constexpr float kInsetGapShare = 0.12F;  // of the width, between the insets
constexpr float kLeastWidthShare = 44;   // of the font
constexpr float kLeastBoxPx = 2;
constexpr double kLongestReads = 6;  // later readers are said, if the way were that much longer
constexpr std::string_view kLensKeys = "F its other end, comma and dot other swaps";

std::string ns_text(double ns) {
  return format_time(std::llround(ns));
}

// An inset: a piece of the step, stretched over its width.
struct Inset {
  Rect area;
  double from_ns = 0, to_ns = 1;

  [[nodiscard]] float x(double ns) const {
    const double share = (ns - from_ns) / std::max(1.0, to_ns - from_ns);
    return area.x0 + static_cast<float>(std::clamp(share, 0.0, 1.0)) * area.width();
  }
};

std::string name_of_op(const Scene& scene, OpId op) {
  if (op.index() < scene.graph->op_count()) return std::string(scene.graph->name(op));
  return scene.plan == nullptr ? "?" : op_name(*scene.graph, *scene.plan, op);
}

class LensPainter {
 public:
  LensPainter(Canvas& canvas, const LevelsFrame& frame)
      : canvas_(canvas),
        frame_(frame),
        lens_(*frame.swap),
        scene_(*frame.look.scene),
        colors_(*frame.look.palette),
        font_(frame.look.font_px),
        size_(frame.small_px),
        labels_(frame.lens) {}

  void draw() {
    const Rect& area = frame_.lens;
    canvas_.fill(area, colors_.background);
    canvas_.fill(area, colors_.panel);
    canvas_.line({area.x0, area.y0}, {area.x1, area.y0}, colors_.selection.with_alpha(0.6), 1);
    draw_head();
    const float margin = font_ * 0.5F;
    const float gap = area.width() * kInsetGapShare;
    const float width = (area.width() - 2 * margin - gap) / 2;
    const float top = area.y0 + kLensHeadShare * font_;
    const float bottom = area.y1 - kLensFootShare * font_;
    const Rect left = {area.x0 + margin, top, area.x0 + margin + width, bottom};
    const Rect right = {area.x1 - margin - width, top, area.x1 - margin, bottom};
    draw_gap({left.x1, top, right.x0, bottom});
    draw_out(out_inset(left));
    draw_in(in_inset(right));
  }

 private:
  enum Row : std::uint8_t { kHost, kLink, kDevice };
  struct Shape {
    float x0 = 0, x1 = 0;
  };

  [[nodiscard]] Rect row(const Rect& area, Row row) const {
    const float high = kLensRowShare * font_;
    const float top = area.y0 + static_cast<float>(row) * high;
    return {area.x0, top, area.x1, top + high - 2};
  }
  [[nodiscard]] Inset out_inset(const Rect& area) const {
    const double from =
        lens_.producer.has_time() ? lens_.producer.time.begin_ns : lens_.out->begin_ns;
    const double span = std::max(1.0, lens_.out->end_ns - from);
    return {area, from - 0.05 * span, lens_.out->end_ns + 0.6 * span};
  }
  [[nodiscard]] Inset in_inset(const Rect& area) const {
    double from = lens_.in->begin_ns;
    if (lens_.trigger.has_time()) from = std::min(from, lens_.trigger.time.begin_ns);
    double to = lens_.in->end_ns;
    if (!lens_.readers.empty()) to = std::max(to, lens_.readers.front().time.end_ns);
    const double span = std::max(1.0, to - from);
    for (const LensOp& reader : lens_.readers) {
      if (reader.time.end_ns < from + kLongestReads * span) to = std::max(to, reader.time.end_ns);
    }
    const double all = std::max(1.0, to - from);
    return {area, from - 0.5 * all, to + 0.8 * all};
  }

  void draw_head() {
    const Rect& area = frame_.lens;
    const float y = area.y0 + font_ * 0.2F;
    const float left = area.x0 + font_ * 0.5F;
    const float room = area.width() - font_;
    const std::string name = scene_.graph->tensor_name(lens_.tensor);
    const std::string bytes = format_bytes(lens_.bytes);
    const std::string host = ns_text(lens_.in->begin_ns - lens_.out->end_ns);
    std::string more;
    if (lens_.wait_ns > 0) more += ", late by " + format_time(lens_.wait_ns);
    if (lens_.ways > 1) more += fmt::format(", way back {} of {}", lens_.way + 1, lens_.ways);
    const std::string last = fmt::format(", {}", bytes);
    const std::array wordings = {
        fmt::format("SWAP {}, {}, {} on the host{}", name, bytes, host, more),
        fmt::format("SWAP {}, {}{}", last_part(name), bytes, more),
        fit_name(canvas_, name, font_, room - canvas_.text_width(last, font_)) + last};
    const std::string text = first_that_fits(canvas_, wordings, font_, room);
    const float width = canvas_.text_width(text, font_);
    labels_.take({left, y, left + width + font_, y + font_});
    canvas_.text({left, y}, text, colors_.text, font_);
    const float keys = canvas_.text_width(kLensKeys, size_);
    const std::array at = {Point{area.x1 - font_ * 0.5F - keys, y}};
    if (labels_.place(at, keys, size_)) canvas_.text(at[0], kLensKeys, colors_.dim_text, size_);
  }

  // What lies between the insets: the time on the host.
  void draw_gap(const Rect& gap) {
    const Rect host = row(gap, kHost);
    const float middle = (host.y0 + host.y1) / 2;
    canvas_.line({gap.x0, middle}, {gap.x1, middle}, colors_.host, 2, Dash::kDashed);
    const Rect below = row(gap, kLink);
    const std::string text =
        fit_text(canvas_, ns_text(lens_.in->begin_ns - lens_.out->end_ns), size_, gap.width() - 6);
    const float width = canvas_.text_width(text, size_);
    const std::array at = {Point{(gap.x0 + gap.x1 - width) / 2, below.y0}};
    if (!text.empty() && labels_.place(at, width, size_)) {
      canvas_.text(at[0], text, colors_.dim_text, size_);
    }
  }

  void draw_out(const Inset& inset) {
    ground(inset);
    const Rect host = row(inset.area, kHost);
    const Rect link = row(inset.area, kLink);
    const float end = inset.x(lens_.out->end_ns);
    const Shape maker = box(inset, lens_.producer, colors_.device);
    const Shape slice = bar(link, inset.x(lens_.out->begin_ns), end, colors_.swap_out);
    const Shape held = bar(host, end, inset.area.x1, colors_.host.with_alpha(kBarAlpha));
    join({slice.x0, link.y1}, {maker.x1, row(inset.area, kDevice).y0}, colors_.swap_out);
    join({slice.x1, link.y0}, {held.x0, host.y1}, colors_.swap_out);
    write_op(inset, maker, lens_.producer, "");
    write(inset, kLink, slice, copy_wordings("out", *lens_.out));
    write(inset, kHost, held,
          {"on the host from " + moment_text(lens_.out->end_ns),
           "from " + moment_text(lens_.out->end_ns), moment_text(lens_.out->end_ns)});
  }

  void draw_in(const Inset& inset) {
    ground(inset);
    const Rect host = row(inset.area, kHost);
    const Rect link = row(inset.area, kLink);
    const Rect device = row(inset.area, kDevice);
    const float begin = inset.x(lens_.in->begin_ns);
    const Shape held = bar(host, inset.area.x0, begin, colors_.host.with_alpha(kBarAlpha));
    const Shape slice = bar(link, begin, inset.x(lens_.in->end_ns), colors_.swap_in);
    join({held.x1, host.y1}, {slice.x0, link.y0}, colors_.swap_in);
    Shape trigger;
    if (lens_.trigger.has_time()) {
      trigger = box(inset, lens_.trigger, colors_.dim_text);
      canvas_.line({trigger.x1, device.y0}, {slice.x0, link.y1}, colors_.dim_text, 1,
                   Dash::kDotted);
    }
    std::vector<Shape> read;
    for (const LensOp& reader : lens_.readers) {
      if (reader.time.begin_ns > inset.to_ns) continue;
      read.push_back(box(inset, reader, colors_.device));
    }
    if (!read.empty()) {
      join({slice.x1, link.y1}, {read.front().x0, device.y0}, colors_.swap_in);
      draw_wait(inset, read.front());
    }
    write(inset, kHost, held, until_wordings());
    write(inset, kLink, slice, copy_wordings("in", *lens_.in));
    if (!read.empty()) write_readers(inset, {read.front().x0, read.back().x1});
  }

  // When it leaves the host, and after which op it may.
  [[nodiscard]] std::vector<std::string> until_wordings() const {
    const std::string begin = moment_text(lens_.in->begin_ns);
    std::vector<std::string> wordings;
    if (lens_.trigger.has_time()) {
      const std::string name = name_of_op(scene_, lens_.trigger.op);
      const std::string end = moment_text(lens_.trigger.time.end_ns);
      wordings.push_back(fmt::format("until {}, after {} {}", begin, name, end));
      wordings.push_back(fmt::format("until {}, after {} {}", begin, last_part(name), end));
    }
    wordings.push_back("until " + begin);
    wordings.push_back(begin);
    return wordings;
  }

  // The device waits before its first reader, no longer than since the copy began.
  void draw_wait(const Inset& inset, const Shape& reader) {
    if (lens_.wait_ns <= 0) return;
    const double until = lens_.readers.front().time.begin_ns;
    const float from = inset.x(until - static_cast<double>(lens_.wait_ns));
    const Rect place = row(inset.area, kDevice);
    const float middle = (place.y0 + place.y1) / 2;
    const Shape wait = {from, std::max(reader.x0, from + 1)};
    canvas_.fill({wait.x0, middle - 1.5F, wait.x1, middle + 1.5F}, colors_.error);
    drawn_.push_back({wait, place.y0, place.y1});
  }

  void write_readers(const Inset& inset, const Shape& shape) {
    const LensOp& first = lens_.readers.front();
    std::string more;
    if (lens_.wait_ns > 0) more += ", waited " + format_time(lens_.wait_ns);
    if (lens_.readers.size() > 1) {
      more += fmt::format(", the last of {} {}", lens_.readers.size(),
                          moment_text(lens_.readers.back().time.begin_ns));
    }
    write_op(inset, shape, first, more);
  }

  void ground(const Inset& inset) {
    for (const Row which : {kHost, kLink, kDevice}) {
      canvas_.fill(row(inset.area, which), which == kHost ? colors_.host_lane : colors_.background);
    }
  }

  Shape bar(const Rect& place, float from, float to, Color color) {
    const Shape shape = {from, std::max(to, from + kLeastBoxPx)};
    canvas_.fill({shape.x0, place.y0 + 1, shape.x1, place.y1 - 1}, color, 1);
    drawn_.push_back({shape, place.y0, place.y1});
    return shape;
  }
  Shape box(const Inset& inset, const LensOp& op, Color color) {
    return bar(row(inset.area, kDevice), inset.x(op.time.begin_ns), inset.x(op.time.end_ns), color);
  }
  void join(Point from, Point to, Color color) { canvas_.line(from, to, color, 1.5F); }

  static std::vector<std::string> copy_wordings(std::string_view way, const CopyTime& copy) {
    const std::string lasts = ns_text(copy.end_ns - copy.begin_ns);
    const std::string begin = moment_text(copy.begin_ns);
    const std::string end = moment_text(copy.end_ns);
    return {fmt::format("{} {} to {}, {}", way, begin, end, lasts),
            fmt::format("{} {}, ends {}", way, lasts, end), fmt::format("{} {}", way, end), end};
  }

  void write_op(const Inset& inset, const Shape& shape, const LensOp& op, const std::string& more) {
    const std::string name = name_of_op(scene_, op.op);
    const std::string at = op.has_time() ? fmt::format(" {} to {}", moment_text(op.time.begin_ns),
                                                       moment_text(op.time.end_ns))
                                         : std::string(" not on the device");
    const std::string begin = op.has_time() ? " " + moment_text(op.time.begin_ns) : "";
    const std::string last(last_part(name));
    write(inset, kDevice, shape,
          {name + at + more, last + at + more, last + begin + more, last + begin,
           begin.empty() ? last : begin.substr(1)});
  }

  // The first wording that has room beside its shape, or on it.
  void write(const Inset& inset, Row which, const Shape& shape,
             const std::vector<std::string>& wordings) {
    const Rect place = row(inset.area, which);
    const float y = place.y0 + (place.height() - size_) / 2;
    const float pad = size_ * 0.35F;
    const auto hides = [&](float x, float width) {
      return std::any_of(drawn_.begin(), drawn_.end(), [&](const Drawn& other) {
        const bool is_own = other.shape.x0 >= shape.x0 && other.shape.x1 <= shape.x1;
        return !is_own && other.y0 < place.y1 && other.y1 > place.y0 &&
               other.shape.x0 < x + width && other.shape.x1 > x;
      });
    };
    for (const std::string& text : wordings) {
      const float width = canvas_.text_width(text, size_);
      std::vector<Point> places;
      const auto add = [&](float x) {
        const bool is_inside = x >= inset.area.x0 && x + width <= inset.area.x1;
        if (is_inside && !hides(x, width)) places.push_back({x, y});
      };
      if (shape.x1 - shape.x0 >= width + 2 * pad) add(shape.x0 + pad);
      add(shape.x1 + pad);
      add(shape.x0 - pad - width);
      const auto at = labels_.place(places, width, size_);
      if (!at) continue;
      labels_.take({at->x - pad, at->y, at->x + width + pad, at->y + size_});
      canvas_.text(*at, text, colors_.text, size_);
      return;
    }
  }

  Canvas& canvas_;
  const LevelsFrame& frame_;
  const SwapLens& lens_;
  const Scene& scene_;
  const Palette& colors_;
  float font_, size_;
  Labels labels_;
  // What no text lies on, but its own.
  struct Drawn {
    Shape shape;
    float y0 = 0, y1 = 0;
  };
  std::vector<Drawn> drawn_;
};

}  // namespace

float lens_height_px(const LevelsFrame& frame) {
  const float font = frame.look.font_px;
  if (!frame.swap || !frame.swap->has_times()) return 0;
  if (frame.look.area.width() < kLeastWidthShare * font) return 0;
  return font * (kLensHeadShare + 3 * kLensRowShare + kLensFootShare);
}

std::string lens_line(const Canvas& canvas, const LevelsFrame& frame, float size_px,
                      float width_px) {
  const SwapLens& lens = *frame.swap;
  const Graph& graph = *frame.look.scene->graph;
  const std::string name = graph.tensor_name(lens.tensor);
  const std::string last(last_part(name));
  if (!lens.has_times()) {
    const std::int32_t read = lens.readers.empty() ? lens.in_level : lens.readers.back().level;
    // TensorFlow folds what reads it, so nothing is copied.
    const bool is_folded = !frame.look.swaps->link.empty();
    const std::string levels =
        fmt::format("out at level {}, in at {}, read until {}{}", lens.out_level, lens.in_level,
                    read, is_folded ? ", not copied in this step" : "");
    const std::array wordings = {name + ": " + levels, last + ": " + levels, levels,
                                 fmt::format("levels {} to {}", lens.out_level, read)};
    return first_that_fits(canvas, wordings, size_px, width_px);
  }
  const std::string out_end = moment_text(lens.out->end_ns);
  const std::string in_end = moment_text(lens.in->end_ns);
  const std::string both = fmt::format("out {}, in {}", out_end, in_end);
  std::string read;
  if (!lens.readers.empty() && lens.readers.front().has_time()) {
    read = ", read " + moment_text(lens.readers.front().time.begin_ns);
  }
  const std::string late = lens.wait_ns > 0 ? ", late by " + format_time(lens.wait_ns) : "";
  const std::array wordings = {
      fmt::format("{}: out {} to {}, in {} to {}{}{}", name, moment_text(lens.out->begin_ns),
                  out_end, moment_text(lens.in->begin_ns), in_end, read, late),
      fmt::format("{}: {}{}{}", name, both, read, late),
      fmt::format("{}: {}{}{}", last, both, read, late),
      fmt::format("{}: {}{}", last, both, read),
      fmt::format("{}: {}", last, both),
      both,
      "in " + in_end};
  return first_that_fits(canvas, wordings, size_px, width_px);
}

void draw_lens(Canvas& canvas, const LevelsFrame& frame) {
  if (frame.lens.height() <= 0) return;
  canvas.push_clip(frame.lens);
  LensPainter(canvas, frame).draw();
  canvas.pop_clip();
}

}  // namespace tideline::render
