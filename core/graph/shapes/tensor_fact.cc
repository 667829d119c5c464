#include "core/graph/shapes/tensor_fact.h"

namespace tideline {

std::uint32_t Cells::of(OpId owner, DimsId fixed_content) {
  const auto [entry, is_new] = by_owner_.try_emplace(owner.value, count());
  if (is_new) {
    Cell cell;
    cell.owner = owner;
    cell.is_fixed = fixed_content != kNothing;
    if (cell.is_fixed) cell.content = {fixed_content, kNothing, {}};
    cells_.push_back(std::move(cell));
  }
  return entry->second;
}

void Cells::add_reader(std::uint32_t cell, OpId reader) {
  if (readings_.insert(std::uint64_t{cell} << 32U | reader.value).second) {
    cells_[cell].readers.push_back(reader);
  }
}

DimsId join_lists(DimLists& lists, DimsId a, DimsId b) {
  if (a == b || b == kPending) return a;
  if (a == kPending) return b;
  const Dims* left = lists.find(a);
  const Dims* right = lists.find(b);
  if (left == nullptr || right == nullptr || left->size() != right->size()) return kNothing;
  Dims joined(left->size());
  for (std::size_t i = 0; i < joined.size(); ++i) joined[i] = join((*left)[i], (*right)[i]);
  return lists.id(joined);
}

Handle join_handles(DimLists& lists, Handle a, Handle b) {
  if (a == b) return a;
  if (!a.has_content() || !b.has_content()) return {};
  return Handle::of_content(join_lists(lists, a.value(), b.value()),
                            join_lists(lists, a.length(), b.length()),
                            a.type() == b.type() ? a.type() : DataType::kInvalid);
}

TensorFact join_facts(DimLists& lists, const TensorFact& a, const TensorFact& b) {
  if (a == b || b.shape == kPending) return a;
  if (a.shape == kPending) return b;
  return {join_lists(lists, a.shape, b.shape), join_lists(lists, a.value, b.value),
          join_handles(lists, a.handle, b.handle)};
}

DimsId meet_lists(DimLists& lists, DimsId a, DimsId b, bool& agree) {
  if (a == b || b == kNothing || b == kPending) return a;
  if (a == kNothing || a == kPending) return b;
  const Dims& left = *lists.find(a);
  const Dims& right = *lists.find(b);
  if (left.size() != right.size()) {
    agree = false;
    return a;
  }
  Dims met(left.size());
  for (std::size_t i = 0; i < met.size(); ++i) {
    const auto dim = meet(left[i], right[i]);
    if (!dim) {
      agree = false;
      return a;
    }
    met[i] = *dim;
  }
  const DimsId id = lists.id(met);
  return id == kNothing ? a : id;
}

}  // namespace tideline
