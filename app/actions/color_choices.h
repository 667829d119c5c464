// The words of what colours say, as an argument of actions.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "render/view/color_by.h"

namespace tideline::app {

/// "scope|phase|...". Tables of actions that use it may be static, too.
inline const std::string kColorChoices = fmt::format("{}", fmt::join(render::kColorByWords, "|"));

}  // namespace tideline::app
