// Where TensorFlow is on this machine.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace tideline::runtime {

/// The path of TensorFlow's library, from the first of these that is there: the folder in $TFDIR;
/// the package `tensorflow` of the Python in $TIDELINE_TF_PYTHON; that of the `python3` on PATH.
/// Python is asked where the package lies and does not import it. A variable that is set and wrong
/// is an error, not passed over. Errors: kNotFound, saying how to install it; kIo; kCancelled.
[[nodiscard]] Result<std::string> find_tensorflow(Progress& progress);

}  // namespace tideline::runtime
