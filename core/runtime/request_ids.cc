// Gives requests between servers of TensorFlow numbers that do not collide.
//
// Problem: a server refuses a request whose number it has seen among the last 100,000 ("The same
// RunGraph (Worker) request was received twice"), and the step fails. TensorFlow, from 2.10 to 2.15
// at least, draws the number from a generator of the calling thread, which is seeded with 32 random
// bits, and a thread is made for nearly every step: the number is the first of one of 2^32
// sequences. Once a server has seen 100,000 requests, one in 43,000 is refused; a training of some
// hours does not get to its end.
//
// Idea: as with `bind` (listen_address.cc) TensorFlow's calls of its function are resolved to the
// one that this program exports under the same name. It takes 64 bits from the kernel each time.
//
// Limits: servers that others have started keep TensorFlow's. A TensorFlow without the function, or
// one that calls it in another way, is as it was. Source (facts):
// tsl::random::ThreadLocalNew64, RecentRequestIds; github.com/pytorch/xla/issues/4084. Tested by
// unit/runtime/cluster_servers_test.cc.
#include "core/runtime/request_ids.h"

#include <sys/random.h>

#include <atomic>

namespace tideline::runtime {

std::uint64_t unique_request_id() noexcept {
  std::uint64_t id = 0;
  static std::atomic<std::uint64_t> count = 0;
  // Without random bits a count has to do: it is unique in this process.
  if (::getrandom(&id, sizeof id, 0) != sizeof id || id == 0) id = ++count;
  return id;
}

}  // namespace tideline::runtime

// tsl::random::ThreadLocalNew64, called by TensorFlow's library.
extern "C" __attribute__((visibility("default"))) std::uint64_t tideline_new_request_id() noexcept
    __asm__("_ZN3tsl6random16ThreadLocalNew64Ev");
extern "C" std::uint64_t tideline_new_request_id() noexcept {
  return tideline::runtime::unique_request_id();
}
