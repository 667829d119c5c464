// The backend `memory`: keeps a copy of the tensors in this process, for tests and for steps back
// that need no disk. Objects with the same configuration share what they keep.
#include <cstring>
#include <map>
#include <mutex>

#include "core/checkpoint/backend_plugin.h"

namespace {

using tideline::Code;
using tideline::fail;
using tideline::Progress;
using tideline::Result;
using tideline::Status;
using tideline::checkpoint::PluginBackend;
using tideline::checkpoint::PluginCall;

struct Kept {
  std::string name;
  std::uint32_t dtype = 0;
  std::vector<std::int64_t> dims;
  std::string content;
};

using Snapshot = std::shared_ptr<const std::vector<Kept>>;

// What all objects keep, by configuration.
struct Store {
  std::mutex mutex;
  std::map<std::string, Snapshot> snapshots;
};

Store& store() {
  static Store kept;
  return kept;
}

std::string name_of(const TidelineTensor& tensor) {
  return tensor.name == nullptr ? std::string() : std::string(tensor.name, tensor.name_size);
}

class Memory final : public PluginBackend {
 public:
  explicit Memory(std::string config) : config_(std::move(config)) {}
  static Result<std::unique_ptr<Memory>> open(const char* config) {
    return std::make_unique<Memory>(config);
  }

  Status save(Tensors tensors, const PluginCall& /*call*/, Progress& progress) override {
    std::vector<Kept> kept;
    for (const TidelineTensor* tensor : tensors) {
      if (tensor->device_type != TIDELINE_DEVICE_HOST) {
        return fail(Code::kUnsupported, "a tensor lies on a device; expected host memory");
      }
      const auto done = static_cast<std::int64_t>(kept.size());
      if (!progress.report("saving", done, static_cast<std::int64_t>(tensors.size()))) {
        return tideline::cancelled();
      }
      kept.push_back({name_of(*tensor),
                      tensor->dtype,
                      {tensor->dims, tensor->dims + tensor->rank},
                      std::string(static_cast<const char*>(tensor->data),
                                  static_cast<std::size_t>(tensor->bytes))});
    }
    const std::lock_guard lock(store().mutex);
    store().snapshots[config_] = std::make_shared<const std::vector<Kept>>(std::move(kept));
    return {};
  }

  Status load(Tensors tensors, const PluginCall& /*call*/, Progress& /*progress*/) override {
    const Snapshot kept = snapshot();
    if (kept == nullptr) return fail(Code::kNotFound, "nothing was saved under '{}'", config_);
    std::vector<const Kept*> found;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const TidelineTensor& tensor = *tensors[i];
      const Kept* one = find(*kept, tensor, i);
      if (one == nullptr) {
        return fail(Code::kNotFound, "tensor {} '{}' was not saved", i, name_of(tensor));
      }
      const std::vector<std::int64_t> dims(tensor.dims, tensor.dims + tensor.rank);
      if (one->dtype != tensor.dtype || one->dims != dims || one->content.size() != tensor.bytes) {
        return fail(Code::kInvalidArgument, "tensor {} '{}' was saved with another type or shape",
                    i, name_of(tensor));
      }
      found.push_back(one);
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i]->bytes > 0) {
        std::memcpy(tensors[i]->data, found[i]->content.data(), found[i]->content.size());
      }
    }
    return {};
  }

  Status list(TidelineTensorVisitor visit, void* self, const PluginCall& /*call*/) override {
    const Snapshot kept = snapshot();
    if (kept == nullptr) return fail(Code::kNotFound, "nothing was saved under '{}'", config_);
    for (const Kept& one : *kept) {
      TidelineTensor tensor{};
      tensor.struct_size = sizeof tensor;
      tensor.dtype = one.dtype;
      tensor.name = one.name.data();
      tensor.name_size = one.name.size();
      tensor.dims = one.dims.data();
      tensor.rank = static_cast<std::uint32_t>(one.dims.size());
      tensor.device_type = TIDELINE_DEVICE_HOST;
      tensor.bytes = one.content.size();
      if (visit(self, &tensor) != 0) break;
    }
    return {};
  }

 private:
  // By name, or by position where there are no names.
  static const Kept* find(const std::vector<Kept>& kept, const TidelineTensor& tensor,
                          std::size_t position) {
    if (tensor.name == nullptr) return position < kept.size() ? &kept[position] : nullptr;
    for (const Kept& one : kept) {
      if (one.name == name_of(tensor)) return &one;
    }
    return nullptr;
  }

  Snapshot snapshot() const {
    const std::lock_guard lock(store().mutex);
    const auto found = store().snapshots.find(config_);
    return found == store().snapshots.end() ? nullptr : found->second;
  }

  std::string config_;
};

constexpr TidelineBackend kMemory = tideline::checkpoint::backend_table<Memory>(
    "memory", "Keeps a copy of the tensors in the memory of the process.",
    TIDELINE_CHECKPOINT_SAVES | TIDELINE_CHECKPOINT_LOADS | TIDELINE_CHECKPOINT_LISTS |
        TIDELINE_CHECKPOINT_THREAD_SAFE);

}  // namespace

TIDELINE_CHECKPOINT_PLUGIN(&kMemory)
