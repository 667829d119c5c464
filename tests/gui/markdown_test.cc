// Markdown of texts: what is read of it, where its words stand, and that nothing is too much.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>

#include "app/engine/log_contents.h"
#include "app/gui/window_picture.h"
#include "render/model/log_markdown.h"
#include "render/model/parse_markdown.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"
#include "tests/gui/support/golden_picture.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

namespace tideline::gui {
namespace {

using ui::MarkdownBlock;
using ui::MarkdownLayout;
using ui::MarkdownRun;
using ui::MarkdownText;
using ui::parse_markdown;
using Kind = MarkdownBlock::Kind;
using Texts = std::vector<std::string>;

// A run with its look: "*emphasised* **strong** ~struck~ `code` [words](address)".
std::string shown(const MarkdownRun& run) {
  std::string text = run.text;
  if (run.is_code) text = "`" + text + "`";
  if (run.is_emphasised) text = "*" + text + "*";
  if (run.is_strong) text = "**" + text + "**";
  if (run.is_struck) text = "~" + text + "~";
  return run.address.empty() ? text : "[" + text + "](" + run.address + ")";
}

std::string shown(const ui::MarkdownLine& line) {
  std::string text;
  for (const MarkdownRun& run : line) text += shown(run);
  return text;
}

std::string shown(const MarkdownBlock& block) {
  constexpr std::string_view kKinds[] = {"", "heading ", "code ", "table ", "rule"};
  std::string text = std::string(static_cast<std::size_t>(block.quotes), '>') +
                     std::string(static_cast<std::size_t>(block.lists), ' ');
  if (!block.marker.empty()) text += block.marker + " ";
  text += kKinds[static_cast<std::size_t>(block.kind)];
  if (block.level > 0) text += fmt::format("{} ", block.level);
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    text += (i > 0 ? "/" : "") + shown(block.lines[i]);
  }
  for (const auto& row : block.rows) {
    text += "(";
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "|" : "") + shown(row[i]);
    text += ")";
  }
  return text;
}

Texts blocks_of(std::string_view text) {
  Texts blocks;
  for (const MarkdownBlock& block : parse_markdown(text).blocks) blocks.push_back(shown(block));
  return blocks;
}

// Letters of half their size.
float measure(std::string_view words, const MarkdownRun& /*look*/, float size_px) {
  return static_cast<float>(words.size()) * size_px / 2;
}

MarkdownLayout laid_out(std::string_view text, float width_px) {
  return ui::layout_markdown(parse_markdown(text), width_px, 10, measure);
}

constexpr std::string_view kReport = R"(# Run 7

A *small* net, **fast**, with `batch = 64` and ~~no~~ [a page](https://example.com/run7).

* first
  1. inner
  2. other
* second

> What was asked for.

| name | value |
|---|---|
| rate | `0.1` |
| loss | **0.25** |

```
def step(x):
    return x + 1
```

---
<script>alert(1)</script>
![curve](file:///etc/passwd)
)";

// A log that is shown, with this text.
std::unique_ptr<Fixture> logged_text(std::string_view text) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("tfevents"), std::ios::binary) << test::summary_record(
      3, test::tensor_value("report", "text", test::text_tensor({std::string(text)})));
  Progress silent;
  auto read = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(read);
  auto made = empty_fixture();
  made->model.log = app::make_log_contents(
      "/logs/report", std::make_shared<const events::EventLog>(*std::move(read)));
  return made;
}

}  // namespace

TEST_CASE("Markdown is read into blocks of runs", "[markdown]") {
  CHECK(
      blocks_of(kReport) ==
      Texts{
          "heading 1 Run 7",
          "A *small* net, **fast**, with `batch = 64` and ~no~ [a page](https://example.com/run7).",
          " \u2022 first", "  1. inner", "  2. other", " \u2022 second", ">What was asked for.",
          "table (name|value)(rate|`0.1`)(loss|**0.25**)", "code `def step(x):`/`    return x + 1`",
          "rule", "<script>alert(1)</script>", "[curve](file:///etc/passwd)"});
  CHECK(blocks_of("a\nb  \nc") == Texts{"a b/c"});
  CHECK(blocks_of("see ![a curve](x.png)") == Texts{"see [a curve](x.png)"});
  CHECK(blocks_of("***x***") == Texts{"***x***"});
  CHECK(blocks_of("7. a\n8. b") == Texts{" 7. a", " 8. b"});
  CHECK(blocks_of("*\n* b") == Texts{" \u2022 ", " \u2022 b"});
  CHECK(blocks_of("").empty());
}

TEST_CASE("What is hidden in Markdown is made visible, and no byte is too strange", "[markdown]") {
  CHECK(blocks_of("a\x1b[31mred") == Texts{"a\\x1b[31mred"});
  CHECK(blocks_of("[x](<a\x1b b>)") == Texts{"[x](a\\x1b b)"});
  CHECK(blocks_of("[x]()") == Texts{"[x]((no address))"});
  CHECK(blocks_of(std::string_view("a\0b", 3)) == Texts{"a\ufffdb"});
  CHECK(blocks_of("\xff\xfe").size() == 1);
  std::mt19937 random(7);
  constexpr std::string_view kPieces[] = {
      "*", "_",  "`", "[", "]", "(",  ")",     "> ", "- ",   "1. ", "\n",    "|",   "---\n",
      "#", "~~", "<", "x", " ", "\t", "```\n", "\\", "\xc3", "!",   "&amp;", "    "};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (auto n = random() % 60; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    const MarkdownLayout made = laid_out(text, 100);
    CHECK(made.height_px >= 0);
  }
}

TEST_CASE("Deep nesting and long texts of Markdown end soon", "[markdown]") {
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string_view piece :
       {"> ", "- ", "*a ", "[", "[a](", "**a _b ", "`", "| a ", "<b>", "1. "}) {
    std::string text;
    while (text.size() < ui::kMostTextBytes) text += piece;
    const MarkdownLayout made = laid_out(text, 300);
    CHECK(made.pieces.size() <= 2 * text.size());
  }
  // A table of two lines may have thousands of columns.
  std::string table;
  for (int line = 0; line < 3; ++line) {
    for (int i = 0; i < 2000; ++i) table += line == 1 ? "|-" : "|x";
    table += "|\n";
  }
  CHECK(laid_out(table, 300).height_px > 0);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("Words of Markdown are wrapped, stay in the width and do not overlap", "[markdown]") {
  for (const float width_px : {120.0F, 300.0F, 900.0F}) {
    const MarkdownLayout made = laid_out(kReport, width_px);
    INFO(width_px);
    float bottom = 0;
    for (std::size_t i = 0; i < made.pieces.size(); ++i) {
      const render::Rect& rect = made.pieces[i].rect;
      CHECK(rect.x0 >= 0);
      CHECK(rect.x1 <= width_px + 0.01F);
      bottom = std::max(bottom, rect.y1);
      for (std::size_t j = 0; j < i; ++j) {
        const render::Rect& other = made.pieces[j].rect;
        const bool is_apart = rect.x0 >= other.x1 - 0.01F || other.x0 >= rect.x1 - 0.01F ||
                              rect.y0 >= other.y1 - 0.01F || other.y0 >= rect.y1 - 0.01F;
        CHECK(is_apart);
      }
    }
    CHECK(bottom <= made.height_px);
  }
  // A word without a place to break is broken between letters.
  const MarkdownLayout broken = laid_out(std::string(50, 'x') + " y", 100);
  REQUIRE(broken.pieces.size() == 3);
  CHECK(broken.pieces[0].run.text.size() == 20);
  CHECK(broken.pieces[2].run.text == std::string(10, 'x') + " y");
}

TEST_CASE("Cells of a logged table have Markdown, too", "[markdown]") {
  ui::ShownText text;
  text.table = {{"name", "value"}, {"*rate*", "a | b"}, {"---", ""}};
  const MarkdownText made = ui::markdown_of(text, parse_markdown);
  REQUIRE(made.blocks.size() == 1);
  CHECK(shown(made.blocks[0]) == "table (name|value)(*rate*|a | b)(---|)");
}

TEST_CASE("A text is laid out once, and again in another width or another log", "[markdown]") {
  static int parsed = 0;
  parsed = 0;
  const auto parse = [](std::string_view text) {
    ++parsed;
    return parse_markdown(text);
  };
  const auto fixture = logged_text("some words of it");
  ui::LogMarkdown kept;
  kept.update(fixture->model.log);
  ui::ShownText text;
  text.text = "some words of it";
  const ui::LogRowKey key{0, 0};
  const float one = kept.row(key, text, 400, 10, parse, measure).height_px;
  CHECK(kept.row(key, text, 400, 10, parse, measure).height_px == one);
  CHECK(kept.row(key, text, 40, 10, parse, measure).height_px > one);
  CHECK(parsed == 1);
  kept.update(nullptr);
  kept.update(fixture->model.log);
  static_cast<void>(kept.row(key, text, 400, 10, parse, measure));
  CHECK(parsed == 2);
}

TEST_CASE("Texts of a log are shown with their Markdown, and as written a click away",
          "[markdown]") {
  const auto fixture = logged_text(kReport);
  Driver driver(fixture->model, 1000, 900);
  driver.view.log.page = ui::LogPage::kText;
  driver.frames(3);
  driver.click("texts/./report/as written");
  CHECK(driver.take() == ui::Intents{{"log.text", {"raw"}}});
  driver.view.log.is_raw_text = true;
  driver.frames(2);
  driver.click("texts/./report/rendered");
  CHECK(driver.take() == ui::Intents{{"log.text", {"rendered"}}});
}

TEST_CASE("Markdown looks as it did", "[markdown][golden]") {
  const auto fixture = logged_text(kReport);
  ui::ViewState view;
  view.log.page = ui::LogPage::kText;
  view.log.is_wide = true;
  const auto drawn = draw_window_frames(fixture->model, view, 900, 700);
  REQUIRE(drawn);
  check_golden("markdown", *drawn);
}

}  // namespace tideline::gui
