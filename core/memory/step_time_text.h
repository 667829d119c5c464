// The time of a step in words, for all user interfaces.
#pragma once

#include <string>

#include "core/memory/device_profile.h"
#include "core/memory/step_time.h"

namespace tideline {

/// "step 94 ms -> 785 ms (8.31 x)"; "step 94 ms" without a plan. `arrow` stands for "->".
[[nodiscard]] std::string step_text(const TimeReport& report, bool has_plan,
                                    const char* arrow = "->");
/// "between 402 ms and 1.26 s"; empty if both are the same, as when every op was measured.
[[nodiscard]] std::string range_text(const TimeReport& report);
/// "copies to host 342 ms, to device 342 ms; 88 swap-ins late, waiting adds 690 ms".
[[nodiscard]] std::string copies_text(const StepTime& time);
/// "2 ops wait 12 ms for memory; without waiting the step would hold 5.20 GiB", of a step that
/// holds `peak` with a plan; without a budget "while its copies run the step holds up to 5.20 GiB".
/// Empty if nothing waits for memory and no more is held.
[[nodiscard]] std::string memory_text(const TimeReport& report, Bytes peak);
/// "the step gets stuck within 4.00 GiB: ops wait for memory that nothing gives back, the next one
/// would hold 4.12 GiB". Precondition: it is stuck.
[[nodiscard]] std::string stuck_text(const StepTime& time);
/// "op times: 12 measured, 300 assumed from flops and bytes (profile v100)".
[[nodiscard]] std::string basis_text(const StepTime& time, const DeviceProfile& profile);

}  // namespace tideline
