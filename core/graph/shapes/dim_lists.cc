#include "core/graph/shapes/dim_lists.h"

namespace tideline {

std::size_t DimLists::Hash::operator()(const Dims& dims) const {
  std::uint64_t hash = dims.size();
  for (const Dim dim : dims) {
    hash = (hash ^ dim.hash()) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

DimLists::DimLists() : ids_(64, Hash{this}, Equal{this}) {
  lists_.emplace_back();  // kNothing
  lists_.emplace_back();  // scalar()
  ids_.insert(scalar());
}

DimsId DimLists::id(const Dims& dims) {
  if (const auto known = ids_.find(dims); known != ids_.end()) return *known;
  if (dims.size() > kMaxLength || total_ + dims.size() > kMaxTotal) return kNothing;
  total_ += dims.size();
  const auto next = static_cast<DimsId>(lists_.size());
  lists_.push_back(dims);
  ids_.insert(next);
  return next;
}

}  // namespace tideline
