// Tested by unit/rewrite/policy_test.cc.
#include "core/rewrite/rewriter.h"

#include <algorithm>
#include <vector>

#include "core/base/text.h"

namespace tideline {

const Rewriter* find_rewriter(std::string_view id) {
  const auto table = rewriters();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Rewriter* entry) { return entry->id == id; });
  return found == table.end() ? nullptr : *found;
}

std::string rewriter_ids(bool with_off) {
  std::vector<std::string> ids;
  for (const Rewriter* rewriter : rewriters()) ids.emplace_back(rewriter->id);
  if (with_off) ids.emplace_back("off");
  return alternatives(ids);
}

std::vector<const Rewriter*> policy_rewriters() {
  std::vector<const Rewriter*> policies;
  for (const Rewriter* rewriter : rewriters()) {
    if (rewriter->is_policy) policies.push_back(rewriter);
  }
  return policies;
}

std::string policy_ids(bool with_off) {
  std::vector<std::string> ids;
  for (const Rewriter* rewriter : policy_rewriters()) ids.emplace_back(rewriter->id);
  if (with_off) ids.emplace_back("off");
  return alternatives(ids);
}

}  // namespace tideline
