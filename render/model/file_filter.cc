// Tested by unit/model/file_filter_test.cc.
#include "render/model/file_filter.h"

#include <algorithm>

#include "core/base/text.h"

namespace tideline::ui {

bool FileFilter::fits(std::string_view name) const {
  if (patterns.empty()) return true;
  const std::string lower = lower_case(name);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    const std::string_view text = pattern;
    if (text.size() > 2 && text.starts_with('*') && text.ends_with('*'))
      return contains_ignoring_case(lower, text.substr(1, text.size() - 2));
    return lower.ends_with(lower_case(text));
  });
}

}  // namespace tideline::ui
