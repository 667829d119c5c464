// Decodes the images of an event log for the screen, within a bound of memory.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/events/event_log.h"
#include "render/model/log_images.h"

namespace tideline::app {

/// Decodes an image file. Errors: kUnsupported for other formats than PNG, kCorrupt.
using DecodeImage = std::function<Result<ui::Pixels>(std::string_view encoded)>;

/// Pixels that are kept of all images together, in bytes; and of one row at most.
inline constexpr Bytes kMostImageBytes = Bytes{256} << 20U;
inline constexpr Bytes kMostRowBytes = Bytes{64} << 20U;
/// Of one image; larger ones are shrunk, so that giving them to the screen takes no longer than a
/// part of a frame.
inline constexpr std::int64_t kMostShownPixels = std::int64_t{4} << 20U;
inline constexpr int kMostShownSide = 4096;
inline constexpr std::size_t kMostPicturesOfRow = 16;

/// Reads and decodes the images of `key`, which is a row of `log`. What cannot be shown has a
/// problem in the result. Memory: kMostRowBytes, one decoded image and the record. Thread: pure.
[[nodiscard]] std::shared_ptr<const ui::LoggedRow> read_images(const events::EventLog& log,
                                                               ui::LogRowKey key,
                                                               const DecodeImage& decode);

/// `images` with the row `key`. Rows that are not wanted go when all together take more than
/// kMostImageBytes; if that does not suffice, the new row says so instead of its images.
[[nodiscard]] std::shared_ptr<const ui::LogImages> with_row(
    const ui::LogImages& images, ui::LogRowKey key, std::shared_ptr<const ui::LoggedRow> row,
    const std::vector<ui::LogRowKey>& wanted);

/// `pixels` with the mean of `by` x `by` pixels for each. Precondition: by > 0.
[[nodiscard]] ui::Pixels shrink(const ui::Pixels& pixels, int by);

}  // namespace tideline::app
