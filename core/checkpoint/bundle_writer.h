// Writes TensorFlow checkpoints V2 that are whole at every moment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/output_file.h"
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

/// Ends a checkpoint whose first `in_place` shards are in their places and on disk: empty files for
/// the other shards, then the index, then the data files that it replaces are removed. Errors: kIo,
/// kInvalidArgument when the index exists and `replace` is false. Unless the new index is there all
/// the same, what was there before is untouched then, and the new data are removed.
[[nodiscard]] Status finish_bundle(const std::string& prefix, std::int64_t in_place,
                                   std::int64_t shards,
                                   const std::map<std::string, BundleEntry>& entries, bool replace,
                                   const Readers& readers, RemovedFiles* removed = nullptr);
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
  /// Data to disk, then the index. Errors: as above.
  [[nodiscard]] Status commit();

 private:
  BundleWriter(std::string prefix, bool replace, std::int64_t shards, Readers readers,
               OutputFile data);

  std::string prefix_;
  bool replace_;
  std::int64_t shards_;
  Readers readers_;
  OutputFile data_;
  std::map<std::string, BundleEntry> entries_;
  std::string name_;
  BundleEntry entry_;
  std::uint32_t crc_ = 0;
  std::int64_t at_ = 0;
};

}  // namespace tideline::checkpoint
