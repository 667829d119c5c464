// Tested by tests/unit/base/permissions_test.cc.
#include "core/base/strictest.h"

namespace tideline {
namespace {

constexpr mode_t kReadRights = 0444;
constexpr mode_t kGroupRights = 0070, kOthersRights = 0007;

}  // namespace

Readers strictest(const Readers& a, const Readers& b) {
  // Members of another group are for a file among the others.
  const bool differ = a.group && b.group && *a.group != *b.group;
  const mode_t of_b = differ ? (b.mode & ~kGroupRights) | (b.mode & kOthersRights) << 3U : b.mode;
  return {a.mode & of_b, a.group ? a.group : b.group};
}

Readers as_folder(const Readers& readers) {
  return {readers.mode | (readers.mode & kReadRights) >> 2U, readers.group};
}

}  // namespace tideline
