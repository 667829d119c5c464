// Locates TensorFlow on this machine.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace tideline::runtime {

/// The path of TensorFlow's library, from the first of: the folder $TFDIR; the package `tensorflow`
/// of the Python interpreter $TIDELINE_TF_PYTHON; the package of `python3` on PATH. Python only
/// locates the package and does not import it. A variable that is set but wrong is an error.
/// Errors: kNotFound, with a hint how to install it; kIo; kCancelled. Cost: at most one run of
/// Python. Blocks.
[[nodiscard]] Result<std::string> find_tensorflow(Progress& progress);

/// The Python interpreter whose package `tensorflow` optimizes graphs: $TIDELINE_TF_PYTHON, else
/// `python3` on PATH. Errors: as above; kNotFound also without that package.
[[nodiscard]] Result<std::string> find_tensorflow_python(Progress& progress);

}  // namespace tideline::runtime
