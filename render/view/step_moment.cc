// Tested by tests/unit/view/step_moment_test.cc.
#include "render/view/step_moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tideline::render {
namespace {

float share_between(double from, double to, double at) {
  return static_cast<float>(std::clamp((at - from) / (to - from), 0.0, 1.0));
}

}  // namespace

std::vector<MovingTensor> moving_tensors(const SwapLayout& swaps, double at) {
  std::vector<MovingTensor> moving;
  if (!std::isfinite(at)) return moving;
  for (std::uint32_t i = 0; i < swaps.bars.size(); ++i) {
    const SwapBar& bar = swaps.bars[i];
    const double out = bar.out_level;
    const double made = std::min<double>(bar.producer_level, out - 1);
    if (at >= made && at < out) {
      moving.push_back({i, bar.first_span, Whereabouts::kLeaving, share_between(made, out, at)});
    } else if (at >= out && at < bar.end_level) {
      moving.push_back(
          {i, bar.first_span, Whereabouts::kHost, share_between(out, bar.end_level, at)});
    }
    for (std::uint32_t span = bar.first_span; span < bar.first_span + bar.span_count; ++span) {
      const double in = swaps.spans[span].in_level;
      const double read = swaps.spans[span].consumer_level;
      // Without a level between the two, it comes while its reader waits.
      const double arrives = std::max(read, in + 1);
      if (at >= in && at < arrives) {
        moving.push_back({i, span, Whereabouts::kComing, share_between(in, arrives, at)});
      } else if (at >= arrives && at < read + 1) {
        moving.push_back({i, span, Whereabouts::kRead, 1});
      }
    }
  }
  return moving;
}

MemoryMoment memory_moment(const MemoryLayout& memory, double at) {
  MemoryMoment moment;
  if (memory.count == 0) return moment;
  const double last = memory.count - 1;
  moment.level = static_cast<std::int32_t>(std::isfinite(at) ? std::clamp(at, 0.0, last) : 0);
  const Curve& device = memory.has_after ? memory.after : memory.before;
  moment.device = device.at(moment.level);
  moment.host = memory.host.at(moment.level);
  moment.highest = device.most(0, moment.level + 1);
  return moment;
}

std::vector<std::string> moment_wordings(const MemoryMoment& moment, bool has_host) {
  const std::string device = format_bytes(moment.device);
  const std::string host = has_host ? ", host " + format_bytes(moment.host) : "";
  return {fmt::format("level {}: device {}{}, highest so far {}", moment.level, device, host,
                      format_bytes(moment.highest)),
          fmt::format("level {}: device {}{}", moment.level, device, host),
          fmt::format("level {}: {}", moment.level, device), device};
}

std::vector<double> frame_moments(VisibleRange range, std::int32_t levels, std::int32_t count) {
  const Axis axis = make_axis(range, levels, 0, 1);
  const double first = std::max(0.0, axis.first);
  const double past = std::min<double>(levels, axis.first + axis.span);
  if (count <= 0) count = static_cast<std::int32_t>(std::ceil(past) - std::floor(first));
  std::vector<double> moments;
  for (std::int32_t i = 0; i < count; ++i) {
    moments.push_back(first + (past - first) * (i + 0.5) / count);
  }
  return moments;
}

}  // namespace tideline::render
