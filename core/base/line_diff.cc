// The longest common subsequence of lines by dynamic programming (Wagner and Fischer, "The
// string-to-string correction problem", J. ACM 21, 1974), after the lines that both texts begin and
// end with have been set aside: two versions of an op have most of them in common. Tested by
// unit/base/line_diff_test.cc.
#include "core/base/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace tideline {
namespace {

constexpr std::size_t kMostCells = 4'000'000;

using Lines = std::span<const std::string_view>;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void add(Lines lines, DiffLine::Kind kind, std::vector<DiffLine>& to) {
  for (const std::string_view line : lines) to.push_back({kind, line});
}

// Texts that begin and end differently.
void add_middle(Lines before, Lines after, std::vector<DiffLine>& to) {
  const std::size_t n = before.size(), m = after.size();
  if ((n + 1) * (m + 1) > kMostCells) {
    add(before, DiffLine::Kind::kRemoved, to);
    add(after, DiffLine::Kind::kAdded, to);
    return;
  }
  // By (i, j): how many lines the rests from there have in common.
  std::vector<std::uint32_t> common((n + 1) * (m + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * (m + 1) + j];
  };
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;) {
      at(i, j) =
          before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  std::size_t i = 0, j = 0;
  while (i < n && j < m) {
    if (before[i] == after[j]) {
      to.push_back({DiffLine::Kind::kSame, before[i]});
      ++i, ++j;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      to.push_back({DiffLine::Kind::kRemoved, before[i++]});
    } else {
      to.push_back({DiffLine::Kind::kAdded, after[j++]});
    }
  }
  add(before.subspan(i), DiffLine::Kind::kRemoved, to);
  add(after.subspan(j), DiffLine::Kind::kAdded, to);
}

}  // namespace

std::vector<DiffLine> diff_lines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> had = lines_of(before), has = lines_of(after);
  const std::size_t shorter = std::min(had.size(), has.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && had[head] == has[head]) ++head;
  while (tail < shorter - head && had[had.size() - 1 - tail] == has[has.size() - 1 - tail]) ++tail;
  std::vector<DiffLine> lines;
  lines.reserve(had.size() + has.size());
  add(Lines(had).first(head), DiffLine::Kind::kSame, lines);
  add_middle(Lines(had).subspan(head, had.size() - head - tail),
             Lines(has).subspan(head, has.size() - head - tail), lines);
  add(Lines(had).last(tail), DiffLine::Kind::kSame, lines);
  return lines;
}

}  // namespace tideline
