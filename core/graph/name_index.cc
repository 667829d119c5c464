#include "core/graph/name_index.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>

namespace tideline {
namespace {

// 32 MiB of slots. A file of a few huge constants must not be charged for the ops it could hold.
constexpr std::size_t kMostSlotsReserved = std::size_t{1} << 22U;

}  // namespace

std::uint64_t NameIndex::hash(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

void NameIndex::reserve(std::size_t count) {
  if (!slots_.empty()) return;
  resize(std::min(std::bit_ceil(count * 2 + 64), kMostSlotsReserved));
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
