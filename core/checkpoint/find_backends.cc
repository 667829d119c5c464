// Tested by unit/checkpoint/backend_test.cc and the golden case checkpoint_window.
#include <array>

#include "core/base/plugin_folders.h"
#include "core/checkpoint/backend.h"
#include "core/checkpoint/backend_abi.h"

namespace tideline::checkpoint {

std::vector<Error> Backends::find_all() {
  std::vector<Error> problems;
  for (const std::string& path : find_plugins("tideline_checkpoint_", "checkpoint")) {
    if (Status status = load(path); !status) problems.push_back(std::move(status).error());
  }
  return problems;
}

std::vector<std::string> capability_names(std::uint32_t capabilities) {
  struct Bit {
    std::uint32_t bit;
    const char* name;
  };
  constexpr std::array kBits = {Bit{TIDELINE_CHECKPOINT_SAVES, "saves"},
                                Bit{TIDELINE_CHECKPOINT_LOADS, "loads"},
                                Bit{TIDELINE_CHECKPOINT_LISTS, "lists"},
                                Bit{TIDELINE_CHECKPOINT_ASYNC, "asynchronous"},
                                Bit{TIDELINE_CHECKPOINT_THREAD_SAFE, "thread-safe"},
                                Bit{TIDELINE_CHECKPOINT_NEEDS_NAMES, "needs names"},
                                Bit{TIDELINE_CHECKPOINT_STREAMS, "streams from devices"}};
  std::vector<std::string> names;
  for (const Bit& each : kBits) {
    if ((capabilities & each.bit) != 0) names.emplace_back(each.name);
  }
  return names;
}

}  // namespace tideline::checkpoint
