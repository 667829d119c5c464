// Images, texts and hyperparameters of a log as a page asks for them.
#include <filesystem>
#include <fstream>

#include "core/base/base64.h"
#include "tests/support/made_summaries.h"
#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::Reply;
using test::Server;

const std::filesystem::path kLogFolder = test::kSource / "tests/data/logs";

void open_log(Server& server, const std::filesystem::path& path) {
  const Reply reply =
      server.post("sessions", {{"source", {{"path", path.string()}, {"document", "log"}}}});
  REQUIRE(reply.status == 201);
  server.id = reply.json()["id"];
  REQUIRE(server.state()["log"].is_object());
}

json rows_of(Server& server, const std::string& query) {
  const Reply reply = server.get("sessions/" + server.id + "/rows?" + query);
  INFO(reply.body);
  REQUIRE(reply.status == 200);
  return reply.json();
}

json first_card(Server& server, const char* page) {
  REQUIRE(server.act({{"do", lines({{"log.page", page}})}}).status == 200);
  const json rows = rows_of(server, "table=log-charts");
  REQUIRE(rows["total"] > 0);
  return rows_of(server, "table=log-row&series=" + rows["rows"][0]["series"].dump());
}

}  // namespace

TEST_CASE("Images come as the bytes that the log has, with the kind of their file",
          "[routes_log_cards]") {
  Server server({}, kLogFolder);
  open_log(server, kLogFolder / "tf2_keras");
  const json card = first_card(server, "images");
  CHECK(card["problem"] == "");
  REQUIRE(card["images"].size() > 0);
  CHECK(card["images"][0]["type"] == "png");
  const auto bytes = from_base64(card["images"][0]["data"].get<std::string>());
  REQUIRE(bytes);
  CHECK(bytes->substr(1, 3) == "PNG");
  CHECK(card["row"] == card["row_count"].get<std::size_t>() - 1);  // the newest
}

TEST_CASE("Another row of a series is chosen by the view, and for all by log.step",
          "[routes_log_cards]") {
  Server server({}, kLogFolder);
  open_log(server, kLogFolder / "tf2_keras");
  const json newest = first_card(server, "images");
  REQUIRE(newest["row_count"] > 1);
  const json view = {{"log", {{"rows", {{newest["series"], 0}}}}}};
  REQUIRE(server.act({{"view", view}}).status == 200);
  const std::string query = "table=log-row&series=" + newest["series"].dump();
  const json oldest = rows_of(server, query);
  CHECK(oldest["row"] == 0);
  CHECK(oldest["step"] < newest["step"]);
  REQUIRE(server.act({{"do", lines({{"log.step"}})}}).status == 200);
  CHECK(rows_of(server, query) == newest);
}

TEST_CASE("Text is text, whatever is in it", "[routes_log_cards]") {
  Server server({}, kLogFolder);
  open_log(server, kLogFolder / "tf2_keras");
  const json card = first_card(server, "text");
  CHECK(card["problem"] == "");
  CHECK((!card["lines"].empty() || !card["cells"].empty()));
  CHECK(card["left_out"] == 0);
}

TEST_CASE("A text comes as blocks of its Markdown, in which all is text, or as it was written",
          "[routes_log_cards]") {
  const test::TemporaryFolder folder;
  const std::string text =
      "# Run <b>7</b>\n\n> - **fast** [page](javascript:alert(1))\n\n| a | b |\n|---|---|\n| 1 | "
      "`2` |\n\n"
      "<script>alert(1)</script>\n\n    code\n\n---\n";
  std::ofstream(folder.file("tfevents"), std::ios::binary)
      << test::summary_record(3, test::tensor_value("report", "text", test::text_tensor({text})));
  Server server({}, folder.file(""));
  open_log(server, folder.file(""));
  const json card = first_card(server, "text");
  const json& blocks = card["blocks"];
  REQUIRE(blocks.size() == 6);
  CHECK(blocks[0] == json({{"kind", "heading"},
                           {"level", 1},
                           {"lines", {json::array({{{"text", "Run <b>7</b>"}}})}}}));
  CHECK(blocks[1]["kind"] == "paragraph");
  CHECK(blocks[1]["lists"] == 1);
  CHECK(blocks[1]["quotes"] == 1);
  CHECK(blocks[1]["marker"] == "\u2022");
  CHECK(blocks[1]["lines"][0][0] == json({{"text", "fast"}, {"look", "b"}}));
  CHECK(blocks[1]["lines"][0][2] == json({{"text", "page"}, {"address", "javascript:alert(1)"}}));
  CHECK(blocks[2]["rows"][1][1] == json::array({{{"text", "2"}, {"look", "c"}}}));
  CHECK(blocks[3]["lines"][0][0]["text"] == "<script>alert(1)</script>");
  CHECK(blocks[4]["kind"] == "code");
  CHECK(blocks[5]["kind"] == "rule");
  // As written, there are no blocks; the view keeps that.
  REQUIRE(server.act({{"do", lines({{"log.text", "raw"}})}}).status == 200);
  const json raw = first_card(server, "text");
  CHECK_FALSE(raw.contains("blocks"));
  CHECK(raw["lines"][0] == "# Run <b>7</b>");
  CHECK(server.state()["view"]["log"]["raw_text"] == true);
  REQUIRE(server.act({{"view", {{"log", {{"raw_text", false}}}}}}).status == 200);
  CHECK(first_card(server, "text").contains("blocks"));
}

TEST_CASE("Hyperparameters are the table that the command line prints, of the runs that are shown",
          "[routes_log_cards]") {
  const std::filesystem::path log = test::kSource / "tests/data/foreign/logs/hparams";
  Server server({}, log);
  open_log(server, log);
  const json table = rows_of(server, "table=hparams");
  CHECK(table["columns"] ==
        json({"lr", "units", "optimizer", "batch_norm", "seed", "validation/accuracy", "loss"}));
  REQUIRE(table["total"] == 2);
  CHECK(table["rows"][0]["run"] == "run0");
  CHECK(table["rows"][0]["status"] == "success");
  CHECK(table["rows"][0]["cells"][2] == "adam");
  CHECK(table["rows"][1]["cells"][3] == "false");
  REQUIRE(server.act({{"do", lines({{"log.runs", "hide", "run0"}})}}).status == 200);
  CHECK(rows_of(server, "table=hparams")["total"] == 1);
}

TEST_CASE("A row of what has no card is refused", "[routes_log_cards]") {
  Server server({}, kLogFolder);
  open_log(server, kLogFolder / "tf2_keras");
  for (const char* wrong : {"", "&series=", "&series=99999", "&series=-1", "&series=x"}) {
    INFO(wrong);
    CHECK(server.get("sessions/" + server.id + "/rows?table=log-row" + wrong).status == 422);
  }
  const json hparams = rows_of(server, "table=hparams");
  CHECK(hparams["total"] == 0);
  CHECK(hparams["columns"].empty());
}

}  // namespace tideline
