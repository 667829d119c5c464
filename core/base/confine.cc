// Problem: a path is checked and afterwards read by its name. Whoever can write in a served folder
//   can put a link to another file there between the two. And TensorFlow runs graphs that were
//   judged by the types of their ops alone.
// Idea: Landlock. The kernel judges what is opened, after all links are followed, by the folders it
//   lies in; so it does not matter how the name came about.
// Limits: folders are meant as they are now, not by name: one that is replaced cannot be read
//   (AllowedPaths says so). Names, sizes and times of files elsewhere can still be asked for.
// Tested by unit/base/confine_test.cc, unit/runtime/worker_test.cc and
// integration/serve_calls_test.py.
#include "core/base/confine.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "core/base/descriptor.h"

namespace tideline {
namespace {

// The first versions of the interface that limit links between folders and truncation, and the
// names that headers of Linux 5.13 lack.
constexpr long kVersionOfRefer = 2;
constexpr long kVersionOfTruncate = 3;
constexpr long kVersionOfNetwork = 4;
constexpr std::uint64_t kRefer = std::uint64_t{1} << 13U;
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14U;

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                 LANDLOCK_ACCESS_FS_MAKE_REG;
constexpr std::uint64_t kNever = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

// As version 4 of the interface has it; earlier ones know the first member alone.
struct Handled {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
};
constexpr std::uint64_t kBindAndConnect = 3;

long landlock_version() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

std::uint64_t known_writes(long version) {
  std::uint64_t write = kWrite;
  if (version >= kVersionOfRefer) write |= kRefer;
  if (version >= kVersionOfTruncate) write |= kTruncate;
  return write;
}

int make_rules(const Handled& handled, long version) {
  const std::size_t size = version >= kVersionOfNetwork ? sizeof handled : sizeof handled.files;
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, size, 0));
}

bool allow(int rules, int place, std::uint64_t access) {
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = access;
  rule.parent_fd = place;
  return ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

bool enforce(int rules) {
  // Without this the kernel takes no limits from an ordinary user.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

// /dev/null and the devices of a GPU. Files that lie there, as in /dev/shm, are no devices.
void allow_devices(int rules) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::recursive_directory_iterator at("/dev", fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name == "pts" || name == "shm" || name == "mqueue") at.disable_recursion_pending();
    if (at->symlink_status(ignored).type() != fs::file_type::character) continue;
    if (name.starts_with("tty") || name == "console" || name == "ptmx") continue;
    const Descriptor device(::open(at->path().c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    // What cannot be allowed stays denied.
    if (device.value() >= 0) {
      static_cast<void>(allow(rules, device.value(), LANDLOCK_ACCESS_FS_WRITE_FILE));
    }
  }
}

}  // namespace

bool confine_thread(const Reach& reach) {
  const long version = landlock_version();
  if (version < 1) return false;
  const std::uint64_t write = known_writes(version);
  const Descriptor rules(make_rules({kRead | write | kNever, 0}, version));
  if (rules.value() < 0) return false;
  for (const int folder : reach.readable) {
    if (!allow(rules.value(), folder, kRead)) return false;
  }
  for (const int folder : reach.writable) {
    if (!allow(rules.value(), folder, kRead | write)) return false;
  }
  return enforce(rules.value());
}

bool deny_writing() {
  const long version = landlock_version();
  if (version < 1) return false;
  const std::uint64_t made = kNever & ~std::uint64_t{LANDLOCK_ACCESS_FS_EXECUTE};
  const std::uint64_t network = version >= kVersionOfNetwork ? kBindAndConnect : 0;
  const Descriptor rules(make_rules({known_writes(version) | made, network}, version));
  if (rules.value() < 0) return false;
  allow_devices(rules.value());
  return enforce(rules.value());
}

}  // namespace tideline
