#include "core/events/log_source.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/events/decode_events.h"
#include "tests/support/made_summaries.h"
#include "tests/support/temporary_folder.h"

namespace tideline::events {
namespace {

// A log that is read again and again while files change.
class Followed {
 public:
  explicit Followed(const std::string& path) : source_(opened(path)) {}

  // The number of records so far.
  std::int64_t read() {
    RecordBlock block;
    while (source_.next(block)) {
      log.add_file(block.file, source_.file(block.file));
      for (EventRows& rows : decode_events(block)) log.add(std::move(rows));
      if (log.has_ended(block.file)) source_.end_file(block.file);
    }
    source_.report_to(log);
    return log.counts().records;
  }
  Status add(const std::string& path, const std::string& name) {
    return source_.add(path, name, silent_);
  }
  void refresh() { REQUIRE(source_.refresh(true, silent_)); }
  void finish() {
    source_.finish();
    source_.report_to(log);
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const Diagnostic& entry : log.diagnostics().entries()) kinds.push_back(entry.kind);
    return kinds;
  }

  EventLog log;

 private:
  LogSource opened(const std::string& path) {
    auto source = LogSource::open(path, AtDamage::kStop, silent_);
    REQUIRE(source);
    return *std::move(source);
  }

  Progress silent_;
  LogSource source_;
};

std::string record(int step) {
  return test::summary_record(step, test::simple_value("t", static_cast<float>(step)));
}

void append(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

}  // namespace

TEST_CASE("a growing log is followed, file by file and byte by byte") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("1.tfevents");
  append(path, record(0));
  Followed followed(folder.file(""));
  CHECK(followed.read() == 1);
  std::string later;
  for (int step = 1; step < 5; ++step) later += record(step);
  for (const char byte : later) {
    append(path, std::string(1, byte));
    followed.refresh();
    followed.read();
  }
  CHECK(followed.log.counts().records == 5);
  append(folder.file("2.tfevents"), record(5));
  followed.refresh();
  CHECK(followed.read() == 6);
  const Series& series = followed.log.series().at(0);
  for (std::size_t i = 0; i < 6; ++i) CHECK(series.points[i].step == static_cast<int>(i));
  followed.finish();
  CHECK(followed.kinds().empty());
}

TEST_CASE("an incomplete record is damage only at the end") {
  const test::TemporaryFolder folder;
  append(folder.file("tfevents"), record(0) + record(1).substr(0, 20));
  Followed followed(folder.file(""));
  CHECK(followed.read() == 1);
  CHECK(followed.kinds().empty());
  followed.finish();
  CHECK(followed.kinds() == std::vector<std::string>{"event file that ends inside a record"});
  REQUIRE(followed.log.damage().size() == 1);
  CHECK(followed.log.damage()[0].record.bytes == 20);
}

TEST_CASE("files that are cut, deleted or replaced are noticed, and what was read is kept") {
  const test::TemporaryFolder folder;
  for (const char* name : {"cut", "deleted", "replaced", "emptied"}) {
    append(folder.file(std::string(name) + ".tfevents"), record(0) + record(1));
  }
  Followed followed(folder.file(""));
  CHECK(followed.read() == 8);
  REQUIRE(::truncate(folder.file("cut.tfevents").c_str(), 30) == 0);
  std::filesystem::remove(folder.file("deleted.tfevents"));
  append(folder.file("other"), record(7));
  std::filesystem::rename(folder.file("other"), folder.file("replaced.tfevents"));
  std::ofstream(folder.file("emptied.tfevents"), std::ios::trunc) << "";
  followed.refresh();
  CHECK(followed.read() == 9);
  append(folder.file("emptied.tfevents"), record(8));
  append(folder.file("cut.tfevents"), record(9) + record(10));
  followed.refresh();
  CHECK(followed.read() == 10);
  CHECK(followed.kinds() ==
        std::vector<std::string>{
            "event file that was cut; what was read is kept",
            "event file that was deleted; what was read is kept",
            "event file that was replaced; the new one is read from its beginning"});
}

TEST_CASE("another log is read behind the first, its runs under its name") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("one/train"));
  std::filesystem::create_directories(folder.file("two/train"));
  append(folder.file("one/train/tfevents"), record(0));
  append(folder.file("two/train/tfevents"), record(1) + record(2));
  append(folder.file("two/tfevents"), record(3));
  Followed followed(folder.file("one"));
  CHECK(followed.read() == 1);
  CHECK(followed.add(folder.file("two"), "other"));
  CHECK(followed.read() == 4);
  CHECK(followed.log.runs() == std::vector<std::string>{"train", "other", "other/train"});
  CHECK(followed.log.files()[0].file.log == 0);
  CHECK(followed.log.files()[1].file.log == 1);
  const Status again = followed.add(folder.file("two"), "again");
  REQUIRE_FALSE(again);
  CHECK(again.error().message.find("is there already") != std::string::npos);
  CHECK_FALSE(followed.add(folder.file("none"), "none"));
  append(folder.file("two/train/2.tfevents"), record(4));
  append(folder.file("one/train/tfevents"), record(5));
  followed.refresh();
  CHECK(followed.read() == 6);
  CHECK(followed.log.runs().size() == 3);
}

TEST_CASE("only an event file can be opened by itself") {
  const test::TemporaryFolder folder;
  append(folder.file("graph.pb"), "\x0a\x03\x0a\x01x");
  append(folder.file("empty"), "");
  append(folder.file("broken.tfevents"), "not at all");
  Progress silent;
  const auto graph = LogSource::open(folder.file("graph.pb"), AtDamage::kStop, silent);
  REQUIRE_FALSE(graph);
  CHECK(graph.error().code == Code::kInvalidArgument);
  CHECK(LogSource::open(folder.file("empty"), AtDamage::kStop, silent));
  CHECK(LogSource::open(folder.file("broken.tfevents"), AtDamage::kStop, silent));
  const auto none = LogSource::open(folder.file("none"), AtDamage::kStop, silent);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == Code::kNotFound);
}

TEST_CASE("a Git LFS pointer among event files is named, and the others are read") {
  const test::TemporaryFolder folder;
  append(folder.file("a.tfevents"), record(1));
  append(folder.file("b.tfevents"),
         "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 4310\n");
  Followed log(folder.file("."));
  CHECK(log.read() == 1);
  REQUIRE(log.kinds() == std::vector<std::string>{"event file that cannot be read"});
  CHECK_THAT(log.log.diagnostics().entries()[0].example,
             Catch::Matchers::Contains("b.tfevents: is a Git LFS pointer") &&
                 Catch::Matchers::Contains("git lfs pull"));
}

}  // namespace tideline::events
