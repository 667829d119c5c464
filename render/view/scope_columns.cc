// Problem: the children of an opened scope are to be read from left to right, their edges short,
// without the layered graph layout that takes others minutes. Idea: the children come sorted by
// level, so edges against that order are the few of a cycle between scopes and can be ignored, and
// a column is one more than that of the last child that is read: one sweep. A second sweep brings
// children that read nothing (variables, constants) to the column before their first reader. Within
// a column children stand at the mean height of what they read. Columns that are too high are
// parted; a flow that is many times as long as high is broken into lines, as text is, so that a
// chain of 200 blocks is a page and no thin thread.
// Example: a -> b -> c, v -> b: the columns are {a, v}, {b}, {c}.
// Cost: O(n log n + edges). Limits: edges cross other children; the order in a column follows one
// sweep only. Source: own; longest-path layering and the barycentre rule of K. Sugiyama, S. Tagawa
// and M. Toda, Methods for visual understanding of hierarchical system structures, 1981. Tested by
// unit/view/scope_columns_test.cc.
#include "render/view/scope_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tideline::render {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr float kShape = 2.2F;     // along to across, of a page
constexpr float kLongShape = 4;    // from which on lines are broken
constexpr float kPartGap = 1.2F;   // between the parts of a column
constexpr float kLineGap = 2.2F;   // between lines
constexpr float kLeastAlong = 30;  // of the strip of those aside
constexpr std::size_t kLeastAColumn = 4;
constexpr std::size_t kLeastBroken = 7;  // columns
constexpr std::size_t kMostLines = 64;

struct Column {
  std::vector<std::uint32_t> items;
  float along = 0, across = 0;
  bool is_continued = false;  // the next one is a part of the same
};

class Placer {
 public:
  Placer(std::span<const ColumnItem> items, std::span<const ColumnEdge> edges)
      : items_(items), rank_(items.size()), middle_(items.size()) {
    for (const ColumnEdge& edge : edges) {
      if (edge.from < edge.to && !items[edge.from].is_aside && !items[edge.to].is_aside)
        edges_.push_back(edge);
    }
    std::sort(edges_.begin(), edges_.end());
    placed_.at.resize(items.size());
  }

  Columns place() {
    rank();
    make_columns();
    const std::vector<std::size_t> lines = break_lines();
    for (std::size_t line = 0; line + 1 < lines.size(); ++line) {
      if (line > 0) placed_.across += kLineGap;
      place_line(lines[line], lines[line + 1]);
    }
    place_aside();
    return std::move(placed_);
  }

 private:
  // Edges are sorted by `from` and lead to larger items, so each is seen when its `from` is final.
  void rank() {
    std::vector<bool> reads(items_.size());
    for (const ColumnEdge& edge : edges_) {
      rank_[edge.to] = std::max(rank_[edge.to], rank_[edge.from] + 1);
      reads[edge.to] = true;
    }
    std::vector<std::uint32_t> first_reader(items_.size(), kNone);
    for (const ColumnEdge& edge : edges_)
      first_reader[edge.from] = std::min(first_reader[edge.from], rank_[edge.to]);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!reads[i] && first_reader[i] != kNone) rank_[i] = first_reader[i] - 1;
    }
  }

  void make_columns() {
    std::uint32_t last = 0;
    for (const std::uint32_t rank : rank_) last = std::max(last, rank);
    std::vector<std::vector<std::uint32_t>> by_rank(last + 1);
    double area = 0;
    float most = 0;
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      const ColumnItem& item = items_[i];
      if (item.is_aside) continue;
      by_rank[rank_[i]].push_back(i);
      area += static_cast<double>(item.along + kPartGap) * (item.across + kItemGap);
      most = std::max(most, item.across);
    }
    most = std::max(most, static_cast<float>(std::sqrt(area / kShape)));
    std::vector<ColumnEdge> by_reader = edges_;
    std::sort(by_reader.begin(), by_reader.end(), [](const ColumnEdge& a, const ColumnEdge& b) {
      return std::pair(a.to, a.from) < std::pair(b.to, b.from);
    });
    for (std::vector<std::uint32_t>& items : by_rank) {
      if (items.empty()) continue;
      order(items, by_reader);
      part(items, most);
    }
  }

  // By the mean height of what is read; those that read nothing come last.
  void order(std::vector<std::uint32_t>& items, const std::vector<ColumnEdge>& by_reader) {
    std::vector<std::pair<float, std::uint32_t>> wishes;
    for (const std::uint32_t item : items) {
      auto edge = std::partition_point(by_reader.begin(), by_reader.end(),
                                       [&](const ColumnEdge& e) { return e.to < item; });
      float sum = 0, count = 0;
      for (; edge != by_reader.end() && edge->to == item; ++edge, ++count)
        sum += middle_[edge->from];
      wishes.emplace_back(count > 0 ? sum / count : std::numeric_limits<float>::max(), item);
    }
    std::sort(wishes.begin(), wishes.end());
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = wishes[i].second;
  }

  void part(const std::vector<std::uint32_t>& items, float most) {
    columns_.emplace_back();
    for (const std::uint32_t item : items) {
      Column* column = &columns_.back();
      const float across = column->across + kItemGap + items_[item].across;
      if (across > most && column->items.size() >= kLeastAColumn) {
        finish(*column);
        column->is_continued = true;
        column = &columns_.emplace_back();
      }
      if (!column->items.empty()) column->across += kItemGap;
      column->across += items_[item].across;
      column->along = std::max(column->along, items_[item].along);
      column->items.push_back(item);
    }
    finish(columns_.back());
  }

  // Heights from the middle of the line on.
  void finish(const Column& column) {
    float at = -column.across / 2;
    for (const std::uint32_t item : column.items) {
      middle_[item] = at + items_[item].across / 2;
      at += items_[item].across + kItemGap;
    }
  }

  [[nodiscard]] float gap_after(std::size_t column) const {
    return columns_[column].is_continued ? kPartGap : kColumnGap;
  }

  // The columns where lines begin, and their number, if no line is longer than `most` (but for a
  // single column).
  [[nodiscard]] std::vector<std::size_t> lines_of(float most) const {
    std::vector<std::size_t> starts = {0};
    float along = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_whole = i == 0 || !columns_[i - 1].is_continued;
      if (along + columns_[i].along > most && i > starts.back() && is_whole) {
        starts.push_back(i);
        along = 0;
      }
      along += columns_[i].along + gap_after(i);
    }
    starts.push_back(columns_.size());
    return starts;
  }

  // Along and across.
  [[nodiscard]] Point size_of(const std::vector<std::size_t>& starts) const {
    Point size;
    for (std::size_t line = 0; line + 1 < starts.size(); ++line) {
      float along = 0, across = 0;
      for (std::size_t i = starts[line]; i < starts[line + 1]; ++i) {
        along += columns_[i].along + (i + 1 < starts[line + 1] ? gap_after(i) : 0);
        across = std::max(across, columns_[i].across);
      }
      size.x = std::max(size.x, along);
      size.y += across + (line > 0 ? kLineGap : 0);
    }
    return size;
  }

  [[nodiscard]] std::vector<std::size_t> break_lines() const {
    std::vector<std::size_t> starts = lines_of(std::numeric_limits<float>::max());
    const Point whole = size_of(starts);
    if (columns_.size() < kLeastBroken || whole.x < kLongShape * whole.y) return starts;
    const auto shape_of = [&](const std::vector<std::size_t>& lines) {
      const Point size = size_of(lines);
      return std::abs(std::log(size.x / size.y / kShape));
    };
    for (std::size_t count = 2; count <= kMostLines; ++count) {
      std::vector<std::size_t> next = lines_of(whole.x / static_cast<float>(count));
      if (shape_of(next) > shape_of(starts)) break;
      starts = std::move(next);
    }
    return starts;
  }

  void place_line(std::size_t begin, std::size_t end) {
    float across = 0;
    for (std::size_t i = begin; i < end; ++i) across = std::max(across, columns_[i].across);
    float along = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Column& column = columns_[i];
      for (const std::uint32_t item : column.items) {
        placed_.at[item] = {along + (column.along - items_[item].along) / 2,
                            placed_.across + across / 2 + middle_[item] - items_[item].across / 2};
      }
      along += column.along;
      placed_.along = std::max(placed_.along, along);
      along += gap_after(i);
    }
    placed_.across += across;
  }

  void place_aside() {
    const float most = std::max(placed_.along, kLeastAlong);
    Point at;
    float line = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!items_[i].is_aside) continue;
      if (line == 0) {
        placed_.aside_across = placed_.across + kLineGap;
        at.y = placed_.aside_across + kLineGap;
      } else if (at.x + items_[i].along > most) {
        at = {0, at.y + line + kItemGap};
        line = 0;
      }
      placed_.at[i] = at;
      at.x += items_[i].along + kPartGap;
      line = std::max(line, items_[i].across);
      placed_.along = std::max(placed_.along, at.x - kPartGap);
      placed_.across = at.y + line;
    }
  }

  std::span<const ColumnItem> items_;
  std::vector<ColumnEdge> edges_;  // those that count, sorted
  std::vector<std::uint32_t> rank_;
  std::vector<float> middle_;  // of the item, from the middle of its line on
  std::vector<Column> columns_;
  Columns placed_;
};

}  // namespace

Columns place_in_columns(std::span<const ColumnItem> items, std::span<const ColumnEdge> edges) {
  return Placer(items, edges).place();
}

}  // namespace tideline::render
