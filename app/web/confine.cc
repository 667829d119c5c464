// Problem: a path is checked and afterwards read by its name. Whoever can write in a served folder
//   can put a link to another file there between the two.
// Idea: Landlock. The kernel judges what is opened, after all links are followed, by the folders it
//   lies in; so it does not matter how the name came about.
// Limits: folders are meant as they are now, not by name: one that is replaced cannot be read
//   (AllowedPaths says so). Names, sizes and times of files elsewhere can still be asked for.
// Tested by unit/web/confine_test.cc and integration/serve_calls_test.py.
#include "app/web/confine.h"

#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "core/base/descriptor.h"

namespace tideline::web {
namespace {

// The first versions of the interface that limit links between folders and truncation, and the
// names that headers of Linux 5.13 lack.
constexpr long kVersionOfRefer = 2;
constexpr long kVersionOfTruncate = 3;
constexpr std::uint64_t kRefer = std::uint64_t{1} << 13U;
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14U;

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                 LANDLOCK_ACCESS_FS_MAKE_REG;
constexpr std::uint64_t kNever = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

bool allow(int rules, int folder, std::uint64_t access) {
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = access;
  rule.parent_fd = folder;
  return ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

}  // namespace

bool confine_thread(const Reach& reach) {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return false;
  std::uint64_t write = kWrite;
  if (version >= kVersionOfRefer) write |= kRefer;
  if (version >= kVersionOfTruncate) write |= kTruncate;
  landlock_ruleset_attr handled = {};
  handled.handled_access_fs = kRead | write | kNever;
  const Descriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0)));
  if (rules.value() < 0) return false;
  for (const int folder : reach.readable) {
    if (!allow(rules.value(), folder, kRead)) return false;
  }
  for (const int folder : reach.writable) {
    if (!allow(rules.value(), folder, kRead | write)) return false;
  }
  // Without this the kernel takes no limits from an ordinary user. Nothing is executed here anyway.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return ::syscall(SYS_landlock_restrict_self, rules.value(), 0) == 0;
}

}  // namespace tideline::web
