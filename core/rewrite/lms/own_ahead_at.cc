// Tested by unit/rewrite/overrides_test.cc and unit/rewrite/lms1_overrides_test.cc.
#include "core/rewrite/lms/own_ahead_at.h"

#include <algorithm>

#include "core/rewrite/lms/report.h"

namespace tideline {

int own_ahead_at(const RewritePlan& plan, const LevelMap& levels, OpId consumer,
                 std::int32_t level) {
  const auto* report = dynamic_cast<const LmsReport*>(plan.report.get());
  if (report == nullptr) return 0;
  // A swap-in is back a level after the op that it waits for, which is one further than N.
  if (!report->findings().order) return std::max(1, levels.level(consumer) - level);
  const std::vector<std::int32_t>& order_of = report->findings().order->order_of;
  const std::int32_t reader = order_of[consumer.index()];
  std::int32_t last = -1;  // order of the ops below `level`
  for (std::size_t op = 0; op < order_of.size(); ++op) {
    const OpId id{static_cast<std::uint32_t>(op)};
    if (order_of[op] < reader && levels.level(id) < level) last = std::max(last, order_of[op]);
  }
  return std::max(1, reader - last - 1);
}

}  // namespace tideline
