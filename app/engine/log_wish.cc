// Tested by unit/engine/log_wish_test.cc.
#include "app/engine/log_wish.h"

#include <algorithm>
#include <set>

#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

constexpr std::size_t kMostListedNames = 12;

std::string list(const std::set<std::string>& names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (count++ == kMostListedNames)
      return text + fmt::format(" and {} more", names.size() - kMostListedNames);
    text += (text.empty() ? "'" : ", '") + printable(name) + "'";
  }
  return text.empty() ? "none" : text;
}

}  // namespace

Result<StepRange> parse_steps(std::string_view text) {
  StepRange range;
  const std::size_t colon = text.find(':');
  const std::string_view first = text.substr(0, colon);
  const std::string_view last = colon == std::string_view::npos ? first : text.substr(colon + 1);
  const auto from = first.empty() ? range.first : parse_as<std::int64_t>(first);
  const auto to = last.empty() ? range.last : parse_as<std::int64_t>(last);
  if (text.empty() || text == ":" || !from || !to || *from > *to) {
    return fail(Code::kInvalidArgument, "expected a range of steps like 10:20, 10: or :20, not {}",
                printable(text));
  }
  return StepRange{*from, *to};
}

Result<std::vector<const events::Series*>> wanted_series(
    const events::EventLog& log, const LogWish& wish, std::span<const events::SeriesKind> kinds) {
  std::vector<const events::Series*> wanted;
  std::set<std::string> tags;
  bool has_run = false;
  for (const std::string& run : log.runs()) has_run = has_run || wish.wants_run(run);
  if (!has_run && wish.run) {
    return fail(Code::kNotFound, "--run '{}' matches none of the runs; there are: {}",
                printable(wish.run->text()), list({log.runs().begin(), log.runs().end()}));
  }
  for (const std::uint32_t index : log.sorted_series()) {
    const events::Series& series = log.series()[index];
    if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), series.kind) == kinds.end()) {
      continue;
    }
    if (!wish.wants_run(log.runs()[series.run])) continue;
    tags.insert(series.tag);
    if (wish.wants_tag(series.tag)) wanted.push_back(&series);
  }
  if (wanted.empty() && wish.tag) {
    return fail(Code::kNotFound, "--tag '{}' matches none of the tags; there are: {}",
                printable(wish.tag->text()), list(tags));
  }
  return wanted;
}

}  // namespace tideline::app
