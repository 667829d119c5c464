// Takes from this thread, as long as it lives, what lets root read and enter everything: the
// owner's permissions count then. Other users have no such rights, and keep theirs.
#pragma once

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>

namespace tideline::test {

class WithoutRootRights {
 public:
  WithoutRootRights() {
    REQUIRE(::syscall(SYS_capget, &header_, before_.data()) == 0);
    auto less = before_;
    less[0].effective &= ~(1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH);
    REQUIRE(::syscall(SYS_capset, &header_, less.data()) == 0);
  }
  ~WithoutRootRights() { ::syscall(SYS_capset, &header_, before_.data()); }
  WithoutRootRights(const WithoutRootRights&) = delete;
  WithoutRootRights& operator=(const WithoutRootRights&) = delete;

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> before_{};
};

}  // namespace tideline::test
