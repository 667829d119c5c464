// Bookmarks as text, for messages and session files.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "render/model/view_state.h"

namespace tideline::app {

/// "levels 10 40" (the first and the last one that is seen), "memory step", "timeline": what
/// read_place reads. The op is not part of it.
[[nodiscard]] std::string place_text(const ui::Bookmark& bookmark);

/// Errors: kInvalidArgument, with what was expected.
[[nodiscard]] Result<ui::Bookmark> read_place(std::string_view text);

/// "Levels 10 to 40, fc1/Relu".
[[nodiscard]] std::string bookmark_text(const ui::Bookmark& bookmark);

}  // namespace tideline::app
