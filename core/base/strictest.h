// Who may read what is made of several files.
#pragma once

#include "core/base/permissions.h"

namespace tideline {

/// Those who are among both.
[[nodiscard]] Readers strictest(const Readers& a, const Readers& b);

/// The same for a folder that holds what `readers` may read: whoever may read may look into it.
[[nodiscard]] Readers as_folder(const Readers& readers);

}  // namespace tideline
