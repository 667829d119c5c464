// The backend `dummy`: keeps nothing and prints address and size of each tensor, which shows
// whether tensors arrive without a copy.
#include <iostream>

#include "core/checkpoint/backend_plugin.h"

namespace {

using tideline::Progress;
using tideline::Result;
using tideline::Status;
using tideline::checkpoint::PluginBackend;
using tideline::checkpoint::PluginCall;

class Dummy final : public PluginBackend {
 public:
  static Result<std::unique_ptr<Dummy>> open(const char* config) {
    std::cout << "[DUMMY] Initialization, config: " << config << std::endl;
    return std::make_unique<Dummy>();
  }

  Status save(Tensors tensors, const PluginCall& /*call*/, Progress& /*progress*/) override {
    std::cout << "[DUMMY] Saving " << tensors.size() << " tensors:" << std::endl;
    print(tensors);
    return {};
  }

  Status load(Tensors tensors, const PluginCall& /*call*/, Progress& /*progress*/) override {
    std::cout << "[DUMMY] Loading " << tensors.size() << " tensors:" << std::endl;
    print(tensors);
    return {};
  }

 private:
  static void print(Tensors tensors) {
    for (const TidelineTensor* tensor : tensors) {
      std::cout << "  data=" << tensor->data << " size=" << tensor->bytes << std::endl;
    }
  }
};

constexpr TidelineBackend kDummy = tideline::checkpoint::backend_table<Dummy>(
    "dummy", "Prints address and size of each tensor and keeps nothing.",
    TIDELINE_CHECKPOINT_SAVES | TIDELINE_CHECKPOINT_LOADS);

}  // namespace

TIDELINE_CHECKPOINT_PLUGIN(&kDummy)
