// Keys under which a checkpoint's index holds the slices of a partitioned tensor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::checkpoint {

/// The extent of a slice in one dimension, as stored: all of it is start 0 and length -1.
struct SliceExtent {
  std::int64_t start = 0;
  std::int64_t length = -1;
};

/// The key of the slice `extents` of the tensor `name`: a zero byte, the name, the number of
/// dimensions and all extents, each so encoded that bytes compare as the values do.
/// Source: TensorFlow 2.15, saved_tensor_slice_util.cc and ordered_code.cc.
/// Tested by: unit/checkpoint/bundle_entry_test.cc.
[[nodiscard]] std::string slice_key(std::string_view name, const std::vector<SliceExtent>& extents);

}  // namespace tideline::checkpoint
