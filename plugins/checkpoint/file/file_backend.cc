// The backend `file`: a TensorFlow checkpoint on disk, written from where the tensors lie
// (core/checkpoint/memory_tensors.h), at once or in the background. Checksums are computed by a
// second thread while the device writes.
#include "core/checkpoint/file_backend.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/checkpoint/folder_lock.h"

namespace {

using namespace tideline::checkpoint;  // NOLINT(google-build-using-namespace): one file, one
                                       // purpose

// Says on standard error for whom it waits: a save in the background has nobody else to tell.
class SaysWaits final : public tideline::Progress {
 public:
  bool report(std::string_view stage, std::int64_t /*done*/, std::int64_t /*total*/) override {
    if (!has_said_ && stage.starts_with(kWaiting)) {
      std::fprintf(stderr, "tideline: %s\n", std::string(stage).c_str());
      has_said_ = true;
    }
    return true;
  }

 private:
  bool has_said_ = false;
};

struct TensorFlowFiles {
  static constexpr const CheckpointFormat& kFormat = kBundleFormat;
  using BackgroundProgress = SaysWaits;

  static tideline::Status write(const FileConfig& config, const std::string& prefix,
                                const std::vector<MemoryTensor>& tensors,
                                const ChecksumOf& checksum_of, tideline::Progress& progress,
                                RemovedFiles* removed) {
    if (!config.is_incremental) {
      return save_tensors(prefix, tensors, checksum_of, progress, removed);
    }
    // The first of several steps has none before it; its own prefix is as good then.
    const std::string earlier = prefix_to_load(config, -1).value_or(prefix);
    return save_changed_tensors(prefix, earlier, tensors, checksum_of, progress, removed);
  }
};

constexpr TidelineBackend kFile = backend_table<FileBackend<TensorFlowFiles>>(
    "file", "A TensorFlow checkpoint on disk, durable and checksummed, without a copy.",
    TIDELINE_CHECKPOINT_SAVES | TIDELINE_CHECKPOINT_LOADS | TIDELINE_CHECKPOINT_LISTS |
        TIDELINE_CHECKPOINT_ASYNC | TIDELINE_CHECKPOINT_STREAMS);

}  // namespace

TIDELINE_CHECKPOINT_PLUGIN(&kFile)
