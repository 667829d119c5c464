#include "render/model/log_texts.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::ui {
namespace {

ShownText shown(const std::string& tensor) {
  const test::TemporaryFolder folder;
  std::ofstream file(folder.file("tfevents"), std::ios::binary);
  file << test::summary_record(3, test::tensor_value("note", "text", tensor));
  file.close();
  Progress silent;
  const auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  REQUIRE(log->series().size() == 1);
  return shown_text(*log, log->series()[0].rows[0]);
}

}  // namespace

TEST_CASE("A text is shown line by line, with what is hidden in it made visible", "[model]") {
  const ShownText text = shown(test::text_tensor({"first\r\nsecond \x1b[31mred\n\nlast"}));
  CHECK(text.lines == std::vector<std::string>{"first", "second \\x1b[31mred", "", "last"});
  CHECK(text.first_line == "first");
  CHECK(text.text == "first\r\nsecond \x1b[31mred\n\nlast");  // for who reads Markdown
  CHECK(text.left_out == 0);
  CHECK(text.problem.empty());
}

TEST_CASE("The cells of a table are separated by bars", "[model]") {
  // DT_STRING of shape [2,2].
  std::string tensor("\x08\x07\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02", 12);
  for (const char* cell : {"name", "value", "rate", "0.1"}) tensor += test::bytes_field(8, cell);
  CHECK(shown(tensor).lines == std::vector<std::string>{"name | value", "rate | 0.1"});
}

TEST_CASE("A text that is a table keeps its rows and columns", "[model]") {
  using Row = std::vector<std::string>;
  // DT_STRING of shape [2,2].
  std::string tensor("\x08\x07\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02", 12);
  for (const char* cell : {"name", "value", "rate", "0.1\x1b"})
    tensor += test::bytes_field(8, cell);
  CHECK(shown(tensor).table == std::vector<Row>{{"name", "value"}, {"rate", "0.1\\x1b"}});
  CHECK(shown(test::text_tensor({"a", "b"})).table.empty());
  CHECK(shown(test::text_tensor({"a", "b"})).text == "a\n\nb");  // each is a text of its own
  // More columns than fit: DT_STRING of shape [1,70].
  std::string wide("\x08\x07\x12\x08\x12\x02\x08\x01\x12\x02\x08\x46", 12);
  for (int i = 0; i < 70; ++i) wide += test::bytes_field(8, "x");
  const ShownText cut = shown(wide);
  REQUIRE(cut.table.size() == 1);
  CHECK(cut.table[0].size() == kMostTextColumns);
  CHECK(cut.left_out == 10);
}

TEST_CASE("A long text is cut between characters, and says what is left out", "[model]") {
  std::string long_text(kMostTextBytes - 1, 'a');
  long_text += "\u00e9 and more";
  const ShownText text = shown(test::text_tensor({long_text}));
  REQUIRE(text.lines.size() == 1);
  CHECK(text.lines[0] == std::string(kMostTextBytes - 1, 'a'));
  CHECK(text.left_out == 11);
  CHECK(text.first_line.size() == 200);
}

TEST_CASE("A text of megabytes is not decoded for the screen", "[model]") {
  const ShownText text = shown(test::text_tensor({std::string(kMostTextRowBytes, 'a')}));
  CHECK(text.lines.empty());
  CHECK(text.problem.starts_with("4.00 MiB of text"));
}

TEST_CASE("A text that is no tensor of strings says so", "[model]") {
  CHECK_FALSE(shown(test::float_tensor(1)).problem.empty());
}

}  // namespace tideline::ui
