// Loads plugins with checkpoint backends (backend_abi.h), and calls them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/graph/dtype.h"

struct TidelineBackend;
struct TidelineTensor;

namespace tideline::checkpoint {

class PinnedAreas;
class Staging;

/// What a plugin says of one of its backends.
struct BackendFacts {
  std::string name;
  std::string about;
  std::string library;  ///< path of the plugin
  std::uint32_t capabilities = 0;
};

/// "saves", "loads", "lists", "asynchronous", "thread-safe", "needs names", "streams from devices":
/// what the bits of BackendFacts::capabilities mean.
[[nodiscard]] std::vector<std::string> capability_names(std::uint32_t capabilities);

/// What a listing says of a tensor.
struct ListedTensor {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::uint64_t bytes = 0;
};

/// Memory of the tensors of an asynchronous save: `retain` is called before the
/// save returns if the backend goes on afterwards, `release` when it does not
/// need the memory any more, from any thread.
struct Retention {
  void* (*retain)(void* self) = nullptr;
  void (*release)(void* retained) = nullptr;
  void* self = nullptr;
};

/// An object of a backend. Tensors may lie on a CUDA device: they go through
/// pinned memory, which is kept for the next call, and what the device does with
/// them must be done before. Errors of all methods: what the backend says, in its
/// code and words, after its name; kUnsupported for what it cannot do, and those
/// of staging.h for tensors on a device. Thread:
/// any; calls are made one at a time unless the backend says that it is
/// thread-safe.
class Backend {
 public:
  Backend(const TidelineBackend* table, std::string name, void* object);
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// The step is -1 if it is not known.
  [[nodiscard]] Status save(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                            const Retention& retention, Progress& progress);
  /// Step -1 is the latest. After an error the memory of the tensors may hold
  /// anything.
  [[nodiscard]] Status load(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                            Progress& progress);
  [[nodiscard]] Result<std::vector<ListedTensor>> list(std::int64_t step, Progress& progress);
  /// Waits for asynchronous saves. Errors: that of the first that failed.
  [[nodiscard]] Status wait(Progress& progress);

 private:
  [[nodiscard]] std::unique_lock<std::mutex> turn();
  [[nodiscard]] bool streams() const;
  // `staging` is null for tensors that are all on the host.
  [[nodiscard]] Status save_from_host(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                                      const Retention& retention,
                                      const std::shared_ptr<Staging>& staging, Progress& progress);
  [[nodiscard]] Status load_to_host(const std::vector<TidelineTensor>& tensors, std::int64_t step,
                                    const std::shared_ptr<Staging>& staging, Progress& progress);

  const TidelineBackend* table_;
  std::string name_;
  std::unique_ptr<PinnedAreas> areas_;
  void* object_;
  std::mutex mutex_;
};

/// The plugins that a process has loaded. They stay loaded until it ends,
/// because their code may still be running. Thread: any.
class Backends {
 public:
  /// Loads the plugin at `path`. The same file again, by whatever name, is no
  /// error and does nothing. Errors: kNotFound, kUnsupported with the loader's
  /// message or for another version; kInvalidArgument for a name that another
  /// plugin has: then none of its backends is added.
  [[nodiscard]] Status load(const std::string& path);
  /// Loads tideline_checkpoint_NAME.so from where plugins are installed
  /// (plugin_folders.h), unless a backend of this name is there. Errors:
  /// kNotFound; as `load`.
  [[nodiscard]] Status find(const std::string& name);
  /// Loads all plugins that are installed. Returns the errors of `load`, for
  /// those that cannot be loaded.
  [[nodiscard]] std::vector<Error> find_all();
  /// Adds a backend that is part of the program. Errors: as `load`.
  [[nodiscard]] Status add(const TidelineBackend* backend);

  /// An object of the backend `name`. Errors: kNotFound, with the names that
  /// there are; what the backend says of the configuration.
  [[nodiscard]] Result<std::unique_ptr<Backend>> open(const std::string& name,
                                                      const std::string& config) const;
  /// In the order in which they were loaded.
  [[nodiscard]] std::vector<BackendFacts> facts() const;

 private:
  struct Loaded {
    const TidelineBackend* table;
    std::string library;
  };
  struct Library {
    std::uint64_t device;
    std::uint64_t inode;
  };
  [[nodiscard]] Status add_all(const std::vector<const TidelineBackend*>& tables,
                               const std::string& library);

  mutable std::mutex mutex_;
  std::vector<Loaded> loaded_;
  std::vector<Library> libraries_;
};

}  // namespace tideline::checkpoint
