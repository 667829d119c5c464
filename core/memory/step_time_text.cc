// Tested by unit/memory/step_time_test.cc.
#include "core/memory/step_time_text.h"

#include <fmt/format.h>

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/units.h"

namespace tideline {

std::string step_text(const TimeReport& report, bool has_plan, const char* arrow) {
  if (!has_plan) return fmt::format("step {}", format_time(report.before_ns));
  return fmt::format("step {} {} {} ({:.2f} x)", format_time(report.before_ns), arrow,
                     format_time(report.after.step_ns()), report.factor());
}

std::string range_text(const TimeReport& report) {
  const std::string least = format_time(report.after_range.least_ns);
  const std::string most = format_time(report.after_range.most_ns);
  return least == most ? "" : fmt::format("between {} and {}", least, most);
}

std::string copies_text(const StepTime& time) {
  return fmt::format("copies to host {}, to device {}; {} swap-ins late, waiting adds {}",
                     format_time(time.to_host_ns), format_time(time.to_device_ns), time.late.size(),
                     format_time(time.added_ns));
}

std::string memory_text(const TimeReport& report, Bytes peak) {
  const StepTime& time = report.after;
  std::string text;
  if (!time.memory_waits.empty()) {
    const std::size_t count = time.memory_waits.size();
    text = fmt::format("{} wait{} {} for memory", counted(count, "op"), count == 1 ? "s" : "",
                       format_time(time.memory_ns));
  }
  if (report.held > peak) {
    const char* what = time.budget ? "without waiting the step would hold"
                                   : "while its copies run the step holds up to";
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", what, format_bytes(report.held));
  }
  return text;
}

std::string stuck_text(const StepTime& time) {
  return fmt::format(
      "the step gets stuck within {}: ops wait for memory that nothing gives back, the next one "
      "would hold {}",
      format_bytes(time.budget.value_or(0)), format_bytes(time.stuck->bytes));
}

std::string basis_text(const StepTime& time, const DeviceProfile& profile) {
  std::string text;
  const auto add = [&text](std::int64_t count, const char* what) {
    if (count > 0) text += fmt::format("{} {} {}", text.empty() ? ":" : ",", count, what);
  };
  add(time.measured_ops, "measured");
  add(time.assumed_ops, "assumed from flops and bytes");
  add(time.guessed_ops, "guessed from bytes alone");
  if (time.rest_ns > 0) {
    text += fmt::format("{} {} of the traced step beside them", text.empty() ? ":" : ",",
                        format_time(time.rest_ns));
  }
  return fmt::format("op times{} (profile {})", text, printable(profile.name, 200));
}

}  // namespace tideline
