// Saves tensors that lie in memory as a TensorFlow checkpoint, and loads them back in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/removed_files.h"
#include "core/graph/dtype.h"

namespace tideline::checkpoint {

/// Elements in row-major order, little-endian; strings as EncodedStrings::bytes (string_tensor.h).
struct MemoryTensor {
  std::string name;
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  char* data = nullptr;  ///< saving reads it, loading writes it
  std::size_t bytes = 0;
  /// Waits until `data` can be read; may be called twice, and by two threads. Empty: it can be.
  std::function<Status()> before_read = {};
  /// Called when a load has written all of `data`. May be empty.
  std::function<Status()> after_write = {};
};

/// Whether a checkpoint can have them. Errors: kInvalidArgument for a name that is empty or there
/// twice, and for a number of bytes that type and shape do not have; kUnsupported for a type that
/// is neither number nor string; kCorrupt for strings that do not decode.
[[nodiscard]] Status check_tensors(const std::vector<MemoryTensor>& tensors);

/// The CRC-32C with which a checkpoint has the tensor. Precondition: it passed check_tensors.
[[nodiscard]] std::uint32_t crc_of(const MemoryTensor& tensor);

/// The CRC-32C of tensor number i, which a second thread may compute while the device writes.
/// Called after all data were written, by an incremental save before.
using ChecksumOf = std::function<std::uint32_t(std::size_t tensor)>;

/// Writes the checkpoint PREFIX from where the tensors lie, without a copy of large ones and past
/// the page cache where the file system allows; it is on disk when this returns. The checkpoint
/// that PREFIX was before stays whole until then (bundle_writer.h); the new one is readable to
/// nobody who could not read it. Large tensors begin at offsets that equal their addresses modulo
/// 4096, so the file has gaps of zeros, which the format allows. Saves into one folder wait for
/// each other at their end, those of other processes too. Data files that are replaced are closed
/// before this returns, or left to `removed`. Errors: those of place_bundle (bundle_writer.h) and
/// of check_tensors; kCancelled.
[[nodiscard]] Status save_tensors(const std::string& prefix,
                                  const std::vector<MemoryTensor>& tensors,
                                  const ChecksumOf& checksum_of, Progress& progress,
                                  RemovedFiles* removed = nullptr);
/// The same, incrementally: data files of the checkpoint `earlier`, which may be PREFIX itself, are
/// used again where all that is in them is as it was (taken_over.h). Without such a checkpoint, or
/// where the file system has no hard links, everything is written.
[[nodiscard]] Status save_changed_tensors(const std::string& prefix, const std::string& earlier,
                                          const std::vector<MemoryTensor>& tensors,
                                          const ChecksumOf& checksum_of, Progress& progress,
                                          RemovedFiles* removed = nullptr);

/// Calls work(0) to work(count - 1), in any order, on any threads, and returns when none is running
/// any more. Errors: one of those that `work` returned.
using RunAll =
    std::function<Status(std::size_t count, const std::function<Status(std::size_t)>& work)>;

/// Fills the tensors from `checkpoint`, each by its name. All names, types and shapes are compared
/// before anything is written, every checksum while it is read. `run_all` may read several parts at
/// a time; empty: one after the other. `progress` hears from this thread alone. Errors: kNotFound
/// for a name, kInvalidArgument for another type or shape; those of TensorStream; kCancelled. After
/// an error other than the first two the memory may hold anything.
[[nodiscard]] Status load_tensors(const Checkpoint& checkpoint,
                                  const std::vector<MemoryTensor>& tensors, Progress& progress,
                                  const RunAll& run_all = {});

}  // namespace tideline::checkpoint
