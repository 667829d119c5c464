// The texts of a log as they are shown: decoded, and with what is hidden in them made visible.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/events/event_log.h"
#include "render/model/log_images.h"
#include "render/model/ui_model.h"

namespace tideline::ui {

/// A row of text, printable.
struct ShownText {
  std::string first_line;          ///< cut short
  std::string text;                ///< what `lines` are of, as it was written
  std::vector<std::string> lines;  ///< at most kMostTextBytes of all lines together
  /// The cells of a tensor of several columns, by row; as many as `lines` has of it, and at most
  /// kMostTextColumns.
  std::vector<std::vector<std::string>> table;
  std::size_t left_out = 0;  ///< bytes behind these
  std::string problem;       ///< why it cannot be read; else empty
};
inline constexpr std::size_t kMostTextBytes = 16'384;
inline constexpr std::size_t kMostTextColumns = 60;
/// A longer row is not decoded: it would hold up a frame.
inline constexpr std::size_t kMostTextRowBytes = std::size_t{4} << 20U;

/// The text of a row; the cells of a table are separated by bars. Cost: O(bytes). Thread: pure.
[[nodiscard]] ShownText shown_text(const events::EventLog& log, const events::ValueRow& row);

/// The rows that were shown last. Thread: the UI's.
class LogTexts {
 public:
  /// `log` may be null.
  void update(const std::shared_ptr<const LogContents>& log);
  /// Valid until the next call. Precondition: the row is there. Cost: O(bytes) for a new one.
  [[nodiscard]] const ShownText& row(LogRowKey key);

 private:
  std::shared_ptr<const LogContents> log_;
  std::map<LogRowKey, ShownText> kept_;
};

}  // namespace tideline::ui
