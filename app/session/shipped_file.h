// Files that come with the program.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::app {

/// The path of `folder`/`file`, "samples/residual.meta", of the installation or of the sources that
/// this program belongs to. `what` is for the message: "the sample". Errors: kNotFound, with the
/// places where it was looked for.
[[nodiscard]] Result<std::string> shipped_file(std::string_view folder, std::string_view file,
                                               std::string_view what);

}  // namespace tideline::app
