// Real logs with random damage: whatever is done to the bytes, what is read of them is what was
// written.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "core/events/row_reader.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::events {
namespace {

const std::string kLogs = TIDELINE_SOURCE_DIR "/tests/data/logs/";

std::string bytes_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

EventLog read(const std::string& path, AtDamage at_damage) {
  Progress silent;
  auto log = test::read_event_log(path, at_damage, silent);
  REQUIRE(log);
  return *std::move(log);
}

// A row as text that tells it from every other row of its tag.
std::string text_of(const EventLog& log, const Series& series, std::size_t i) {
  std::string text(24, '\0');
  if (series.kind == SeriesKind::kScalar) {
    std::memcpy(text.data(), &series.points[i], 24);
    return text;
  }
  const ValueRow& row = series.rows[i];
  std::memcpy(text.data(), &row.wall_time, 8);
  std::memcpy(text.data() + 8, &row.step, 8);
  const auto content = RowReader(log).read(row);
  REQUIRE(content);
  return text + *content;
}

using Rows = std::map<std::pair<std::string, SeriesKind>, std::vector<std::string>>;
Rows rows_of(const EventLog& log) {
  Rows rows;
  for (const Series& series : log.series()) {
    std::vector<std::string>& texts = rows[{series.tag, series.kind}];
    for (std::size_t i = 0; i < series.size(); ++i) texts.push_back(text_of(log, series, i));
  }
  return rows;
}

// The rows of `tag`. When the record is lost that said what its tensors are, they are just tensors.
Rows::const_iterator find_tag(const Rows& rows, const Rows::key_type& tag) {
  const auto found = rows.find(tag);
  if (found != rows.end() || tag.second != SeriesKind::kTensor) return found;
  return std::find_if(rows.begin(), rows.end(),
                      [&](const auto& entry) { return entry.first.first == tag.first; });
}

// Whether `found` are some of `all`, in their order; without `gaps` the first ones.
bool are_part_of(const std::vector<std::string>& found, const std::vector<std::string>& all,
                 bool gaps) {
  std::size_t at = 0;
  for (const std::string& row : found) {
    while (gaps && at < all.size() && all[at] != row) ++at;
    if (at == all.size() || all[at] != row) return false;
    ++at;
  }
  return true;
}

// A flipped bit, a wrong byte, a cut, bytes taken out, put in, or copied from elsewhere.
std::string damaged(std::string bytes, std::mt19937& random) {
  const std::size_t at = random() % bytes.size();
  const std::size_t some = 1 + random() % 40;
  switch (random() % 6) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1U << random() % 8)); break;
    case 1: bytes[at] = static_cast<char>(bytes[at] + 1 + random() % 255); break;
    case 2: bytes.resize(at); break;
    case 3: bytes.erase(at, some); break;
    case 4: bytes.insert(at, std::string(some, static_cast<char>(random()))); break;
    default: bytes.replace(at, some, bytes.substr(random() % bytes.size(), some)); break;
  }
  return bytes;
}

// The records of a log, whole.
std::vector<std::string> records_of(const std::string& bytes) {
  std::vector<std::string> records;
  for (std::size_t at = 0; at < bytes.size();) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    records.push_back(bytes.substr(at, length + 16));
    at += length + 16;
  }
  return records;
}

}  // namespace

TEST_CASE("however many records are damaged, all others are found again") {
  const test::TemporaryFolder folder;
  const std::vector<std::string> records =
      records_of(bytes_of(kLogs + "tf1_mlp/events.out.tfevents.1795247306.vm"));
  std::mt19937 random(3);
  for (const std::uint32_t every : {2U, 3U, 10U}) {
    std::ofstream damaged(folder.file("tfevents.damaged"), std::ios::binary);
    std::ofstream others(folder.file("tfevents.others"), std::ios::binary);
    std::size_t count = 0;
    // Often, so that the searches together read the file many times.
    for (int round = 0; round < 20; ++round) {
      for (std::size_t i = 0; i < records.size(); ++i) {
        std::string record = records[i];
        // The one before the end has to be sound, or it could not be found.
        if (random() % every == 0 && i > 0 && i + 1 < records.size()) {
          record[8] = static_cast<char>(record[8] ^ 1);  // the checksum of its length
          ++count;
        } else {
          others << record;
        }
        damaged << record;
      }
    }
    damaged.close();
    others.close();
    const EventLog found = read(folder.file("tfevents.damaged"), AtDamage::kSkip);
    const EventLog wanted = read(folder.file("tfevents.others"), AtDamage::kStop);
    INFO("one of " << every << " records, " << count << " in all");
    CHECK(found.counts().rows == wanted.counts().rows);
    CHECK(rows_of(found) == rows_of(wanted));
    CHECK(wanted.damage().empty());
  }
}

TEST_CASE("a damaged log gives rows that were written, and says that it is damaged") {
  const char* wish = std::getenv("TIDELINE_DAMAGE_RUNS");
  const int runs = wish != nullptr ? std::atoi(wish) : 200;
  const test::TemporaryFolder folder;
  const std::string path = folder.file("tfevents");
  std::mt19937 random(20);
  for (const char* name : {"tf1_mlp/events.out.tfevents.1795247306.vm",
                           "tf2_keras/trace/events.out.tfevents.1795247328.vm.7137.1.v2"}) {
    const std::string bytes = bytes_of(kLogs + name);
    REQUIRE(!bytes.empty());
    const EventLog whole = read(kLogs + name, AtDamage::kStop);
    const Rows all = rows_of(whole);
    for (int run = 0; run < runs / 2; ++run) {
      INFO(name << ", run " << run);
      const std::string changed = damaged(bytes, random);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
      for (const AtDamage at_damage : {AtDamage::kStop, AtDamage::kSkip}) {
        const EventLog log = read(path, at_damage);
        bool is_part = true;
        for (const auto& [tag, rows] : rows_of(log)) {
          const auto wanted = find_tag(all, tag);
          is_part = is_part && wanted != all.end() &&
                    are_part_of(rows, wanted->second, at_damage == AtDamage::kSkip);
        }
        CHECK(is_part);
        // Rows are only lost where damage is told; a cut between two records looks whole.
        const bool is_prefix = bytes.starts_with(changed);
        if (changed != bytes && !is_prefix) CHECK(!log.damage().empty());
        if (log.damage().empty() && !is_prefix) CHECK(log.counts().rows == whole.counts().rows);
        CHECK(log.counts().rows <= whole.counts().rows);
      }
    }
  }
}

}  // namespace tideline::events
