// Backends of plugins in tests, and tensors for them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/backend.h"
#include "core/checkpoint/backend_abi.h"
#include "tests/unit/checkpoint/sample_checkpoints.h"

namespace tideline::checkpoint {

/// A tensor of floats in memory, with what a backend gets of it.
struct Floats {
  Floats(std::string tensor_name, std::vector<float> numbers)
      : name(std::move(tensor_name)),
        values(std::move(numbers)),
        dims({static_cast<std::int64_t>(values.size())}) {}

  [[nodiscard]] TidelineTensor tensor() {
    TidelineTensor made{};
    made.struct_size = sizeof made;
    made.dtype = 1;
    made.name = name.empty() ? nullptr : name.data();
    made.name_size = name.size();
    made.dims = dims.data();
    made.rank = 1;
    made.device_type = TIDELINE_DEVICE_HOST;
    made.data = values.data();
    made.bytes = values.size() * sizeof(float);
    return made;
  }

  std::string name;
  std::vector<float> values;
  std::vector<std::int64_t> dims;
};

inline std::unique_ptr<Backend> opened_backend(Backends& backends, const char* plugin,
                                               const std::string& name, const std::string& config) {
  const Status loaded = backends.load(plugin);
  INFO((loaded ? "" : loaded.error().message));
  REQUIRE(loaded);
  auto object = backends.open(name, config);
  INFO((object ? "" : object.error().message));
  REQUIRE(object);
  return *std::move(object);
}

}  // namespace tideline::checkpoint
