// The backend `safetensors`: one file, which many programs read. It is on disk when a save is done;
// checksums are kept in its metadata (core/checkpoint/safetensors.h).
#include "core/checkpoint/safetensors.h"

#include "core/checkpoint/file_backend.h"

namespace {

using namespace tideline::checkpoint;  // NOLINT(google-build-using-namespace): one file, one
                                       // purpose

struct SafetensorsFiles {
  static constexpr const CheckpointFormat& kFormat = kSafetensorsFormat;
  using BackgroundProgress = tideline::Progress;

  static tideline::Status write(const FileConfig& /*config*/, const std::string& path,
                                const std::vector<MemoryTensor>& tensors,
                                const ChecksumOf& checksum_of, tideline::Progress& progress,
                                RemovedFiles* /*removed*/) {
    return save_safetensors(path, tensors, checksum_of, progress);
  }
};

constexpr TidelineBackend kSafetensors = backend_table<FileBackend<SafetensorsFiles>>(
    "safetensors", "A safetensors file on disk, durable and checksummed.",
    TIDELINE_CHECKPOINT_SAVES | TIDELINE_CHECKPOINT_LOADS | TIDELINE_CHECKPOINT_LISTS |
        TIDELINE_CHECKPOINT_ASYNC | TIDELINE_CHECKPOINT_STREAMS);

}  // namespace

TIDELINE_CHECKPOINT_PLUGIN(&kSafetensors)
