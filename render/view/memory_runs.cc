// Tested by tests/unit/view/memory_runs_test.cc.
#include "render/view/memory_runs.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "render/view/text_fit.h"

namespace tideline::render {

MemoryLayout layout_runs(const Scene& scene) {
  MemoryLayout layout;
  layout.axis = MemoryAxis::kStep;
  std::vector<Bytes> values;
  for (const CycleCurve& run : scene.runs) {
    const std::vector<Bytes>& device = *run.device;
    RunSpan span = {.name = run.name, .begin = static_cast<std::int32_t>(values.size())};
    if (!device.empty()) {
      const auto most = std::max_element(device.begin(), device.end());
      span.peak = *most;
      span.peak_at = span.begin + static_cast<std::int32_t>(most - device.begin());
    }
    values.insert(values.end(), device.begin(), device.end());
    span.end = static_cast<std::int32_t>(values.size());
    layout.runs.push_back(std::move(span));
  }
  layout.count = static_cast<std::int32_t>(values.size());
  layout.step_at.assign(values.size(), -1);
  layout.before = Curve(values);
  layout.host = Curve(std::vector<Bytes>(values.size(), 0));
  layout.before_peak_at = layout.before.largest(0, layout.count);
  layout.before_peak = layout.count > 0 ? layout.before.at(layout.before_peak_at) : 0;
  return layout;
}

void draw_runs(Canvas& canvas, const MemoryFrame& frame, Labels& labels) {
  const Palette& colors = *frame.look.palette;
  const float size = frame.small_px;
  const float room = size * 0.4F;
  for (const RunSpan& run : frame.look.memory->runs) {
    const float x0 = std::max(frame.axis.x(run.begin), frame.axis.x0);
    const float x1 = std::min(frame.axis.x(run.end), frame.axis.x1);
    if (x1 <= x0) continue;
    if (run.begin > 0 && frame.axis.x(run.begin) >= frame.axis.x0) {
      canvas.line({x0, frame.chart.y0}, {x0, frame.chart.y1}, colors.dim_text, 1, Dash::kDashed);
    }
    const float width = x1 - x0 - 2 * room;
    if (width < 3 * size) continue;
    const std::array lines = {fit_text(canvas, printable(run.name), size, width),
                              fit_text(canvas, format_bytes(run.peak), size, width)};
    Point at = {x0 + room, frame.chart.y0 + room};
    for (const std::string& line : lines) {
      const float right = at.x + canvas.text_width(line, size);
      if (labels.try_take({at.x, at.y, right, at.y + size})) {
        canvas.fill({at.x - 2, at.y, right + 2, at.y + size}, colors.background.with_alpha(0.65),
                    2);
        canvas.text(at, line, colors.text, size);
      }
      at.y += size * 1.2F;
    }
  }
}

}  // namespace tideline::render
