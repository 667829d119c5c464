#include "app/engine/read_log.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/events/event_numbers.h"
#include "core/events/row_reader.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::app {
namespace {

// Cancels at the third report.
class Cancelling final : public Progress {
 public:
  bool report(std::string_view, std::int64_t, std::int64_t) override { return ++reports_ < 3; }

 private:
  int reports_ = 0;
};

// Two files of several blocks each; with `damage`, a byte in the middle of the first is wrong.
void write_log(const std::string& folder, bool damage) {
  for (const char* name : {"a/1.tfevents", "b/2.tfevents"}) {
    const std::string path = folder + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::string bytes;
    for (int step = 0; bytes.size() < (std::size_t{12} << 20U); ++step) {
      std::string values;
      for (const char* tag : {"loss", "accuracy", "rate"}) {
        values += test::simple_value(tag, static_cast<float>(step));
      }
      values += test::tensor_value("t", step == 0 ? "scalars" : "", test::float_tensor(1));
      // Contents that are copied: much of each block, so that copies of several blocks share a
      // chunk.
      const std::vector<double> numbers(150, step);
      values += test::summary_value_of(
          "h", test::bytes_field(events::summary_value::kHistogram,
                                 test::histogram_of(0, step, numbers, numbers)));
      bytes += test::summary_record(step, values);
    }
    if (damage && name[0] == 'a') bytes[bytes.size() / 2] ^= 1;
    std::ofstream(path, std::ios::binary) << bytes;
  }
}

void check_same(const events::EventLog& a, const events::EventLog& b) {
  CHECK(a.counts().records == b.counts().records);
  CHECK(a.counts().rows == b.counts().rows);
  CHECK(a.runs() == b.runs());
  REQUIRE(a.series().size() == b.series().size());
  for (std::size_t i = 0; i < a.series().size(); ++i) {
    const auto& left = a.series()[i];
    const auto& right = b.series()[i];
    CHECK(left.tag == right.tag);
    CHECK(left.kind == right.kind);
    REQUIRE(left.points.size() == right.points.size());
    bool same = true;
    for (std::size_t k = 0; k < left.points.size(); ++k) {
      same = same && left.points[k].step == right.points[k].step &&
             left.points[k].value == right.points[k].value;
    }
    CHECK(same);
    REQUIRE(left.rows.size() == right.rows.size());
    same = true;
    events::RowReader read_left(a);
    events::RowReader read_right(b);
    for (std::size_t k = 0; k < left.rows.size(); ++k) {
      const auto content = read_left.read(left.rows[k]);
      same = same && content && read_right.read(right.rows[k]).value_or("") == *content;
    }
    CHECK(same);
  }
  REQUIRE(a.damage().size() == b.damage().size());
  for (std::size_t i = 0; i < a.damage().size(); ++i) {
    CHECK(a.damage()[i].record.where == b.damage()[i].record.where);
  }
}

}  // namespace

TEST_CASE("a log is the same whatever the number of threads, also when it is damaged") {
  const bool damage = GENERATE(false, true);
  const test::TemporaryFolder folder;
  write_log(folder.file("log"), damage);
  Progress silent;
  const auto one = test::read_event_log(folder.file("log"), events::AtDamage::kStop, silent);
  REQUIRE(one);
  CHECK(one->damage().size() == (damage ? 1 : 0));
  CHECK(one->series().size() == 10);
  for (const unsigned threads : {1U, 2U, 5U}) {
    const auto several = read_log(folder.file("log"), events::AtDamage::kStop, silent, threads);
    REQUIRE(several);
    check_same(*one, *several);
  }
}

TEST_CASE("reading a log can be cancelled") {
  const test::TemporaryFolder folder;
  write_log(folder.file("log"), false);
  Cancelling cancelling;
  const auto log = read_log(folder.file("log"), events::AtDamage::kStop, cancelling, 3);
  REQUIRE_FALSE(log);
  CHECK(log.error().code == Code::kCancelled);
}

}  // namespace tideline::app
