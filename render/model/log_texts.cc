// Tested by tests/unit/model/log_texts_test.cc.
#include "render/model/log_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/events/row_reader.h"
#include "core/events/row_values.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kFirstLineBytes = 200;
constexpr std::size_t kMostKeptTexts = 500;

// Not in the middle of a character.
std::string_view cut_text(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

}  // namespace

ShownText shown_text(const events::EventLog& log, const events::ValueRow& row) {
  ShownText shown;
  if (row.size > kMostTextRowBytes) {
    shown.problem = fmt::format("{} of text; tideline log text prints it", format_bytes(row.size));
    return shown;
  }
  const auto content = events::RowReader(log).read(row);
  if (!content) {
    shown.problem = content.error().message;
    return shown;
  }
  const auto table = events::text_values(*content);
  if (!table) {
    shown.problem = table.error().message;
    return shown;
  }
  std::string whole;
  for (std::size_t i = 0; i < table->texts.size(); ++i) {
    if (i > 0) whole += i % table->columns == 0 ? "\n" : " | ";
    const std::string_view text = table->texts[i];
    const std::string_view part =
        cut_text(text, kMostTextBytes - std::min(kMostTextBytes, whole.size()));
    whole += part;
    if (table->columns < 2) shown.text.append(i > 0 ? "\n\n" : "").append(part);
    shown.left_out += text.size() - part.size();
    const std::size_t column = i % table->columns;
    if (table->columns < 2 || whole.size() >= kMostTextBytes) continue;
    if (column == 0) shown.table.emplace_back();
    if (column < kMostTextColumns) {
      shown.table.back().push_back(printable(part, kMostTextBytes));
    } else {
      shown.left_out += part.size();
    }
  }
  std::string_view rest = whole;
  while (!rest.empty()) {
    std::string_view line = take_until(rest, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    shown.lines.push_back(printable(line, kMostTextBytes));
  }
  if (!shown.lines.empty()) {
    shown.first_line = std::string(cut_text(shown.lines.front(), kFirstLineBytes));
  }
  return shown;
}

void LogTexts::update(const std::shared_ptr<const LogContents>& log) {
  if (log == log_) return;
  // What was appended changes no row that was there, unless it is of a writer that takes turns.
  if (log == nullptr || log_ == nullptr || log->path != log_->path || log->order != log_->order) {
    kept_.clear();
  }
  log_ = log;
}

const ShownText& LogTexts::row(LogRowKey key) {
  if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  if (kept_.size() >= kMostKeptTexts) kept_.clear();  // those that are visible come again
  const events::Series& series = log_->events->series()[key.series];
  return kept_[key] = shown_text(*log_->events, series.rows[key.row]);
}

}  // namespace tideline::ui
