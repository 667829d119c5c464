// Writes TensorFlow checkpoints V2 that are whole at every moment.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/checkpoint/bundle_entry.h"
#include "core/checkpoint/removed_files.h"

namespace tideline::checkpoint {

/// The number of shards that a checkpoint PREFIX is written with while another of that name stands:
/// one from `least` on that its index does not have, so that none of its files is touched. Files of
/// that number are what a killed process left. Beside a damaged index: one of which there is no
/// file at all.
[[nodiscard]] std::int64_t other_shard_count(const std::string& prefix, std::int64_t least = 1);
/// Removes data files of the checkpoint PREFIX that belong to another number of shards; they are
/// added to `removed` unless that is null.
void remove_other_shards(const std::string& prefix, std::int64_t shards,
                         RemovedFiles* removed = nullptr);

/// How a checkpoint gets its place.
struct Placing {
  bool replace = false;  ///< also when its index exists
  Readers readers = {};
  RemovedFiles* removed = nullptr;  ///< gets the data files that it replaces; null: closed at once
};

/// Makes a checkpoint of data files under temporary names, which are on disk: they become the first
/// shards, empty files the others; then the index follows, and data files that it replaces go. All
/// of that under the lock of the folder (folder_lock.h), for which it waits: of several writers the
/// last one's checkpoint stands, whole. The shards of `entries` are positions in `temporaries`.
/// Errors: kIo, kInvalidArgument when the index exists and may not be replaced, kCancelled. Unless
/// the new index is there all the same, what was there before is untouched then, and the new data
/// are removed.
[[nodiscard]] Status place_bundle(const std::string& prefix,
                                  const std::vector<std::string>& temporaries,
                                  const std::map<std::string, BundleEntry>& entries,
                                  const Placing& how, Progress& progress);
/// Removes the data files of the checkpoint PREFIX with `shards` shards.
void remove_shards(const std::string& prefix, std::int64_t shards) noexcept;

/// Writes tensors one after the other. Nothing is visible under the prefix before `commit`. A
/// checkpoint that is replaced stays whole until the new index takes the place of the old one,
/// which is one rename: whenever the process ends, one of the two is there. Errors: kIo;
/// kInvalidArgument for a name that is empty, begins with a zero byte or was there, and when the
/// checkpoint exists and `replace` is false. Thread: not shared.
class BundleWriter {
 public:
  [[nodiscard]] static Result<BundleWriter> create(const std::string& prefix, bool replace,
                                                   const Readers& readers = {});

  /// Begins a tensor, whose bytes `append` adds and `end` counts. Precondition: none is begun.
  [[nodiscard]] Status begin(const std::string& name, DataType type,
                             const std::vector<std::int64_t>& dims);
  [[nodiscard]] Status append(std::string_view bytes);
  /// Errors: kInvalidArgument for a wrong number of bytes.
  [[nodiscard]] Status end();
  /// A whole tensor of strings.
  [[nodiscard]] Status add_strings(const std::string& name, const std::vector<std::int64_t>& dims,
                                   const std::vector<std::string>& strings);
  /// Data to disk, then the index. Errors: as above, those of place_bundle.
  [[nodiscard]] Status commit(Progress& progress);
  [[nodiscard]] Status commit() {
    Progress silent;
    return commit(silent);
  }

 private:
  BundleWriter(std::string prefix, bool replace, Readers readers, OutputFile data);

  std::string prefix_;
  bool replace_;
  Readers readers_;
  OutputFile data_;
  std::map<std::string, BundleEntry> entries_;
  std::string name_;
  BundleEntry entry_;
  std::uint32_t crc_ = 0;
  std::int64_t at_ = 0;
};

}  // namespace tideline::checkpoint
