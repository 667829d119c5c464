// Problem: a gigabyte of log has millions of scalars, and every one has its tag written out.
//   Looking each tag up in a map costs more than reading the number.
// Idea: training writes its tags in the same order at every step. So each series remembers which
//   one followed it last time, and the bytes of its last scalar: where a value has the same bytes
//   except for the number, nothing else is read (ValuePattern). Otherwise the value is read field
//   by field, and its tag (with the metadata) is compared with the expected one; only when it
//   differs is there a look-up. Tags and metadata that equal checked ones need no check of their
//   own, so the wire check is made for the first event of a tag, and for unusual events.
// Example: tags loss, accuracy, loss, accuracy, ...: after two steps each guess is right.
// Order: rows of a series must stay in the order of the file, also when rows of several blocks are
//   put together. What kind a tensor without metadata is depends on the metadata that came first,
//   perhaps in an earlier block; EventLog knows. So within one EventRows a tag has one series of
//   each form, and one plugin; when that changes, a new EventRows begins.
// Cost: O(bytes); measured in tests/bench/RESULTS.md.
// Tested by unit/events/decode_events_test.cc, unit/events/event_log_test.cc, fuzz/fuzz_events.cc.
#include "core/events/decode_events.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <utility>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/base/text.h"
#include "core/events/event_numbers.h"
#include "core/events/event_scan.h"
#include "core/events/logged_graphs.h"
#include "core/events/summary_item.h"
#include "core/events/value_pattern.h"

namespace tideline::events {
namespace {

constexpr std::uint32_t kNoSeries = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view kScalarPlugin = "scalars";

bool is_histogram(const BlockSeries& series) {
  return series.form == ValueForm::kHistogram ||
         (series.form == ValueForm::kTensor && series.plugin == "histograms");
}

// Whether values of two forms may belong to the same series of a log, as its kind and tag say.
bool may_share_series(ValueForm a, ValueForm b) {
  const auto is_other = [](ValueForm form) {
    return form == ValueForm::kNothing || form == ValueForm::kOldHistogram;
  };
  return (a == ValueForm::kTensor) != (b == ValueForm::kTensor) || (is_other(a) && is_other(b));
}

class Decoder {
 public:
  Decoder(const RecordBlock& block, KeptBytes::Room room) : block_(block), room_(std::move(room)) {
    begin_rows(block.at);
  }

  std::vector<EventRows> decode() {
    const std::string_view bytes = block_.buffer.bytes();
    std::size_t at = 0;
    std::int64_t number = block_.first_number;
    while (at < bytes.size()) {
      const auto length = static_cast<std::size_t>(leading_number<std::uint64_t>(bytes.substr(at)));
      const std::string_view data = bytes.substr(at + kRecordHeaderBytes, length);
      const auto stored =
          leading_number<std::uint32_t>(bytes.substr(at + kRecordHeaderBytes + length));
      if (!block_.is_checked && mask_crc(crc32c(data)) != stored) {
        end_at_damage(bytes.substr(at), number);
        break;
      }
      record_ = {data, block_.at + at, number++};
      on_record();
      at += kRecordHeaderBytes + length + kRecordFooterBytes;
    }
    return std::move(all_);
  }
  [[nodiscard]] const KeptBytes::Room& room() const { return room_; }

 private:
  void begin_rows(std::uint64_t at) {
    rows_ = &all_.emplace_back();
    rows_->file = block_.file;
    rows_->at = at;
    rows_->kept = KeptBytes(block_.buffer.bytes().size(), room_);
    if (all_.size() == 1) reserve(rows_->scalars);
    by_tag_.clear();
    next_.clear();
    patterns_.clear();
    seen_.clear();
    last_ = kNoSeries;
  }

  // Room for a quarter of the points of a block that has nothing but scalars. Only for its first
  // list of rows: a tag that changes its form with every record begins thousands of lists.
  void reserve(BlockPoints& points) const {
    constexpr std::size_t kBytesAPoint = 128;
    const std::size_t guess = block_.buffer.bytes().size() / kBytesAPoint;
    points.series.reserve(guess);
    points.values.reserve(guess);
    points.moments.reserve(guess);
  }

  void end_at_damage(std::string_view rest, std::int64_t number) {
    Record record;
    RecordReader one(rest, record_at_end(rest), number);
    if (one.next(record)) return;
    rows_->damage = one.damage();
    rows_->damage->bytes = block_.file_bytes - rows_->damage->at;
  }
  [[nodiscard]] std::uint64_t record_at_end(std::string_view rest) const {
    return block_.at + (block_.buffer.bytes().size() - rest.size());
  }

  void on_record() {
    ++rows_->records;
    is_checked_ = false;
    if (read_usual_event(record_.data, event_)) {
      if (add_expected()) return;
      if (read_usual_values(event_.content, items_) && add_items()) return;
    }
    const auto event = scan_event(record_.data);
    if (!event) return refuse(event.error().message);
    if (event->contents > 1) return refuse("several contents; expected one");
    event_ = *event;
    is_checked_ = true;
    if (event_.kind == EventKind::kNothing) {
      ++rows_->empty_events;
    } else if (event_.kind == EventKind::kSummary) {
      const std::int64_t refused = read_checked_summary(event_.content, items_);
      if (refused > 0) refuse_values(refused, "a field that is there twice", "");
      (void)add_items();
    } else {
      add_content();
    }
  }

  void refuse(std::string_view why) {
    ++rows_->refused_records;
    rows_->diagnostics.add(Severity::kDataLoss, "record that is not an event", at_record(why));
  }

  void refuse_values(std::int64_t count, std::string_view why, std::string_view tag) {
    rows_->refused_values += count;
    rows_->diagnostics.add(Severity::kDataLoss, "value that does not fit its tag",
                           at_record(fmt::format("tag '{}': {}", printable(tag), why)), count);
  }

  [[nodiscard]] std::string at_record(std::string_view what) const {
    return fmt::format("record {} at byte {}: {}", record_.number, record_.at, what);
  }

  // Scalars that come in the order of last time. False, with nothing added, for anything else.
  bool add_expected() {
    if (last_ == kNoSeries || event_.content.empty()) return false;
    BlockPoints& points = rows_->scalars;
    const std::size_t before = points.values.size();
    const char* at = event_.content.data();
    const char* const end = at + event_.content.size();
    const std::string_view block = block_.buffer.bytes();
    const char* const block_end = block.data() + block.size();
    std::uint32_t last = last_;
    while (at != end) {
      last = next_[last];
      float number = 0;
      if (!patterns_[last].take(at, end, block_end, number)) {
        points.values.resize(before);
        points.series.resize(before);
        return false;
      }
      points.series.push_back(last);
      points.values.push_back(number);
    }
    for (std::size_t i = before; i < points.series.size(); ++i) {
      ++rows_->series[points.series[i]].scalars;
    }
    points.moments.push_back({event_.wall_time, event_.step, points.values.size()});
    last_ = last;
    return true;
  }

  // False, with nothing added, when the record needs the wire check first.
  bool add_items() {
    found_.clear();
    const std::uint32_t last = last_;
    for (const SummaryItem& item : items_) {
      const std::uint32_t series = find(item);
      if (series == kNoSeries && !is_checked_) {
        last_ = last;
        return false;
      }
      found_.push_back(series);
      last_ = series;
    }
    last_ = last;
    const std::size_t rows_before = all_.size();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      // A series that was new to the first pass may have been added for an item before this one,
      // and new rows may have begun.
      std::uint32_t series = all_.size() == rows_before ? found_[i] : kNoSeries;
      if (series == kNoSeries) series = find(items_[i]);
      if (series == kNoSeries) series = add_series(items_[i]);
      if (last_ != kNoSeries) next_[last_] = series;
      last_ = series;
      add_value(items_[i], series);
    }
    return true;
  }

  // The series of a value whose tag and metadata are equal to some that were checked.
  [[nodiscard]] std::uint32_t find(const SummaryItem& item) {
    if (last_ != kNoSeries && is_seen(item, next_[last_])) return next_[last_];
    const auto tag = by_tag_.find(item.tag);
    if (tag == by_tag_.end()) return kNoSeries;
    for (const std::uint32_t series : tag->second) {
      if (is_seen(item, series)) return series;
    }
    return kNoSeries;
  }
  [[nodiscard]] bool is_seen(const SummaryItem& item, std::uint32_t series) const {
    const BlockSeries& known = rows_->series[series];
    return known.form == item.form && known.tag == item.tag && seen_[series] == item.metadata;
  }

  // The item passed the wire check. Its series may be there with other metadata.
  [[nodiscard]] std::uint32_t add_series(const SummaryItem& item) {
    const std::string_view plugin = plugin_of(item.metadata);
    if (const auto tag = by_tag_.find(item.tag); tag != by_tag_.end()) {
      for (const std::uint32_t series : tag->second) {
        const BlockSeries& known = rows_->series[series];
        const bool same_form = known.form == item.form;
        if (same_form && known.plugin == plugin &&
            known.metadata.empty() == item.metadata.empty()) {
          seen_[series] = item.metadata;
          return series;
        }
        if (same_form || may_share_series(known.form, item.form)) {
          begin_rows(record_.at);
          break;
        }
      }
    }
    BlockSeries added;
    added.tag = item.tag;
    added.form = item.form;
    added.plugin = plugin;
    added.metadata = item.metadata;
    added.is_explained = item.form != ValueForm::kTensor || !item.metadata.empty();
    return add_series(std::move(added));
  }

  std::uint32_t add_series(BlockSeries added) {
    const auto index = static_cast<std::uint32_t>(rows_->series.size());
    by_tag_[added.tag].push_back(index);
    seen_.push_back(added.metadata);
    next_.push_back(index);
    patterns_.emplace_back();
    rows_->series.push_back(std::move(added));
    return index;
  }

  void add_value(const SummaryItem& item, std::uint32_t index) {
    BlockSeries& series = rows_->series[index];
    // The metadata of a refused value do not describe the series, whatever the size of blocks.
    if (series.scalars == 0 && series.rows.empty()) series.metadata = item.metadata;
    if (item.form == ValueForm::kSimple) return add_scalar(item, index, item.simple_value);
    const bool is_scalar = item.form == ValueForm::kTensor && series.plugin == kScalarPlugin;
    if (is_scalar || !series.is_explained) {
      double number = std::nan("");
      const bool is_number = tensor_number(item.content, number);
      if (is_scalar && !is_number) {
        refuse_values(1, "a tensor that is no number; expected a scalar", item.tag);
        return;
      }
      if (is_scalar) return add_scalar(item, index, number);
      series.points.push_back({event_.wall_time, event_.step, number});
      series.is_number.push_back(is_number ? 1 : 0);
    }
    add_row(item.content, series);
  }

  void add_scalar(const SummaryItem& item, std::uint32_t series, double number) {
    if (item.number != nullptr) patterns_[series].remember(item.encoded, item.number);
    BlockPoints& points = rows_->scalars;
    points.series.push_back(series);
    points.values.push_back(number);
    points.moments.push_back({event_.wall_time, event_.step, points.values.size()});
    ++rows_->series[series].scalars;
  }

  // Small contents, which charts and lists want all at once. A histogram that shares its record
  // with others is copied from any file: reading one again would read all of them.
  [[nodiscard]] bool is_copied(std::string_view content, const BlockSeries& series) const {
    if (is_histogram(series)) {
      return block_.file_bytes <= kMostCopiedFrom || content.size() < record_.data.size() / 2;
    }
    return series.form == ValueForm::kSessionLog ||
           (series.form == ValueForm::kTensor &&
            (series.plugin == "text" || series.plugin == "hparams"));
  }

  void add_row(std::string_view content, BlockSeries& series) {
    ValueRow row;
    row.wall_time = event_.wall_time;
    row.step = event_.step;
    row.file = block_.file;
    row.record_at = record_.at;
    row.begin =
        content.empty() ? 0U : static_cast<std::uint32_t>(content.data() - record_.data.data());
    row.size = static_cast<std::uint32_t>(content.size());
    row.form = series.form;
    if (is_copied(content, series)) {
      rows_->kept.add(content, row);
      room_ = rows_->kept.room();
    }
    series.rows.push_back(row);
  }

  // An event that is no summary: its content belongs to the run as a whole or has its own tag.
  void add_content() {
    SummaryItem item;
    item.content = event_.content;
    switch (event_.kind) {
      case EventKind::kFileVersion: item.form = ValueForm::kFileVersion; break;
      case EventKind::kGraphDef:
        item.form = ValueForm::kGraphDef;
        item.tag = kRunGraphTag;
        break;
      case EventKind::kMetaGraphDef:
        item.form = ValueForm::kMetaGraphDef;
        item.tag = kRunMetaGraphTag;
        break;
      case EventKind::kLogMessage: item.form = ValueForm::kLogMessage; break;
      case EventKind::kSessionLog: item.form = ValueForm::kSessionLog; break;
      case EventKind::kRunMetadata: {
        const TaggedBytes metadata = tagged_run_metadata(event_.content);
        item.form = ValueForm::kRunMetadata;
        item.tag = metadata.tag;
        item.content = metadata.bytes;
        break;
      }
      default: return;
    }
    std::uint32_t series = find(item);
    if (series == kNoSeries) series = add_series(item);
    add_row(item.content, rows_->series[series]);
  }

  const RecordBlock& block_;
  KeptBytes::Room room_;
  std::vector<EventRows> all_;
  EventRows* rows_ = nullptr;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> by_tag_;
  std::vector<std::uint32_t> next_;     // by series: the one that came after it
  std::vector<std::string> seen_;       // by series: metadata that passed the wire check
  std::vector<ValuePattern> patterns_;  // by series: of its last scalar
  std::uint32_t last_ = kNoSeries;

  Record record_;
  Event event_;
  bool is_checked_ = false;
  std::vector<SummaryItem> items_;
  std::vector<std::uint32_t> found_;
};

}  // namespace

std::vector<EventRows> decode_events(const RecordBlock& block, KeptBytes::Room* room) {
  Decoder decoder(block, room == nullptr ? nullptr : *room);
  std::vector<EventRows> rows = decoder.decode();
  if (room != nullptr) *room = decoder.room();
  return rows;
}

}  // namespace tideline::events
