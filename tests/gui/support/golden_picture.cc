#include "tests/gui/support/golden_picture.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "render/gl/png.h"

namespace tideline::gui {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

PictureDistance distance(const gl::Image& a, const gl::Image& b, int much) {
  double sum = 0;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) {
    const int off = std::abs(int{a.rgba[i]} - int{b.rgba[i]});
    sum += off;
    count += off > much ? 1 : 0;
  }
  const auto channels = static_cast<double>(a.rgba.size());
  return {sum / channels, static_cast<double>(count) / channels};
}

void write_png(const std::string& path, const gl::Image& image) {
  const auto bytes = gl::encode_png(image);
  REQUIRE(bytes);
  std::ofstream(path, std::ios::binary) << *bytes;
}

void check_golden(const std::string& name, const gl::Image& drawn,
                  const PictureTolerance& tolerance) {
  const std::string path = TIDELINE_SOURCE_DIR "/tests/gui/golden/" + name + ".png";
  if (std::getenv("UPDATE_GOLDEN") != nullptr) write_png(path, drawn);
  const auto golden = gl::decode_png(bytes_of(path));
  INFO(name << ": " << (golden ? "" : golden.error().message));
  REQUIRE(golden);
  REQUIRE(drawn.width == golden->width);
  REQUIRE(drawn.height == golden->height);
  const PictureDistance apart = distance(drawn, *golden, tolerance.much);
  CHECK(apart.mean < tolerance.mean_off);
  CHECK(apart.much < tolerance.most_much);
}

}  // namespace tideline::gui
