#include "app/session/log_images.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::app {
namespace {

using ui::LogRowKey;

// "WxH" is an image of that size, anything else is damaged.
Result<ui::Pixels> decode_made(std::string_view encoded) {
  const std::size_t cross = encoded.find('x');
  if (cross == std::string_view::npos) return fail(Code::kCorrupt, "no picture: {}", encoded);
  ui::Pixels pixels{std::stoi(std::string(encoded.substr(0, cross))),
                    std::stoi(std::string(encoded.substr(cross + 1))),
                    {}};
  pixels.rgba.assign(
      static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height) * 4, 100);
  return pixels;
}

// A row for each list of images, as TensorFlow 2 writes them.
events::EventLog log_with(const std::vector<std::vector<std::string>>& rows) {
  const test::TemporaryFolder folder;
  std::ofstream file(folder.file("tfevents"), std::ios::binary);
  std::int64_t step = 0;
  for (const auto& images : rows) {
    std::vector<std::string> texts = {"8", "8"};
    texts.insert(texts.end(), images.begin(), images.end());
    file << test::summary_record(step++,
                                 test::tensor_value("x", "images", test::text_tensor(texts)));
  }
  file.close();
  Progress silent;
  auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  return *std::move(log);
}

std::shared_ptr<const ui::LoggedRow> row_of_bytes(Bytes bytes) {
  auto row = std::make_shared<ui::LoggedRow>();
  auto pixels = std::make_shared<ui::Pixels>();
  pixels->rgba.resize(static_cast<std::size_t>(bytes));
  row->pictures.push_back({pixels, "", 1, 1, 1});
  row->total = 1;
  return row;
}

}  // namespace

TEST_CASE("All images of a row are decoded; a damaged one has its reason", "[session]") {
  const test::TemporaryFolder folder;
  {
    std::ofstream file(folder.file("tfevents"), std::ios::binary);
    file << test::summary_record(
        4, test::tensor_value("x", "images", test::text_tensor({"8", "8", "2x3", "gone", "5x1"})));
  }
  Progress silent;
  const auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  const auto row = read_images(*log, {0, 0}, decode_made);
  CHECK(row->problem.empty());
  CHECK(row->total == 3);
  REQUIRE(row->pictures.size() == 3);
  CHECK(row->pictures[0].width == 2);
  CHECK(row->pictures[0].height == 3);
  CHECK(row->pictures[0].pixels->rgba.size() == 24);
  CHECK(row->pictures[1].pixels == nullptr);
  CHECK(row->pictures[1].problem == "no picture: gone");
  CHECK(row->pictures[2].width == 5);
}

TEST_CASE("A row whose file is gone has the reason instead of images", "[session]") {
  const events::EventLog log = log_with({{"2x2"}});
  const auto row = read_images(log, {0, 0}, decode_made);
  CHECK_FALSE(row->problem.empty());
  CHECK(row->pictures.empty());
}

TEST_CASE("A large image is shrunk to the mean of its pixels", "[session]") {
  ui::Pixels pixels{5, 2, {}};
  for (int i = 0; i < 10; ++i) {
    const auto value = static_cast<std::uint8_t>(10 * i);
    pixels.rgba.insert(pixels.rgba.end(), {value, 0, 255, 255});
  }
  const ui::Pixels small = shrink(pixels, 2);
  CHECK(small.width == 2);
  CHECK(small.height == 1);
  // Columns 0 and 1 of both rows, 0 10 50 60; then 20 30 70 80.
  CHECK(small.rgba == std::vector<std::uint8_t>{30, 0, 255, 255, 50, 0, 255, 255});
  CHECK(shrink({1, 9, std::vector<std::uint8_t>(36, 7)}, 4).rgba.size() == 8);

  const test::TemporaryFolder folder;
  {
    std::ofstream file(folder.file("tfevents"), std::ios::binary);
    file << test::summary_record(
        0, test::tensor_value("x", "images", test::text_tensor({"8", "8", "5000x2", "100x100"})));
  }
  Progress silent;
  const auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  const auto row = read_images(*log, {0, 0}, decode_made);
  CHECK(row->pictures[0].shrunk_by == 2);
  CHECK(row->pictures[0].width == 5000);
  CHECK(row->pictures[0].pixels->width == 2500);
  CHECK(row->pictures[1].shrunk_by == 1);
}

TEST_CASE("Images that are not wanted go when there are too many bytes", "[session]") {
  ui::LogImages images;
  const Bytes third = kMostImageBytes / 3 + 1;
  const std::vector<LogRowKey> wanted = {{0, 2}, {0, 3}};
  images = *with_row(images, {0, 1}, row_of_bytes(third), {{0, 1}});
  images = *with_row(images, {0, 2}, row_of_bytes(third), wanted);
  CHECK(images.rows.size() == 2);
  images = *with_row(images, {0, 3}, row_of_bytes(third), wanted);
  REQUIRE(images.rows.size() == 2);
  CHECK_FALSE(images.rows.contains(LogRowKey{0, 1}));
  // All are wanted: the last one says why it is not shown.
  images = *with_row(images, {0, 4}, row_of_bytes(third), {{0, 2}, {0, 3}, {0, 4}});
  REQUIRE(images.rows.size() == 3);
  CHECK(images.rows.at({0, 4})->pictures.empty());
  CHECK(images.rows.at({0, 4})->problem.starts_with("not shown: "));
  // Once it is not wanted, it is forgotten, so that it can be tried again.
  images = *with_row(images, {0, 5}, row_of_bytes(1), {{0, 5}});
  CHECK_FALSE(images.rows.contains(LogRowKey{0, 4}));
}

}  // namespace tideline::app
