// Name -> op, for graphs of millions of ops: an open-addressing hash table that stores ids only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace tideline {

/// A set of op ids keyed by their names, which the caller owns and supplies as `name_of(OpId)`.
/// 32 bits of hash are stored beside each id, so that a probe rarely compares names that differ;
/// `prefetch` lets a caller overlap the cache misses of many look-ups, which dominate the loading
/// of a million ops. Cost: O(1) expected per call.
class NameIndex {
 public:
  [[nodiscard]] static std::uint64_t hash(std::string_view name);

  /// Reserves room for `count` names, at most two million, because `count` may be a wrong guess.
  void reserve(std::size_t count);
  /// Starts to load the slot of `hash` into the cache.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & mask_]);
  }

  /// The op called `name`, or an invalid id.
  template <typename NameOf>
  [[nodiscard]] OpId find(std::uint64_t hash, std::string_view name, const NameOf& name_of) const {
    if (slots_.empty()) return {};
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at];
      if (slot == kEmpty) return {};
      if (tag(slot) == tag(hash) && name_of(id(slot)) == name) return id(slot);
    }
  }

  /// Adds `op` and returns an invalid id; if the name is taken, adds nothing and returns its op.
  template <typename NameOf>
  OpId insert(std::uint64_t hash, OpId op, const NameOf& name_of) {
    if ((count_ + 1) * 2 > slots_.size()) grow(name_of);
    const std::string_view name = name_of(op);
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at];
      if (slot == kEmpty) {
        slots_[at] = pack(hash, op);
        ++count_;
        return {};
      }
      if (tag(slot) == tag(hash) && name_of(id(slot)) == name) return id(slot);
    }
  }

 private:
  // A slot holds the upper half of the hash and the id + 1; zero is empty.
  static constexpr std::uint64_t kEmpty = 0;
  static std::uint64_t pack(std::uint64_t hash, OpId op) {
    return (hash & 0xffffffff00000000ULL) | (std::uint64_t{op.value} + 1);
  }
  static std::uint32_t tag(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); }
  static OpId id(std::uint64_t slot) { return OpId{static_cast<std::uint32_t>(slot) - 1}; }

  template <typename NameOf>
  void grow(const NameOf& name_of) {
    std::vector<std::uint64_t> old = std::move(slots_);
    resize(old.empty() ? 64 : old.size() * 2);
    for (const std::uint64_t slot : old) {
      if (slot != kEmpty) place(hash(name_of(id(slot))), slot);
    }
  }
  void resize(std::size_t slots);
  void place(std::uint64_t hash, std::uint64_t slot);

  std::vector<std::uint64_t> slots_;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace tideline
