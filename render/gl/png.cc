#include "render/gl/png.h"

#include <png.h>

#include <vector>

namespace tideline::gl {
Result<std::string> encode_png(const Image& image) {
  if (image.width <= 0 || image.height <= 0)
    return fail(Code::kInvalidArgument, "a picture needs a width and a height");
  png_image header = {};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;      // pictures of ours are opaque
  header.flags = PNG_IMAGE_FLAG_FAST;  // a quarter of the time, a few per cent larger
  std::vector<std::uint8_t> opaque;
  opaque.reserve(image.rgba.size() / 4 * 3);
  for (std::size_t at = 0; at < image.rgba.size(); at += 4)
    opaque.insert(opaque.end(), {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2]});
  // One pass into memory that is surely enough: asking for the size would compress twice.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, opaque.data(), 0, nullptr) == 0) {
    return fail(Code::kInternal, "PNG: {}", header.message);
  }
  bytes.resize(size);
  return bytes;
}

Result<Image> decode_png(std::string_view bytes, std::uint64_t most_pixels) {
  png_image header = {};
  header.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) == 0)
    return fail(Code::kCorrupt, "PNG: {}", header.message);
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
  if (pixels > most_pixels) {
    png_image_free(&header);
    return fail(Code::kUnsupported, "PNG: {} x {} pixels are too many; expected at most {}",
                header.width, header.height, most_pixels);
  }
  header.format = PNG_FORMAT_RGBA;
  Image image{static_cast<int>(header.width), static_cast<int>(header.height), {}};
  image.rgba.resize(Image::bytes_for(image.width, image.height));
  if (png_image_finish_read(&header, nullptr, image.rgba.data(), 0, nullptr) == 0)
    return fail(Code::kCorrupt, "PNG: {}", header.message);
  return image;
}

}  // namespace tideline::gl
