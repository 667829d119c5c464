// Tested by unit/rewrite/policy_test.cc.
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <vector>

namespace tideline {

const Rewriter* find_rewriter(std::string_view id) {
  const auto table = rewriters();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Rewriter* entry) { return entry->id == id; });
  return found == table.end() ? nullptr : *found;
}

std::string rewriter_ids(bool with_off) {
  std::vector<std::string_view> ids;
  for (const Rewriter* rewriter : rewriters()) ids.push_back(rewriter->id);
  if (with_off) ids.push_back("off");
  std::string text(ids.front());
  for (std::size_t i = 1; i < ids.size(); ++i) {
    text += i + 1 == ids.size() ? " or " : ", ";
    text += ids[i];
  }
  return text;
}

}  // namespace tideline
