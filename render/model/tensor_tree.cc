// Tested by unit/model/tensor_tree_test.cc.
#include "render/model/tensor_tree.h"

#include <algorithm>

namespace tideline::ui {
namespace {

// The length of the first part of `name` from `from` on, without the separator. Separators at the
// front belong to the part.
std::size_t part_length(std::string_view name, std::size_t from, char separator) {
  const std::size_t begin = name.find_first_not_of(separator, from);
  if (begin == std::string_view::npos) return name.size() - from;
  return std::min(name.find(separator, begin), name.size()) - from;
}

bool is_below(std::string_view name, std::string_view prefix, char separator) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         name[prefix.size()] == separator;
}

}  // namespace

TensorTree::TensorTree(std::span<const std::string> names, std::span<const Bytes> bytes) {
  const bool has_slash = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.find('/') != std::string::npos;
  });
  separator_ = has_slash ? '/' : '.';
  // Sorted names with a common part need not be neighbours: "a", "a.b", "a/b". By parts they are.
  std::vector<std::uint32_t> order(names.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto by_parts = [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(
        names[a].begin(), names[a].end(), names[b].begin(), names[b].end(), [&](char x, char y) {
          if (x == separator_ || y == separator_) return x == separator_ && y != separator_;
          return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
        });
  };
  std::stable_sort(order.begin(), order.end(), by_parts);
  // An explicit stack: names may have any number of parts.
  struct Open {
    std::uint32_t node;
    std::size_t end;  // of the prefix in the names below it
  };
  std::vector<Open> open;
  std::string_view last;
  for (const std::uint32_t tensor : order) {
    const std::string_view name = names[tensor];
    while (!open.empty() && !is_below(name, last.substr(0, open.back().end), separator_)) {
      nodes_[open.back().node].end = static_cast<std::uint32_t>(nodes_.size());
      open.pop_back();
    }
    std::size_t at = open.empty() ? 0 : open.back().end + 1;
    while (true) {
      const std::size_t length = part_length(name, at, separator_);
      const bool is_whole = at + length >= name.size();
      Node node;
      node.label = name.substr(at, length);
      node.depth = static_cast<std::int32_t>(open.size());
      if (is_whole) node.tensor = static_cast<std::int32_t>(tensor);
      open.push_back({static_cast<std::uint32_t>(nodes_.size()), at + length});
      nodes_.push_back(std::move(node));
      if (is_whole) break;
      at += length + 1;
    }
    for (const Open& above : open) {
      ++nodes_[above.node].tensor_count;
      nodes_[above.node].bytes = saturating_add(nodes_[above.node].bytes, bytes[tensor]);
    }
    last = name;
  }
  for (const Open& above : open) {
    nodes_[above.node].end = static_cast<std::uint32_t>(nodes_.size());
  }
  join_single_parts();
}

void TensorTree::join_single_parts() {
  std::vector<Node> joined;
  struct Open {
    std::uint32_t node;  // in `joined`
    std::uint32_t end;   // in `nodes_`
  };
  std::vector<Open> open;
  const auto close_at = [&](std::uint32_t at) {
    while (!open.empty() && open.back().end <= at) {
      joined[open.back().node].end = static_cast<std::uint32_t>(joined.size());
      open.pop_back();
    }
  };
  const auto count = static_cast<std::uint32_t>(nodes_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    close_at(i);
    Node node = std::move(nodes_[i]);
    while (node.tensor == kNone && i + 1 < count && nodes_[i + 1].end == node.end) {
      ++i;
      node.label += separator_ + nodes_[i].label;
      node.tensor = nodes_[i].tensor;
    }
    node.depth = static_cast<std::int32_t>(open.size());
    open.push_back({static_cast<std::uint32_t>(joined.size()), node.end});
    joined.push_back(std::move(node));
  }
  close_at(count);
  nodes_ = std::move(joined);
}

std::vector<std::uint32_t> TensorTree::seen(std::span<const std::uint32_t> closed,
                                            const std::vector<bool>& is_wanted) const {
  std::vector<std::uint32_t> rows;
  if (is_wanted.empty()) {
    for (std::uint32_t i = 0; i < nodes_.size();) {
      rows.push_back(i);
      const bool is_closed = std::binary_search(closed.begin(), closed.end(), i);
      i = is_closed ? nodes_[i].end : i + 1;
    }
    return rows;
  }
  std::vector<std::uint32_t> wanted_before(nodes_.size() + 1, 0);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const std::int32_t tensor = nodes_[i].tensor;
    const bool is_one = tensor != kNone && is_wanted[static_cast<std::size_t>(tensor)];
    wanted_before[i + 1] = wanted_before[i] + (is_one ? 1 : 0);
  }
  for (std::uint32_t i = 0; i < nodes_.size();) {
    const bool has_any = wanted_before[nodes_[i].end] > wanted_before[i];
    if (has_any) rows.push_back(i);
    i = has_any ? i + 1 : nodes_[i].end;
  }
  return rows;
}

}  // namespace tideline::ui
