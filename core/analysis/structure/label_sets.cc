#include "core/analysis/structure/label_sets.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tideline {

LabelSets::LabelSets() {
  sets_.push_back(nullptr);  // kEverything has no list of members
  intern({});
}

LabelSets::Id LabelSets::intern(Set set) {
  if (set.size() > kMostLabels) {
    set.erase(set.begin(), set.end() - static_cast<std::ptrdiff_t>(kMostLabels));
  }
  const auto [entry, added] = ids_.emplace(std::move(set), static_cast<Id>(sets_.size()));
  if (added) sets_.push_back(&entry->first);
  return entry->second;
}

LabelSets::Id LabelSets::single(std::uint32_t label) {
  const auto known = singles_.find(label);
  if (known != singles_.end()) return known->second;
  const Id id = intern({label});
  singles_.emplace(label, id);
  return id;
}

template <typename Combine>
LabelSets::Id LabelSets::combined(std::uint64_t operation, Id a, Id b, const Combine& combine) {
  if (a > b) std::swap(a, b);
  // Ids stay far below 2^31: each is the set of some op.
  const std::uint64_t key = (operation << 62U) | (static_cast<std::uint64_t>(a) << 31U) | b;
  const auto known = memo_.find(key);
  if (known != memo_.end()) return known->second;
  Set set;
  combine(members(a), members(b), std::back_inserter(set));
  const Id id = intern(std::move(set));
  memo_.emplace(key, id);
  return id;
}

LabelSets::Id LabelSets::common(Id a, Id b) {
  if (a == kEverything || a == b) return b;
  if (b == kEverything) return a;
  if (a == kNothing || b == kNothing) return kNothing;
  return combined(0, a, b, [](const Set& x, const Set& y, auto out) {
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), out);
  });
}

LabelSets::Id LabelSets::either(Id a, Id b) {
  if (a == kEverything || b == kEverything) return kEverything;
  if (a == b) return kNothing;
  if (a == kNothing) return b;
  if (b == kNothing) return a;
  return combined(1, a, b, [](const Set& x, const Set& y, auto out) {
    std::set_symmetric_difference(x.begin(), x.end(), y.begin(), y.end(), out);
  });
}

LabelSets::Id LabelSets::any(Id a, Id b) {
  if (a == kEverything) a = kNothing;
  if (b == kEverything) b = kNothing;
  if (a == b || b == kNothing) return a;
  if (a == kNothing) return b;
  return combined(2, a, b, [](const Set& x, const Set& y, auto out) {
    std::set_union(x.begin(), x.end(), y.begin(), y.end(), out);
  });
}

}  // namespace tideline
