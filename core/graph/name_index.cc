#include "core/graph/name_index.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>

namespace tideline {

std::uint64_t NameIndex::hash(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

void NameIndex::reserve(std::size_t count) {
  if (slots_.empty()) resize(std::bit_ceil(count * 2 + 64));
}

void NameIndex::resize(std::size_t slots) {
  slots_.assign(slots, kEmpty);
  mask_ = slots - 1;
}

void NameIndex::place(std::uint64_t hash, std::uint64_t slot) {
  std::size_t at = hash & mask_;
  while (slots_[at] != kEmpty) at = (at + 1) & mask_;
  slots_[at] = slot;
}

}  // namespace tideline
