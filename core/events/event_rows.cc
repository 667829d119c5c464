#include "core/events/event_rows.h"

#include <algorithm>
#include <iterator>

namespace tideline::events {

void KeptBytes::add(std::string_view content, ValueRow& row) {
  constexpr std::size_t kChunkBytes = std::size_t{1} << 18U;
  if (chunks_.empty() || chunks_.back()->capacity() - chunks_.back()->size() < content.size()) {
    chunks_.push_back(std::make_shared<std::string>());
    chunks_.back()->reserve(std::max(std::min(hint_, kChunkBytes), content.size()));
  }
  std::string& chunk = *chunks_.back();
  row.chunk = static_cast<std::uint32_t>(chunks_.size() - 1);
  row.chunk_begin = static_cast<std::uint32_t>(chunk.size());
  chunk += content;
}

std::uint32_t KeptBytes::take(KeptBytes&& other) {
  const auto before = static_cast<std::uint32_t>(chunks_.size());
  std::move(other.chunks_.begin(), other.chunks_.end(), std::back_inserter(chunks_));
  other.chunks_.clear();
  return before;
}

std::size_t KeptBytes::bytes() const {
  std::size_t sum = 0;
  for (const auto& chunk : chunks_) sum += chunk->capacity();
  return sum;
}

}  // namespace tideline::events
