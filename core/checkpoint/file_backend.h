// The backends that write files, but for what they write: steps, retention, saves in the
// background. Header only, for plugins.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/checkpoint/backend_work.h"
#include "core/checkpoint/file_config.h"
#include "core/checkpoint/find_checkpoint.h"

namespace tideline::checkpoint {

/// `Files` says what is written:
///   static constexpr const CheckpointFormat& kFormat;
///   using BackgroundProgress = ...;  // a Progress: hears of a save that nobody waits for
///   static Status write(const FileConfig&, const std::string& path,
///                       const std::vector<MemoryTensor>&, const ChecksumOf&, Progress&,
///                       RemovedFiles*);
/// Loading and listing wait for the save that is running. Saves in the background do what they do
/// at once where the host cannot keep memory.
template <typename Files>
class FileBackend final : public PluginBackend {
 public:
  explicit FileBackend(FileConfig config) : config_(std::move(config)) {}
  static Result<std::unique_ptr<FileBackend>> open(const char* config) {
    TIDELINE_TRY(FileConfig parsed, parse_file_config(config, Files::kFormat));
    return std::make_unique<FileBackend>(std::move(parsed));
  }

  Status save(Tensors tensors, const PluginCall& call, Progress& progress) override {
    TIDELINE_TRY(std::vector<MemoryTensor> saved, described(tensors, call));
    if (!config_.is_async || !call.can_retain()) {
      background_.settle();
      return write(call.step(), saved, progress);
    }
    // What can be known at once is not left to the next wait.
    TIDELINE_RETURN_IF_ERROR(prefix_of_step(config_, call.step()));
    TIDELINE_RETURN_IF_ERROR(check_tensors(saved));
    TIDELINE_RETURN_IF_ERROR(settle(saved));
    const auto kept = std::make_shared<KeptMemory>(call);
    background_.start([this, step = call.step(), kept, saved = std::move(saved)] {
      typename Files::BackgroundProgress heard;
      Status status = write(step, saved, heard);
      kept->release();
      return status;
    });
    return {};
  }

  Status load(Tensors tensors, const PluginCall& call, Progress& progress) override {
    background_.settle();
    TIDELINE_TRY(const std::vector<MemoryTensor> wanted, described(tensors, call));
    TIDELINE_TRY(const Checkpoint saved, opened(call.step()));
    return load_tensors(saved, wanted, progress, run_on_threads);
  }

  Status list(TidelineTensorVisitor visit, void* self, const PluginCall& call) override {
    background_.settle();
    TIDELINE_TRY(const Checkpoint saved, opened(call.step()));
    list_tensors(saved, visit, self);
    return {};
  }

  Status wait(Progress& /*progress*/) override { return background_.wait(); }

 private:
  Status write(std::int64_t step, const std::vector<MemoryTensor>& tensors, Progress& progress) {
    TIDELINE_TRY(const std::string path, prefix_of_step(config_, step));
    make_folder(path);
    Checksums sums(tensors);
    RemovedFiles removed;
    TIDELINE_RETURN_IF_ERROR(Files::write(
        config_, path, tensors, [&](std::size_t i) { return sums.of(i); }, progress, &removed));
    TIDELINE_RETURN_IF_ERROR(finish_step(config_, step, &removed));
    close_later(std::move(removed));
    return {};
  }

  // As TensorFlow does it. Where that fails, so does writing, and says why.
  static void make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  }

  Result<Checkpoint> opened(std::int64_t step) const {
    TIDELINE_TRY(const std::string path, prefix_to_load(config_, step));
    return open_checkpoint(path);
  }

  FileConfig config_;
  Background background_;  // after what its work uses
};

}  // namespace tideline::checkpoint
