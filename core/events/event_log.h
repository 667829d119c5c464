// An event log in memory: all points of all tags, in columns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/growing_array.h"
#include "core/base/progress.h"
#include "core/events/event_rows.h"
#include "core/events/log_folder.h"
#include "core/events/record_blocks.h"
#include "core/events/row_order.h"

namespace tideline::events {

/// What a series shows. Those from kGraph on are not about values of training.
enum class SeriesKind : std::uint8_t {
  kScalar,
  kHistogram,
  kImage,
  kAudio,
  kText,
  kTensor,   ///< of a plugin without a kind of its own, or of none
  kHparams,  ///< the content is in the metadata
  kOther,    ///< tags without content, and histograms of a form that nobody reads any more
  kGraph,
  kMetaGraph,
  kRunMetadata,
  kKerasGraph,  ///< of layers, in JSON
  kSessionLog,
  kLogMessage,
  kFileVersion,
};
/// "scalar", "histogram", ..., "run_metadata": as printed and as in JSON.
[[nodiscard]] const char* kind_name(SeriesKind kind);

/// All rows of a tag in a run: scalars have `points`, all others `rows`. Both are in the order in
/// which they were added; EventLog::sort_rows brings them into the order of order_of_rows.
struct Series {
  std::uint32_t run = 0;
  std::string tag;
  SeriesKind kind = SeriesKind::kOther;
  std::string plugin;    ///< that displays it; empty for values of TensorFlow 1
  std::string metadata;  ///< the first encoded SummaryMetadata; empty without
  GrowingArray<ScalarPoint> points;
  GrowingArray<ValueRow> rows;
  /// Rows at which a training began again from a checkpoint, at an earlier step. Nothing is
  /// removed.
  std::vector<std::uint64_t> restarts;
  std::vector<FilePart> parts;  ///< the files that the rows are of

  [[nodiscard]] std::size_t size() const { return points.size() + rows.size(); }
  [[nodiscard]] std::int64_t step(std::size_t row) const {
    return kind == SeriesKind::kScalar ? points[row].step : rows[row].step;
  }
  [[nodiscard]] double wall_time(std::size_t row) const {
    return kind == SeriesKind::kScalar ? points[row].wall_time : rows[row].wall_time;
  }
};

/// A file of the log and what was read of it.
struct LogFile {
  EventFile file;
  std::uint32_t run = 0;
  std::int64_t records = 0;  ///< that hold an event
  TimeRange time;            ///< of its values
  bool has_ended = false;    ///< at damage; nothing behind it is read
};

/// Damage of a file: its bytes from `record.at` on are lost, or `record.bytes` of them.
struct FileDamage {
  std::uint32_t file = 0;
  RecordDamage record;
};

/// Rows read and rows refused are together the rows in the files: a summary has a row for each of
/// its values, any other event one, an event without content none.
struct LogCounts {
  std::int64_t records = 0;          ///< that hold an event
  std::int64_t refused_records = 0;  ///< with sound checksums, but no event in them
  std::int64_t empty_events = 0;
  std::int64_t rows = 0;
  std::int64_t refused_rows = 0;
};

/// What was read of a log so far. Memory: at most 40 bytes a scalar point; 72 bytes for any other
/// row, and for those that decode_events copies their content. A copy of the log shares the
/// contents but not the columns: its cost is O(rows). Thread: not shared while `add` is called, but
/// its copies are.
class EventLog {
 public:
  /// Appends the rows of a block. Blocks of a file must come in its order, and files in the order
  /// of LogSource. Rows behind damage are dropped. Cost: O(rows).
  void add(EventRows&& rows);
  /// Sets name and run of the file `index`, before its rows are added.
  void add_file(std::uint32_t index, const EventFile& file);
  /// Of a file whose rows before it were added; ignored behind earlier damage.
  void add_damage(const FileDamage& damage);
  void add_diagnostics(const Diagnostics& diagnostics);
  /// Puts values that several files of a run hold in order, after rows were added: see
  /// order_of_rows. Returns whether a row moved. Cost: O(series), and O(rows log rows) for the
  /// series whose files overlap in time.
  bool sort_rows();

  [[nodiscard]] bool has_ended(std::uint32_t file) const {
    return file < files_.size() && files_[file].has_ended;
  }
  /// Names of runs, in the order in which they were met.
  [[nodiscard]] const std::vector<std::string>& runs() const { return runs_; }
  /// In the order in which they were met.
  [[nodiscard]] const std::vector<Series>& series() const { return series_; }
  /// Indices into `series`, sorted by run, tag and kind.
  [[nodiscard]] std::vector<std::uint32_t> sorted_series() const;
  [[nodiscard]] const std::vector<LogFile>& files() const { return files_; }
  [[nodiscard]] const std::vector<FileDamage>& damage() const { return damage_; }
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }
  [[nodiscard]] const LogCounts& counts() const { return counts_; }
  /// Bytes of memory that the columns and copies take.
  [[nodiscard]] std::size_t memory() const;

  /// The copy of a row's content; nullopt without one. RowReader reads any row.
  [[nodiscard]] std::optional<std::string_view> copy_of(const ValueRow& row) const {
    if (row.chunk == ValueRow::kNotKept) return std::nullopt;
    return kept_.at(row);
  }

 private:
  using Key = std::pair<std::uint32_t, std::pair<SeriesKind, std::string>>;

  [[nodiscard]] SeriesKind kind_of(std::uint32_t run, const BlockSeries& series) const;
  [[nodiscard]] std::string plugin_of_tag(std::uint32_t run, const BlockSeries& series) const;
  /// Where the points of a series in a block go.
  struct Target {
    ScalarPoint* next = nullptr;
    std::int64_t last_step = 0;
    std::uint32_t series = 0;
  };
  void append(std::uint32_t file, BlockSeries&& from, std::uint32_t first_chunk, Target& target);
  void append(const BlockPoints& points, std::span<Target> targets, TimeRange& time);
  Series& find_or_add(std::uint32_t run, SeriesKind kind, const BlockSeries& like);

  std::vector<LogFile> files_;
  std::vector<std::string> runs_;
  std::vector<Series> series_;
  std::map<Key, std::uint32_t> index_;
  /// The plugin that the first metadata of a tag in a run named.
  std::map<std::pair<std::uint32_t, std::string>, std::string> plugins_;
  KeptBytes kept_;
  std::vector<FileDamage> damage_;
  Diagnostics diagnostics_;
  LogCounts counts_;
};

}  // namespace tideline::events
