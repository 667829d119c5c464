// Tested by unit/rewrite/policy_test.cc.
#include <algorithm>
#include <vector>

#include "core/rewrite/lms1/rewriter.h"
#include "core/rewrite/lms2/rewriter.h"
#include "core/rewrite/rewriter.h"

namespace tideline {
namespace {

// A new rewriter is a folder beside those of the others, and a line here.
std::vector<const Rewriter*>& table() {
  static std::vector<const Rewriter*> rewriters = {&lms2::rewriter(), &lms1::rewriter()};
  return rewriters;
}

}  // namespace

std::span<const Rewriter* const> rewriters() {
  return table();
}

const Rewriter* find_rewriter(std::string_view id) {
  const auto found = std::find_if(table().begin(), table().end(),
                                  [&](const Rewriter* entry) { return entry->id == id; });
  return found == table().end() ? nullptr : *found;
}

std::string rewriter_ids(bool with_off) {
  std::vector<std::string_view> ids;
  for (const Rewriter* rewriter : table()) ids.push_back(rewriter->id);
  if (with_off) ids.push_back("off");
  std::string text(ids.front());
  for (std::size_t i = 1; i < ids.size(); ++i) {
    text += i + 1 == ids.size() ? " or " : ", ";
    text += ids[i];
  }
  return text;
}

void add_rewriter(const Rewriter& rewriter) {
  table().push_back(&rewriter);
}

}  // namespace tideline
