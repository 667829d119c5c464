// Tested by tests/unit/base/new_file_mode_test.cc.
#include "core/base/new_file_mode.h"

#include <sys/stat.h>

namespace tideline {
namespace {

mode_t read_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

// The umask belongs to the whole process and can only be read by setting it. Read while other
// threads run, it would leave the files that these create open to everybody; before main there are
// no other threads.
const mode_t kUmask = read_umask();

}  // namespace

mode_t new_file_mode(mode_t wanted) {
  return wanted & ~kUmask;
}

}  // namespace tideline
