// Tested by unit/actions/commands_bookmark_test.cc.
#include "app/actions/bookmarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/actions/arguments.h"
#include "app/actions/script.h"
#include "core/base/text.h"
#include "render/view/views.h"

namespace tideline::app {
namespace {

// As view.range takes it.
double last_of(ui::AxisRange range) {
  return range.first + range.span - 1;
}

}  // namespace

std::string place_text(const ui::Bookmark& bookmark) {
  std::string text(ui::view_of(bookmark.tab).word);
  if (bookmark.tab == ui::Tab::kMemory)
    text += fmt::format(" {}", ui::kAxisWords.at(static_cast<std::size_t>(bookmark.memory_axis)));
  if (bookmark.range.span > 0)
    text += fmt::format(" {} {}", bookmark.range.first, last_of(bookmark.range));
  return text;
}

Result<ui::Bookmark> read_place(std::string_view text) {
  const auto refuse = [&] {
    return fail(Code::kInvalidArgument,
                "'{}': expected a place such as levels, 'levels 10 40' or 'memory step'",
                printable(text));
  };
  TIDELINE_TRY(const std::vector<std::string> words, split_words(text));
  ui::Bookmark place;
  const auto* view = words.empty() ? nullptr : render::find_view(words.front());
  if (view == nullptr) return refuse();
  place.tab = ui::tab_of(*view);
  std::size_t at = 1;
  if (place.tab == ui::Tab::kMemory && words.size() > 1) {
    const auto axis = std::find(ui::kAxisWords.begin(), ui::kAxisWords.end(), words[at]);
    if (axis == ui::kAxisWords.end()) return refuse();
    place.memory_axis = ui::axis_of_word(words[at++]);
  }
  if (at == words.size()) return place;
  if (words.size() - at != 2) return refuse();
  const auto first = parse_decimal(words[at]), last = parse_decimal(words[at + 1]);
  if (!first || !last || *first < 0 || !(*last - *first + 1 > 0)) return refuse();
  place.range = {*first, *last - *first + 1};
  return place;
}

std::string bookmark_text(const ui::Bookmark& bookmark) {
  std::string text(ui::view_of(bookmark.tab).title);
  if (bookmark.range.span > 0)
    text += fmt::format(" {:.0f} to {:.0f}", bookmark.range.first, last_of(bookmark.range));
  if (!bookmark.op.empty()) text += ", " + printable(bookmark.op);
  return text;
}

}  // namespace tideline::app
