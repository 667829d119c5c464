// What the events of one block say, as rows by tag: what is decoded in parallel and then put
// together as an EventLog.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/events/record_reader.h"

namespace tideline::events {

/// The member of an event, or of a value of a summary, that holds the content of a row.
enum class ValueForm : std::uint8_t {
  kNothing,  ///< a value with a tag alone, as of hparams
  kSimple,   ///< a float
  kOldHistogram,
  kImage,
  kHistogram,
  kAudio,
  kTensor,
  kFileVersion,  ///< from here on: of an event
  kGraphDef,
  kLogMessage,
  kSessionLog,
  kRunMetadata,
  kMetaGraphDef,
};

/// A point of a curve.
struct ScalarPoint {
  double wall_time = 0;   ///< seconds since 1970
  std::int64_t step = 0;  ///< of training
  double value = 0;
};

/// A row whose content has no fixed size: where it lies in its file, and where a copy is.
struct ValueRow {
  static constexpr std::uint32_t kNotKept = std::numeric_limits<std::uint32_t>::max();

  double wall_time = 0;
  std::int64_t step = 0;
  std::uint64_t record_at = 0;  ///< offset of the record in the file
  std::uint32_t begin = 0;      ///< in the data of the record
  std::uint32_t size = 0;
  std::uint32_t file = 0;
  std::uint32_t chunk = kNotKept;  ///< of the copy
  std::uint32_t chunk_begin = 0;
  ValueForm form = ValueForm::kNothing;
};

/// Copies of contents, in chunks that do not move. What is copied from this shares the chunks; only
/// one of them may be added to.
class KeptBytes {
 public:
  class Chunk;
  /// The chunk that is not full yet. Thread: of whoever adds; what lies in it may be read by
  /// others.
  using Room = std::shared_ptr<Chunk>;

  /// `hint`: bytes that may come; a chunk for few of them is small. `room` is filled first.
  explicit KeptBytes(std::size_t hint = 0, Room room = nullptr)
      : hint_(hint), room_(std::move(room)) {}
  /// Copies `content` and sets the place of the copy in `row`.
  void add(std::string_view content, ValueRow& row);
  /// Appends the chunks of `other`; places in them move up by the number that is returned.
  std::uint32_t take(KeptBytes&& other);
  [[nodiscard]] std::string_view at(const ValueRow& row) const;
  /// Of all contents.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] const Room& room() const { return room_; }

 private:
  std::size_t hint_ = 0;
  std::size_t bytes_ = 0;
  Room room_;
  std::vector<std::shared_ptr<Chunk>> chunks_;
};

/// The rows of one tag and form in a block. The points of scalars are in BlockPoints. Tensors that
/// no metadata in the block explain have both lists, `points` with NaN for those that are no
/// number: the metadata that came earlier decide.
struct BlockSeries {
  std::string tag;
  ValueForm form = ValueForm::kNothing;
  std::string plugin;    ///< from the metadata; empty without
  std::string metadata;  ///< the encoded SummaryMetadata that came first; empty without
  bool is_explained = false;
  std::size_t scalars = 0;  ///< its points in BlockPoints
  std::vector<ScalarPoint> points;
  std::vector<std::uint8_t> is_number;  ///< beside `points`, when both lists are there
  std::vector<ValueRow> rows;
};

/// The points of all scalar series of a block in the order of the file. A list for each series
/// would be written at a hundred places in turn, and all points would be moved once more.
struct BlockPoints {
  struct Moment {
    double wall_time = 0;
    std::int64_t step = 0;
    std::size_t end = 0;  ///< of its points in the lists below
  };
  std::vector<Moment> moments;  ///< of the events, in order
  std::vector<std::uint32_t> series;
  std::vector<double> values;
};

/// The rows of some consecutive records of a file. Rows of one series are in the order of the file.
struct EventRows {
  std::uint32_t file = 0;
  std::uint64_t at = 0;              ///< offset of the first record
  std::int64_t records = 0;          ///< read, those that are no event included
  std::int64_t refused_records = 0;  ///< with sound checksums, but no event
  std::int64_t empty_events = 0;     ///< without any content
  std::int64_t refused_values = 0;   ///< whose content is not what their plugin says
  std::vector<BlockSeries> series;
  BlockPoints scalars;
  KeptBytes kept;
  Diagnostics diagnostics;
  std::optional<RecordDamage> damage;  ///< behind the last record
};

}  // namespace tideline::events
