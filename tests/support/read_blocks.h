// Reads the records of a log in blocks of a given size, which must not change what is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/decode_events.h"
#include "core/events/event_log.h"

namespace tideline::test {

/// The log in `bytes`, decoded in blocks of `records_each` whole records.
inline events::EventLog read_in_blocks(std::string_view bytes, std::size_t records_each) {
  events::EventLog log;
  log.add_file(0, {".", "made"});
  const std::size_t end = events::sound_records(bytes, events::DataChecksums::kSkip).bytes;
  events::RecordReader reader(bytes.substr(0, end), events::DataChecksums::kSkip);
  events::Record record;
  events::RecordBlock block;
  block.file_bytes = bytes.size();
  for (std::size_t at = 0; at < end && !log.has_ended(0);) {
    std::int64_t count = 0;
    while (static_cast<std::size_t>(count) < records_each && reader.next(record)) ++count;
    const std::size_t size = static_cast<std::size_t>(reader.at()) - at;
    std::copy_n(bytes.data() + at, size, block.buffer.resize(size));
    block.at = at;
    for (events::EventRows& rows : events::decode_events(block)) log.add(std::move(rows));
    block.first_number += count;
    at += size;
  }
  return log;
}

namespace detail {

inline bool are_same(const events::ScalarPoint& a, const events::ScalarPoint& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;  // also where it is NaN
}

inline bool are_same(const events::ValueRow& a, const events::ValueRow& b) {
  return std::memcmp(&a.wall_time, &b.wall_time, sizeof a.wall_time) == 0 && a.step == b.step &&
         a.record_at == b.record_at && a.begin == b.begin && a.size == b.size && a.form == b.form;
}

}  // namespace detail

/// What differs first between two readings of the same bytes; empty if nothing does. The order of
/// series is not compared: a series may be met in a value that is refused.
inline std::string difference(const events::EventLog& a, const events::EventLog& b) {
  const auto numbers = [](const events::EventLog& log) {
    const events::LogCounts& counts = log.counts();
    return std::to_string(counts.records) + " records, " + std::to_string(counts.refused_records) +
           " refused, " + std::to_string(counts.empty_events) + " empty, " +
           std::to_string(counts.rows) + " rows, " + std::to_string(counts.refused_rows) +
           " refused, " + std::to_string(log.series().size()) + " series";
  };
  if (numbers(a) != numbers(b)) return numbers(a) + "; " + numbers(b);
  const std::vector<std::uint32_t> of_a = a.sorted_series();
  const std::vector<std::uint32_t> of_b = b.sorted_series();
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const events::Series& one = a.series()[of_a[i]];
    const events::Series& other = b.series()[of_b[i]];
    const std::string where = "series " + std::to_string(i) + " '" + one.tag + "': ";
    if (one.tag != other.tag || one.kind != other.kind || one.plugin != other.plugin ||
        one.metadata != other.metadata) {
      return where + "its description: kind " + events::kind_name(one.kind) + ", plugin '" +
             one.plugin + "'; kind " + events::kind_name(other.kind) + ", plugin '" + other.plugin +
             "'" + (one.metadata == other.metadata ? "" : ", and metadata");
    }
    if (one.points.size() != other.points.size() || one.rows.size() != other.rows.size()) {
      return where + "its length";
    }
    for (std::size_t k = 0; k < one.points.size(); ++k) {
      if (!detail::are_same(one.points[k], other.points[k])) return where + "a point";
    }
    for (std::size_t k = 0; k < one.rows.size(); ++k) {
      if (!detail::are_same(one.rows[k], other.rows[k])) return where + "a row";
      if (a.copy_of(one.rows[k]) != b.copy_of(other.rows[k])) return where + "a copy";
    }
    if (one.restarts != other.restarts) return where + "its restarts";
  }
  return {};
}

}  // namespace tideline::test
