// The curve of a fit as a log for TensorBoard.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "render/view/fit_curve.h"

namespace tideline::app {

/// Checks whether write_fit_log would refuse the folder as it is now. Errors: kInvalidArgument for
/// runs that exist, without `replace`, and for a name that is taken by something else.
[[nodiscard]] Status check_fit_log(const std::string& folder, bool replace);

/// A run for each line of `curve`, called like it with '_' for blanks: the scalars
/// device_peak_bytes and example_ms at the batch size as their step; and `budget_bytes` in the
/// first. All of it or nothing; for `readers`. The same curve gives the same bytes. Errors: those
/// of check_fit_log; kIo.
[[nodiscard]] Status write_fit_log(const std::string& folder, bool replace,
                                   const render::FitCurve& curve, const Readers& readers);

}  // namespace tideline::app
