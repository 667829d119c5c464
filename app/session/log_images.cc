// Tested by unit/session/log_images_test.cc.
#include "app/session/log_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"

namespace tideline::app {
namespace {

int shrinking_of(const ui::Pixels& pixels) {
  int by = 1;
  const auto over = [&](int side) { return side / by > kMostShownSide; };
  while (over(pixels.width) || over(pixels.height) ||
         std::int64_t{pixels.width / by} * (pixels.height / by) > kMostShownPixels) {
    ++by;
  }
  return by;
}

ui::LoggedPicture picture_of(std::string_view encoded, const DecodeImage& decode) {
  ui::LoggedPicture picture;
  auto pixels = decode(encoded);
  if (!pixels) {
    picture.problem = pixels.error().message;
    return picture;
  }
  picture.width = pixels->width;
  picture.height = pixels->height;
  picture.shrunk_by = shrinking_of(*pixels);
  if (picture.shrunk_by > 1) *pixels = shrink(*pixels, picture.shrunk_by);
  picture.pixels = std::make_shared<const ui::Pixels>(*std::move(pixels));
  return picture;
}

Bytes bytes_of(const ui::LogImages& images) {
  Bytes sum = 0;
  for (const auto& [key, row] : images.rows) sum += row->bytes();
  return sum;
}

}  // namespace

ui::Pixels shrink(const ui::Pixels& pixels, int by) {
  ui::Pixels small{std::max(1, pixels.width / by), std::max(1, pixels.height / by), {}};
  small.rgba.reserve(std::size_t{4} * static_cast<std::size_t>(small.width) *
                     static_cast<std::size_t>(small.height));
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) {
      std::array<std::int64_t, 4> sum = {};
      std::int64_t count = 0;
      for (int row = y * by; row < std::min((y + 1) * by, pixels.height); ++row) {
        for (int column = x * by; column < std::min((x + 1) * by, pixels.width); ++column) {
          const std::size_t at =
              4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(pixels.width) +
                   static_cast<std::size_t>(column));
          for (std::size_t i = 0; i < 4; ++i) sum.at(i) += pixels.rgba[at + i];
          ++count;
        }
      }
      for (const std::int64_t channel : sum) {
        small.rgba.push_back(static_cast<std::uint8_t>(channel / std::max<std::int64_t>(1, count)));
      }
    }
  }
  return small;
}

std::shared_ptr<const ui::LoggedRow> read_images(const events::EventLog& log, ui::LogRowKey key,
                                                 const DecodeImage& decode) {
  auto result = std::make_shared<ui::LoggedRow>();
  const events::ValueRow& row = log.series()[key.series].rows[key.row];
  const auto content = events::RowReader(log).read(row);
  if (!content) {
    result->problem = content.error().message;
    return result;
  }
  const auto images = events::image_values(row.form, *content);
  if (!images) {
    result->problem = images.error().message;
    return result;
  }
  result->total = images->encoded.size();
  for (const std::string_view encoded : images->encoded) {
    if (result->pictures.size() == kMostPicturesOfRow) break;
    ui::LoggedPicture picture = picture_of(encoded, decode);
    if (picture.pixels &&
        result->bytes() + static_cast<Bytes>(picture.pixels->rgba.size()) > kMostRowBytes) {
      picture.pixels.reset();
      picture.problem = fmt::format("not shown: the images of this row take more than {}",
                                    format_bytes(kMostRowBytes));
    }
    result->pictures.push_back(std::move(picture));
  }
  return result;
}

std::shared_ptr<const ui::LogImages> with_row(const ui::LogImages& images, ui::LogRowKey key,
                                              std::shared_ptr<const ui::LoggedRow> row,
                                              const std::vector<ui::LogRowKey>& wanted) {
  auto result = std::make_shared<ui::LogImages>(images);
  const auto is_wanted = [&](const ui::LogRowKey& other) {
    return std::find(wanted.begin(), wanted.end(), other) != wanted.end();
  };
  const auto fits = [&] { return bytes_of(*result) + row->bytes() <= kMostImageBytes; };
  // Without pixels, because there was no room for them: they may have another try.
  std::erase_if(result->rows, [&](const auto& entry) {
    return entry.second->bytes() == 0 && !is_wanted(entry.first);
  });
  for (auto entry = result->rows.begin(); entry != result->rows.end() && !fits();) {
    entry = is_wanted(entry->first) ? std::next(entry) : result->rows.erase(entry);
  }
  if (!fits()) {
    auto left_out = std::make_shared<ui::LoggedRow>();
    left_out->total = row->total;
    left_out->problem = fmt::format("not shown: the images on the screen take more than {}",
                                    format_bytes(kMostImageBytes));
    row = std::move(left_out);
  }
  result->rows[key] = std::move(row);
  return result;
}

}  // namespace tideline::app
