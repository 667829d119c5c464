#include "core/events/row_values.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/io/tensor_elements.h"
#include "core/io/wire_numbers.h"
#include "tests/support/made_summaries.h"

namespace tideline::events {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

std::vector<std::vector<double>> numbers_of(const Result<std::vector<HistogramBucket>>& buckets) {
  REQUIRE(buckets);
  std::vector<std::vector<double>> numbers;
  for (const HistogramBucket& bucket : *buckets) {
    numbers.push_back({bucket.left, bucket.right, bucket.count});
  }
  return numbers;
}

}  // namespace

TEST_CASE("the buckets of an old histogram begin and end with values, and empty ends go") {
  const std::string content =
      test::histogram_of(-3, 8, {-4, -2, 0, 5, 9, kMost}, {0, 1, 0, 2, 3, 0});
  CHECK(numbers_of(histogram_buckets(ValueForm::kHistogram, content)) ==
        std::vector<std::vector<double>>{{-3, -2, 1}, {-2, 0, 0}, {0, 5, 2}, {5, 8, 3}});
  const std::string empty = test::histogram_of(0, 0, {1, 2}, {0, 0});
  CHECK(numbers_of(histogram_buckets(ValueForm::kHistogram, empty)).empty());
  const std::string single = test::histogram_of(4, 4, {kMost}, {2});
  CHECK(numbers_of(histogram_buckets(ValueForm::kHistogram, single)) ==
        std::vector<std::vector<double>>{{4, 4, 2}});
  const std::string bad = test::histogram_of(0, 1, {}, {1, 2});
  CHECK_FALSE(histogram_buckets(ValueForm::kHistogram, bad));
}

TEST_CASE("values of an old histogram that are NaN or infinite are a bucket of their own") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  // As PyTorch writes 5 values of which 2 are NaN: they make least and most NaN, and are in no
  // bucket.
  std::string torch = test::histogram_of(nan, nan, {-1, 0, 1, 2}, {0, 1, 2, 0});
  torch += "\x19" + test::double_bytes(5);
  const auto numbers = numbers_of(histogram_buckets(ValueForm::kHistogram, torch));
  REQUIRE(numbers.size() == 3);
  CHECK(numbers[0] == std::vector<double>{-1, 0, 1});
  CHECK(numbers[1] == std::vector<double>{0, 1, 2});
  CHECK(std::isnan(numbers[2][0]));
  CHECK(std::isnan(numbers[2][1]));
  CHECK(numbers[2][2] == 2);
  // None but such values.
  std::string all = test::histogram_of(-infinite, infinite, {kMost}, {0});
  all += "\x19" + test::double_bytes(3);
  const auto none = numbers_of(histogram_buckets(ValueForm::kHistogram, all));
  REQUIRE(none.size() == 1);
  CHECK(std::isnan(none[0][0]));
  CHECK(none[0][2] == 3);
  // The outermost limits are those of all numbers.
  const std::string open = test::histogram_of(nan, nan, {-kMost, 3, kMost}, {1, 1, 1});
  const auto ends = numbers_of(histogram_buckets(ValueForm::kHistogram, open));
  REQUIRE(ends.size() == 4);
  CHECK(ends[1] == std::vector<double>{3, 3, 1});
  CHECK(ends[2] == std::vector<double>{3, 3, 1});
}

TEST_CASE("a histogram of TensorFlow 2 is a tensor of three columns") {
  std::string floats;
  for (const float number : {0.F, 1.F, 2.F, 1.F, 4.F, 3.F}) floats += test::float_bytes(number);
  const std::string shape = test::bytes_field(2, "\x08\x02") + test::bytes_field(2, "\x08\x03");
  const std::string tensor =
      "\x08\x01" + test::bytes_field(2, shape) + test::bytes_field(5, floats);
  CHECK(numbers_of(histogram_buckets(ValueForm::kTensor, tensor)) ==
        std::vector<std::vector<double>>{{0, 1, 2}, {1, 4, 3}});
  CHECK_FALSE(histogram_buckets(ValueForm::kTensor, test::float_tensor(1)));
}

TEST_CASE("images and recordings are found in both forms") {
  const std::string old = std::string("\x08\x02\x10\x03", 4) + test::bytes_field(4, "\x89PNG old");
  const auto image = image_values(ValueForm::kImage, old);
  REQUIRE(image);
  CHECK(image->height == 2);
  CHECK(image->width == 3);
  CHECK(image->encoded == std::vector<std::string_view>{"\x89PNG old"});
  const std::string tensor = test::text_tensor({"3", "2", "a", "b"});
  const auto images = image_values(ValueForm::kTensor, tensor);
  REQUIRE(images);
  CHECK(images->width == 3);
  CHECK(images->encoded == std::vector<std::string_view>{"a", "b"});
  CHECK_FALSE(image_values(ValueForm::kTensor, test::text_tensor({"3"})));

  const std::string sound = test::bytes_field(4, "RIFF");
  CHECK(audio_values(ValueForm::kAudio, sound).value() == std::vector<std::string_view>{"RIFF"});
  // Each recording has a label behind it.
  const std::string shape = test::bytes_field(2, "\x08\x02") + test::bytes_field(2, "\x08\x02");
  std::string labelled = "\x08\x07" + test::bytes_field(2, shape);
  for (const char* text : {"one", "label", "two", ""}) labelled += test::bytes_field(8, text);
  CHECK(audio_values(ValueForm::kTensor, labelled).value() ==
        std::vector<std::string_view>{"one", "two"});
}

TEST_CASE("files are named by their first bytes") {
  CHECK(std::string(file_ending("\x89PNG\r\n")) == ".png");
  CHECK(std::string(file_ending("\xff\xd8\xff\xe0")) == ".jpg");
  CHECK(std::string(file_ending("GIF89a")) == ".gif");
  CHECK(std::string(file_ending(std::string("RIFF\0\0\0\0WAVEfmt", 15))) == ".wav");
  CHECK(std::string(file_ending("RIFF")) == ".bin");
  CHECK(std::string(file_ending("")) == ".bin");
}

TEST_CASE("session logs say what happened") {
  const std::string checkpoint =
      "\x08\x03" + test::bytes_field(2, "model.ckpt") + test::bytes_field(3, "saved");
  const SessionLogValue value = session_log_value(checkpoint);
  CHECK(value.status == "CHECKPOINT");
  CHECK(value.checkpoint == "model.ckpt");
  CHECK(value.message == "saved");
  CHECK(session_log_value("\x08\x01").status == "START");
  CHECK(session_log_value("\x08\x09").status == "9");
}

TEST_CASE("a few bytes that repeat a value for gigabytes are refused") {
  // Strings, of shape [2^26]; with nothing listed, all of them are empty.
  const std::string texts("\x08\x07\x12\x07\x12\x05\x08\x80\x80\x80\x20", 11);
  CHECK(text_values(texts).error().code == Code::kUnsupported);
  CHECK(image_values(ValueForm::kTensor, texts).error().code == Code::kUnsupported);
  CHECK(audio_values(ValueForm::kTensor, texts).error().code == Code::kUnsupported);
  // Doubles, of shape [2^24,3].
  const std::string buckets("\x08\x02\x12\x0b\x12\x05\x08\x80\x80\x80\x08\x12\x02\x08\x03", 15);
  CHECK(histogram_buckets(ValueForm::kTensor, buckets).error().code == Code::kUnsupported);
}

TEST_CASE("all that a tensor lists is decoded, however much it is") {
  const std::string packed =
      test::bytes_field(io::tensor_proto::kContent, std::string(1 << 25, 'x'));
  const std::string uint8s =
      std::string("\x08\x04\x12\x07\x12\x05\x08\x80\x80\x80\x10", 11) + packed;
  CHECK(io::decode_elements(uint8s, most_tensor_bytes(uint8s)));
  std::string texts("\x08\x07\x12\x07\x12\x05\x08\x80\x80\x80\x01", 11);
  for (int i = 0; i < 1 << 21; ++i) texts += std::string("\x42\x00", 2);
  CHECK(text_values(texts));
}

}  // namespace tideline::events
