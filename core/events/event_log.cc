// Tested by unit/events/event_log_test.cc and integration/event_log_test.py.
#include "core/events/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/base/text.h"

namespace tideline::events {
namespace {

SeriesKind kind_of_tensor(std::string_view plugin) {
  struct PluginKind {
    std::string_view plugin;
    SeriesKind kind;
  };
  static constexpr std::array kKinds = {
      PluginKind{"scalars", SeriesKind::kScalar},
      PluginKind{"histograms", SeriesKind::kHistogram},
      PluginKind{"images", SeriesKind::kImage},
      PluginKind{"audio", SeriesKind::kAudio},
      PluginKind{"text", SeriesKind::kText},
      PluginKind{"hparams", SeriesKind::kHparams},
      PluginKind{"graph_run_metadata", SeriesKind::kRunMetadata},
      PluginKind{"graph_run_metadata_graph", SeriesKind::kRunMetadata},
      PluginKind{"graph_keras_model", SeriesKind::kKerasGraph},
  };
  for (const PluginKind& known : kKinds) {
    if (known.plugin == plugin) return known.kind;
  }
  return SeriesKind::kTensor;
}

// Whether it was logged by training, at its time: hyperparameters may name the time when training
// began.
bool is_value(SeriesKind kind) {
  return kind < SeriesKind::kGraph && kind != SeriesKind::kHparams && kind != SeriesKind::kOther;
}

template <typename Row>
void permute(GrowingArray<Row>& rows, const std::vector<std::size_t>& order) {
  if (rows.empty()) return;
  GrowingArray<Row> sorted;
  Row* to = sorted.extend(rows.size());
  for (const std::size_t row : order) *to++ = rows[row];
  rows = std::move(sorted);
}

// Returns whether a row moved.
bool sort_series(Series& series, std::span<const TimeRange> times) {
  if (follow_each_other(series.parts, times)) return false;
  std::vector<TimedStep> steps;
  steps.reserve(series.size());
  for (std::size_t row = 0; row < series.size(); ++row) {
    steps.push_back({series.wall_time(row), series.step(row)});
  }
  RowOrder order = order_of_rows(steps, series.parts, times);
  series.restarts = std::move(order.restarts);
  if (std::is_sorted(order.rows.begin(), order.rows.end())) return false;
  std::vector<std::uint32_t> file_of;
  file_of.reserve(series.size());
  for (const FilePart& part : series.parts) file_of.insert(file_of.end(), part.rows, part.file);
  series.parts.clear();
  for (const std::size_t row : order.rows) add_part(series.parts, file_of[row], 1);
  series.parts.shrink_to_fit();
  permute(series.points, order.rows);
  permute(series.rows, order.rows);
  return true;
}

}  // namespace

const char* kind_name(SeriesKind kind) {
  switch (kind) {
    case SeriesKind::kScalar: return "scalar";
    case SeriesKind::kHistogram: return "histogram";
    case SeriesKind::kImage: return "image";
    case SeriesKind::kAudio: return "audio";
    case SeriesKind::kText: return "text";
    case SeriesKind::kTensor: return "tensor";
    case SeriesKind::kHparams: return "hparams";
    case SeriesKind::kOther: return "other";
    case SeriesKind::kGraph: return "graph";
    case SeriesKind::kMetaGraph: return "meta_graph";
    case SeriesKind::kRunMetadata: return "run_metadata";
    case SeriesKind::kKerasGraph: return "keras_graph";
    case SeriesKind::kSessionLog: return "session_log";
    case SeriesKind::kLogMessage: return "log_message";
    case SeriesKind::kFileVersion: return "file_version";
  }
  return "";
}

void EventLog::add_file(std::uint32_t index, const EventFile& file) {
  if (index < files_.size() && !files_[index].file.path.empty()) return;
  if (index >= files_.size()) files_.resize(index + 1);
  LogFile& added = files_[index];
  added.file = file;
  const auto run = std::find(runs_.begin(), runs_.end(), file.run);
  added.run = static_cast<std::uint32_t>(run - runs_.begin());
  if (run == runs_.end()) runs_.push_back(file.run);
}

void EventLog::add_damage(const FileDamage& damage) {
  LogFile& file = files_[damage.file];
  if (file.has_ended) return;
  if (damage.record.kind.starts_with("damaged event file")) file.has_ended = true;
  damage_.push_back(damage);
  diagnostics_.add(damage.record.severity, damage.record.kind,
                   fmt::format("{}: {}", printable(file.file.path), damage.record.where));
}

void EventLog::add_diagnostics(const Diagnostics& diagnostics) {
  for (const Diagnostic& entry : diagnostics.entries()) {
    diagnostics_.add(entry.severity, entry.kind, entry.example, entry.count);
  }
}

void EventLog::add(EventRows&& rows) {
  LogFile& file = files_[rows.file];
  if (file.has_ended) return;
  file.records += rows.records - rows.refused_records;
  counts_.records += rows.records - rows.refused_records;
  counts_.refused_records += rows.refused_records;
  counts_.empty_events += rows.empty_events;
  counts_.refused_rows += rows.refused_values;
  const std::string path = printable(file.file.path);
  for (const Diagnostic& entry : rows.diagnostics.entries()) {
    diagnostics_.add(entry.severity, entry.kind, fmt::format("{}: {}", path, entry.example),
                     entry.count);
  }
  const std::uint32_t first_chunk = kept_.take(std::move(rows.kept));
  std::vector<Target> targets(rows.series.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    append(rows.file, std::move(rows.series[i]), first_chunk, targets[i]);
  }
  append(rows.scalars, targets, file.time);
  if (rows.damage) {
    add_damage({rows.file, *std::move(rows.damage)});
    file.has_ended = true;
  }
}

std::string EventLog::plugin_of_tag(std::uint32_t run, const BlockSeries& series) const {
  if (!series.plugin.empty()) return series.plugin;
  const auto known = plugins_.find({run, series.tag});
  return known == plugins_.end() ? std::string() : known->second;
}

SeriesKind EventLog::kind_of(std::uint32_t run, const BlockSeries& series) const {
  switch (series.form) {
    case ValueForm::kNothing:
      return plugin_of_tag(run, series) == "hparams" ? SeriesKind::kHparams : SeriesKind::kOther;
    case ValueForm::kSimple: return SeriesKind::kScalar;
    case ValueForm::kOldHistogram: return SeriesKind::kOther;
    case ValueForm::kImage: return SeriesKind::kImage;
    case ValueForm::kHistogram: return SeriesKind::kHistogram;
    case ValueForm::kAudio: return SeriesKind::kAudio;
    case ValueForm::kTensor: return kind_of_tensor(plugin_of_tag(run, series));
    case ValueForm::kFileVersion: return SeriesKind::kFileVersion;
    case ValueForm::kGraphDef: return SeriesKind::kGraph;
    case ValueForm::kLogMessage: return SeriesKind::kLogMessage;
    case ValueForm::kSessionLog: return SeriesKind::kSessionLog;
    case ValueForm::kRunMetadata: return SeriesKind::kRunMetadata;
    case ValueForm::kMetaGraphDef: return SeriesKind::kMetaGraph;
  }
  return SeriesKind::kOther;
}

Series& EventLog::find_or_add(std::uint32_t run, SeriesKind kind, const BlockSeries& like) {
  const auto [entry, is_new] =
      index_.try_emplace({run, {kind, like.tag}}, static_cast<std::uint32_t>(series_.size()));
  if (!is_new) return series_[entry->second];
  Series& added = series_.emplace_back();
  added.run = run;
  added.tag = like.tag;
  added.kind = kind;
  added.plugin = plugin_of_tag(run, like);
  added.metadata = like.metadata;
  return added;
}

// Points of BlockPoints get room only; `target` says where.
void EventLog::append(std::uint32_t file, BlockSeries&& from, std::uint32_t first_chunk,
                      Target& target) {
  const std::uint32_t run = files_[file].run;
  if (!from.plugin.empty()) plugins_.try_emplace({run, from.tag}, from.plugin);
  if (from.scalars == 0 && from.points.empty() && from.rows.empty()) return;
  const SeriesKind kind = kind_of(run, from);
  for (ValueRow& row : from.rows) {
    if (row.chunk != ValueRow::kNotKept) row.chunk += first_chunk;
  }
  if (!from.is_explained && kind == SeriesKind::kScalar) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < from.points.size(); ++i) {
      if (from.is_number[i] != 0) from.points[kept++] = from.points[i];
    }
    if (const auto refused = static_cast<std::int64_t>(from.points.size() - kept); refused > 0) {
      counts_.refused_rows += refused;
      diagnostics_.add(Severity::kDataLoss, "value that does not fit its tag",
                       fmt::format("tag '{}': a tensor that is no number; expected a scalar",
                                   printable(from.tag)),
                       refused);
    }
    from.points.resize(kept);
    if (kept == 0) return;
  }
  Series& to = find_or_add(run, kind, from);
  const std::size_t before = to.size();
  if (from.scalars > 0) {
    target.series = static_cast<std::uint32_t>(&to - series_.data());
    target.last_step = before == 0 ? std::numeric_limits<std::int64_t>::min() : to.step(before - 1);
    target.next = to.points.extend(from.scalars);
    add_part(to.parts, file, from.scalars);
    counts_.rows += static_cast<std::int64_t>(from.scalars);
    return;
  }
  if (kind == SeriesKind::kScalar) {
    to.points.append(from.points);
  } else {
    to.rows.append(from.rows);
  }
  counts_.rows += static_cast<std::int64_t>(to.size() - before);
  add_part(to.parts, file, to.size() - before);
  if (is_value(kind)) {
    for (std::size_t row = before; row < to.size(); ++row) {
      files_[file].time.add(to.wall_time(row));
    }
  }
  for (std::size_t row = std::max<std::size_t>(before, 1); row < to.size(); ++row) {
    if (to.step(row) < to.step(row - 1)) to.restarts.push_back(row);
  }
}

void EventLog::append(const BlockPoints& points, std::span<Target> targets, TimeRange& time) {
  std::size_t i = 0;
  for (const BlockPoints::Moment& moment : points.moments) {
    time.add(moment.wall_time);
    for (; i < moment.end; ++i) {
      Target& target = targets[points.series[i]];
      if (moment.step < target.last_step) {
        Series& series = series_[target.series];
        series.restarts.push_back(static_cast<std::uint64_t>(target.next - series.points.data()));
      }
      target.last_step = moment.step;
      *target.next++ = {moment.wall_time, moment.step, points.values[i]};
    }
  }
}

bool EventLog::sort_rows() {
  std::vector<TimeRange> times;
  times.reserve(files_.size());
  for (const LogFile& file : files_) times.push_back(file.time);
  bool has_moved = false;
  for (Series& series : series_) {
    if (is_value(series.kind) && sort_series(series, times)) has_moved = true;
  }
  return has_moved;
}

std::vector<std::uint32_t> EventLog::sorted_series() const {
  std::vector<std::uint32_t> order(series_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::uint32_t i) {
    const Series& series = series_[i];
    return std::tie(runs_[series.run], series.tag, series.kind);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

std::size_t EventLog::memory() const {
  std::size_t sum = kept_.bytes();
  for (const Series& series : series_) {
    sum += series.points.capacity() * sizeof(ScalarPoint);
    sum += series.rows.capacity() * sizeof(ValueRow);
    sum += series.parts.capacity() * sizeof(FilePart);
  }
  return sum;
}

}  // namespace tideline::events
