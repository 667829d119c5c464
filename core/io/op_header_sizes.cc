#include "core/io/op_header_sizes.h"

namespace tideline::io {

std::size_t OpHeaderSizes::shortest(std::size_t length) {
  std::size_t size = 2;
  for (; length > 0x7f; length >>= 7U) ++size;
  return size;
}

void OpHeaderSizes::add(std::size_t op, std::size_t size, std::size_t length) {
  if (size == shortest(length)) return;
  sizes_.resize(op, 0);
  sizes_.push_back(static_cast<std::uint8_t>(size));
}

}  // namespace tideline::io
