// Tested by tests/unit/view/link_layout_test.cc and tests/unit/view/clock_curve_test.cc.
#include "render/view/link_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "render/view/labels.h"

namespace tideline::render {
namespace {

constexpr float kLinkRowShare = 0.8F;  // of a line of text
constexpr float kLinkHeadShare = 1.35F;
constexpr float kBarShare = 7;  // width of compute and waiting, in lines of text
constexpr float kLeastSlicePx = 1;
constexpr float kSeparatePx = 6;  // what is narrower is joined with its neighbours

Rect link_row(const LinkTrack& track, int row) {
  const float high = track.font_px * kLinkRowShare;
  const float top = track.area.y0 + track.font_px * kLinkHeadShare + static_cast<float>(row) * high;
  return {track.area.x0, top, track.area.x1, top + high - 1};
}

// Of a copy or a stall.
template <typename Item>
Rect slice_rect(const LinkTrack& track, const Rect& row, const Item& item) {
  const double unit = track.ns_per_position;
  const float x0 = track.axis.x(unit > 0 ? item.begin_ns / unit : item.begin_level);
  const float x1 = track.axis.x(unit > 0 ? item.end_ns / unit : item.end_level);
  return {x0, row.y0, std::max(x1, x0 + kLeastSlicePx), row.y1};
}

// Those that begin within a pixel of the end of the one before are drawn together with it.
void draw_slices(Canvas& canvas, const LinkTrack& track, const std::vector<LinkSlice>& slices,
                 int row, Color color) {
  const Rect place = link_row(track, row);
  canvas.fill(place, track.palette->panel);
  Rect joined = {0, 0, -1, 0};
  const auto flush = [&] {
    if (joined.x1 > joined.x0) canvas.fill(joined, color);
  };
  for (const LinkSlice& slice : slices) {
    const Rect rect = slice_rect(track, place, slice);
    if (rect.x1 < track.area.x0 || rect.x0 > track.area.x1) continue;
    const bool is_thin = rect.width() <= kSeparatePx && joined.x1 > joined.x0;
    if (is_thin && rect.x0 <= joined.x1 + 0.5F) {
      joined.x1 = std::max(joined.x1, rect.x1);
      continue;
    }
    flush();
    joined = rect;
    if (rect.width() > kSeparatePx) joined.x1 -= 1;  // where the next one begins
  }
  flush();
  for (const LinkSlice& slice : slices) {
    const auto same = [&](const std::optional<TensorId>& tensor) {
      return tensor && tensor->op == slice.tensor.op;
    };
    if (!same(track.selected) && !same(track.hovered)) continue;
    const Rect rect = slice_rect(track, place, slice);
    if (rect.x1 < track.area.x0 || rect.x0 > track.area.x1) continue;
    canvas.frame(rect, track.palette->selection, 1.5F);
  }
}

void draw_stalls(Canvas& canvas, const LinkTrack& track, Labels& labels) {
  const Palette& colors = *track.palette;
  const Rect place = link_row(track, 2);
  const float x0 = std::max(track.axis.x(0), place.x0);
  const float x1 = std::min(track.axis.x(track.end), place.x1);
  canvas.fill({x0, place.y0, x1, place.y1}, colors.device.with_alpha(0.5));
  const float size = place.height();
  float red_to = place.x0 - 1;
  for (const LinkStall& stall : track.link->stalls) {
    const Rect rect = slice_rect(track, place, stall);
    if (rect.x1 < place.x0 || rect.x0 > place.x1) continue;
    if (rect.width() <= kSeparatePx && rect.x1 <= red_to + 0.5F) continue;
    canvas.fill(rect, colors.error);
    red_to = rect.x1;
    const std::string text = format_time(static_cast<std::int64_t>(stall.end_ns - stall.begin_ns));
    const float width = canvas.text_width(text, size);
    if (width + 4 > rect.width()) continue;
    const std::array at = {Point{std::max(rect.x0, place.x0) + 2, place.y0}};
    if (labels.place(at, width, size)) canvas.text(at[0], text, colors.background, size);
  }
}

Rect share_rect(const LinkTrack& track) {
  const float font = track.font_px;
  const float right = track.area.x1 - font * 0.5F;
  return {right - kBarShare * font, track.area.y0 + font * 0.3F, right,
          track.area.y0 + font * 1.05F};
}

// The step as a bar: computing, and what its swaps add.
void draw_share(Canvas& canvas, const LinkTrack& track, Rect bar) {
  const LinkLayout& link = *track.link;
  const double all = static_cast<double>(link.compute_ns) + static_cast<double>(link.waiting_ns);
  if (!(all > 0)) return;
  const auto share = static_cast<float>(static_cast<double>(link.compute_ns) / all);
  const float border = bar.x0 + share * bar.width();
  canvas.fill({bar.x0, bar.y0, border, bar.y1}, track.palette->device.with_alpha(0.5));
  if (link.waiting_ns > 0) {
    canvas.fill({std::min(border, bar.x1 - 1), bar.y0, bar.x1, bar.y1}, track.palette->error);
  }
}

void draw_link_heading(Canvas& canvas, const LinkTrack& track) {
  const LinkLayout& link = *track.link;
  const float font = track.font_px;
  const Rect bar = share_rect(track);
  draw_share(canvas, track, bar);
  const double all = static_cast<double>(link.compute_ns) + static_cast<double>(link.waiting_ns);
  const std::string compute = format_time(link.compute_ns);
  const std::string waiting = format_time(link.waiting_ns);
  const double percent = all > 0 ? 100 * static_cast<double>(link.waiting_ns) / all : 0;
  const std::array wordings = {
      fmt::format("LINK: out busy {}, in busy {}; compute {} | waiting {} ({:.0f} %)",
                  format_time(link.to_host_ns), format_time(link.to_device_ns), compute, waiting,
                  percent),
      fmt::format("LINK: compute {} | waiting {} ({:.0f} %)", compute, waiting, percent),
      fmt::format("LINK: waiting {}", waiting), std::string("LINK")};
  canvas.text({track.area.x0 + font * 0.5F, track.area.y0 + font * 0.15F},
              first_that_fits(canvas, wordings, font, bar.x0 - track.area.x0 - font),
              track.palette->dim_text, font);
}

}  // namespace

float link_height_px(float font_px) {
  return font_px * (kLinkHeadShare + 3 * kLinkRowShare + 0.2F);
}

void draw_link_track(Canvas& canvas, const LinkTrack& track) {
  if (track.area.height() <= 0) return;
  const Palette& colors = *track.palette;
  const LinkLayout& link = *track.link;
  draw_link_heading(canvas, track);
  canvas.push_clip(track.area);
  draw_slices(canvas, track, link.to_host, 0, colors.swap_out);
  draw_slices(canvas, track, link.to_device, 1, colors.swap_in);
  Labels labels(track.area);
  // The names stand at the left, on a ground of their own.
  constexpr std::array kRows = {"out", "in", "compute"};
  for (int row = 0; row < 3; ++row) {
    const Rect place = link_row(track, row);
    const float size = place.height();
    const float width = canvas.text_width(kRows[static_cast<std::size_t>(row)], size);
    labels.take({place.x0, place.y0, place.x0 + width + size, place.y1});
  }
  draw_stalls(canvas, track, labels);
  for (int row = 0; row < 3; ++row) {
    const Rect place = link_row(track, row);
    const float size = place.height();
    const char* name = kRows[static_cast<std::size_t>(row)];
    const float width = canvas.text_width(name, size);
    canvas.fill({place.x0, place.y0, place.x0 + width + size * 0.8F, place.y1},
                colors.background.with_alpha(0.8));
    canvas.text({place.x0 + size * 0.4F, place.y0}, name, colors.dim_text, size);
  }
  canvas.pop_clip();
}

Hit hit_link_track(const LinkTrack& track, Point point) {
  const LinkLayout& link = *track.link;
  const auto is_at = [&](const Rect& rect) {
    return point.x >= rect.x0 - 1 && point.x < rect.x1 + 1 && point.y >= rect.y0 &&
           point.y <= rect.y1 + 1;
  };
  Hit hit;
  if (const Rect bar = share_rect(track); is_at(bar) && link.compute_ns + link.waiting_ns > 0) {
    hit.kind = HitKind::kShare;
    hit.rect = bar;
    return hit;
  }
  for (int row = 0; row < 2; ++row) {
    const std::vector<LinkSlice>& slices = row == 0 ? link.to_host : link.to_device;
    const Rect place = link_row(track, row);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const Rect rect = slice_rect(track, place, slices[i]);
      if (!is_at(rect)) continue;
      hit.kind = row == 0 ? HitKind::kCopyOut : HitKind::kCopyIn;
      hit.tensor = slices[i].tensor;
      hit.swap = static_cast<std::int32_t>(i);
      hit.rect = rect;
      return hit;
    }
  }
  const Rect place = link_row(track, 2);
  for (std::size_t i = 0; i < link.stalls.size(); ++i) {
    const LinkStall& stall = link.stalls[i];
    const Rect rect = slice_rect(track, place, stall);
    if (!is_at(rect)) continue;
    hit.kind = HitKind::kStall;
    hit.tensor = stall.tensor.op.valid() ? stall.tensor : TensorId{stall.reader, 0};
    hit.swap = static_cast<std::int32_t>(i);
    hit.rect = rect;
    return hit;
  }
  return hit;
}

}  // namespace tideline::render
