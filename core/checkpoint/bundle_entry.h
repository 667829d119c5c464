// The values in a checkpoint's index: messages about the checkpoint and about each tensor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/ordered_code.h"
#include "core/graph/dtype.h"

namespace tideline::checkpoint {

/// BundleHeaderProto, under the empty key.
struct BundleHeader {
  std::int64_t shards = 0;
  bool is_big_endian = false;
  std::int64_t least_consumer = 0;
};

/// BundleEntryProto. One with slices has no bytes of its own.
struct BundleEntry {
  DataType type = DataType::kInvalid;
  std::vector<std::int64_t> dims;
  std::int64_t shard = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::uint32_t masked_crc = 0;
  std::vector<std::vector<SliceExtent>> slices;
};

/// Errors of both: kCorrupt, without the name.
[[nodiscard]] Result<BundleHeader> parse_bundle_header(std::string_view message);
[[nodiscard]] Result<BundleEntry> parse_bundle_entry(std::string_view message);

/// TensorShapeProto and TensorSliceProto. Errors: kCorrupt, also for an unknown rank or dimension.
[[nodiscard]] Status parse_shape(std::string_view message, std::vector<std::int64_t>& dims);
[[nodiscard]] Result<std::vector<SliceExtent>> parse_slice(std::string_view message);
/// Sets start and length of `piece`, the slice `extents` of a tensor of the shape `dims`. Errors:
/// kCorrupt when it does not lie in it.
[[nodiscard]] Status place_slice(const std::vector<std::int64_t>& dims,
                                 const std::vector<SliceExtent>& extents, Piece& piece);

/// As protobuf encodes them: fields that are zero are absent.
[[nodiscard]] std::string encode(const BundleHeader& header);
[[nodiscard]] std::string encode(const BundleEntry& entry);

}  // namespace tideline::checkpoint
