// The contents of the rows of an EventLog, decoded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/events/event_rows.h"

namespace tideline::events {

struct HistogramBucket {
  double left = 0;
  double right = 0;
  double count = 0;
};

/// The buckets of a histogram row. A HistogramProto of TensorFlow 1 becomes buckets as in
/// TensorBoard: empty buckets at both ends are dropped, and the outermost limits, which are the
/// limits of double, become the smallest and the largest value. Values that are NaN or infinite
/// have a bucket of their own behind the others, with NaN for its ends. Errors: kCorrupt for limits
/// and counts of different length, and for a tensor of another shape than [n,3]. Cost: O(bytes).
/// Source: tensorboard/data_compat.py, _migrate_histogram_value.
[[nodiscard]] Result<std::vector<HistogramBucket>> histogram_buckets(ValueForm form,
                                                                     std::string_view content);

/// The images of a row, encoded as in their files.
struct ImageValues {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::string_view> encoded;
};
/// Views point into `content`. Errors: kCorrupt.
[[nodiscard]] Result<ImageValues> image_values(ValueForm form, std::string_view content);

/// The recordings of a row, encoded as in their files.
[[nodiscard]] Result<std::vector<std::string_view>> audio_values(ValueForm form,
                                                                 std::string_view content);

/// The texts of a row, in rows of `columns`, which is at least 1.
struct TextValues {
  std::vector<std::string_view> texts;
  std::size_t columns = 1;
};
/// Views point into `content`. Errors: those of io::decode_elements; kCorrupt for a tensor of
/// another type.
[[nodiscard]] Result<TextValues> text_values(std::string_view content);

/// A file name's ending, by the first bytes: ".png", ".jpg", ".gif", ".wav"; ".bin" for others.
[[nodiscard]] const char* file_ending(std::string_view encoded);

/// "START", "STOP", "CHECKPOINT" or a number, and the text of a session log.
struct SessionLogValue {
  std::string status;
  std::string_view checkpoint;
  std::string_view message;
};
[[nodiscard]] SessionLogValue session_log_value(std::string_view content);

/// The content that the plugin's own metadata have in an encoded SummaryMetadata.
[[nodiscard]] std::string_view plugin_content(std::string_view metadata);

/// The limit of what is decoded of an encoded tensor, in bytes. It has room for all the elements
/// that any tensor lists. One that repeats its last value, which takes no bytes, is limited: else a
/// row of twenty bytes could ask for gigabytes.
[[nodiscard]] std::uint64_t most_tensor_bytes(std::string_view tensor);

/// The bytes of run metadata or of a graph that are in a row: the content itself, or the first text
/// of a tensor. A view into `content`.
[[nodiscard]] std::string_view blob_of(ValueForm form, std::string_view content);

}  // namespace tideline::events
