// Checkpoints as a page asks for them: tensors, the selected one, verifying and comparing.
#include <filesystem>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::Reply;
using test::Server;

const std::filesystem::path kCheckpoints = test::kSource / "tests/data/checkpoints";

struct CheckpointServer : Server {
  explicit CheckpointServer(const std::filesystem::path& open = kCheckpoints,
                            const std::filesystem::path& file = kCheckpoints / "small/ckpt.index")
      : Server({}, open) {
    const Reply reply =
        post("sessions", {{"source", {{"path", file.string()}, {"document", "checkpoint"}}}});
    INFO(reply.body);
    REQUIRE(reply.status == 201);
    id = reply.json()["id"];
    REQUIRE(state()["checkpoint"].is_object());
  }
  json rows(const std::string& query) {
    const Reply reply = get("sessions/" + id + "/rows?" + query);
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return reply.json();
  }
  Reply does(const std::vector<std::string>& words) {
    return act({{"do", lines({words})}, {"wait_ms", 20'000}});
  }
  // By bytes: then there is no tree.
  json first_tensor() { return rows("table=tensors&sort=-bytes")["rows"][0]; }
};

}  // namespace

TEST_CASE("A session of a checkpoint lists its tensors, sorted and filtered",
          "[routes_checkpoint]") {
  CheckpointServer server;
  const json state = server.state();
  CHECK(state["document"]["kind"] == "checkpoint");
  CHECK(state["graph"].is_null());
  CHECK(state["checkpoint"]["facts"].is_null());
  const std::size_t count = state["checkpoint"]["tensors"];
  REQUIRE(count > 2);
  const json sorted = server.rows("table=tensors&sort=-bytes");
  REQUIRE(sorted["total"] == count);
  for (std::size_t i = 1; i < count; ++i) {
    CHECK(sorted["rows"][i - 1]["bytes"] >= sorted["rows"][i]["bytes"]);
  }
  const json& first = sorted["rows"][0];
  CHECK_FALSE(first["type"].get<std::string>().empty());
  CHECK(first["shape"].get<std::string>().starts_with("["));
  const std::string name = first["tensor"];
  const json filtered = server.rows("table=tensors&sort=-bytes&filter=" + name);
  CHECK(filtered["total"] < count);
  CHECK(filtered["rows"][0]["tensor"] == name);
  CHECK(server.rows("table=tensors&sort=-bytes")["total"] == count);
  CHECK(server.get("sessions/" + server.id + "/rows?table=tensors&sort=color").status == 422);
  CHECK(server.get("sessions/" + server.id + "/rows?table=swaps").status == 422);
  CHECK(server.get("sessions/" + server.id + "/picture?view=levels&w=99&h=99").status == 422);
}

TEST_CASE("Names are a tree whose parts can be closed", "[routes_checkpoint]") {
  CheckpointServer server;
  const json tree = server.rows("table=tensors&sort=name");
  const auto part = std::find_if(tree["rows"].begin(), tree["rows"].end(),
                                 [](const json& row) { return row["has_parts"] == true; });
  REQUIRE(part != tree["rows"].end());
  const json view = {{"checkpoint", {{"closed", {(*part)["node"]}}}}};
  CHECK(server.act({{"view", view}}).status == 200);
  const json closed = server.rows("table=tensors&sort=name");
  CHECK(closed["total"] < tree["total"]);
  CHECK(server.act({{"view", {{"checkpoint", {{"closed", {-1}}}}}}}).status == 422);
  CHECK(server.act({{"view", {{"checkpoint", {{"page", 1}}}}}}).status == 422);
  CHECK(server.state()["view"]["checkpoint"] == view["checkpoint"]);
}

TEST_CASE("A tensor is looked at, and the checkpoint verified", "[routes_checkpoint]") {
  CheckpointServer server;
  const json tensor = server.first_tensor();
  const json state = server.does({"checkpoint.select", tensor["tensor"]}).json();
  const json& checkpoint = state["checkpoint"];
  CHECK(state["busy"] == false);
  CHECK(checkpoint["selected"] == tensor["tensor"]);
  REQUIRE(checkpoint["facts"].is_object());
  CHECK(checkpoint["facts"]["problem"] == "");
  CHECK_FALSE(checkpoint["facts"]["rows"].empty());
  CHECK_FALSE(checkpoint["facts"]["histogram"].empty());
  CHECK(server.does({"checkpoint.select", "nothing"}).status == 422);
  CHECK(checkpoint["check"].is_null());
  const json verified = server.does({"checkpoint.verify"}).json();
  CHECK(verified["checkpoint"]["check"]["whole"] == true);
}

TEST_CASE("Another checkpoint is compared, from the folders alone", "[routes_checkpoint]") {
  CheckpointServer server;
  const json tensor = server.first_tensor();
  const std::string same = (kCheckpoints / "small/ckpt.index").string();
  json state = server.does({"checkpoint.compare", same}).json();
  CHECK(state["checkpoint"]["comparison"]["different"] == 0);
  CHECK(server.rows("table=differences")["total"] == 0);
  state = server.does({"checkpoint.compare", (kCheckpoints / "sliced/ckpt.index").string()}).json();
  const json differences = server.rows("table=differences");
  CHECK(differences["total"] > 0);
  CHECK(state["checkpoint"]["comparison"]["different"] == differences["total"]);
  CHECK_FALSE(differences["rows"][0]["what"].get<std::string>().empty());
  const std::string outside =
      (test::kSource / "tests/data/foreign/checkpoints/fp4.safetensors").string();
  CHECK(server.does({"checkpoint.compare", outside}).status == 422);
  CHECK(server.does({"checkpoint.compare", "/etc/passwd"}).status == 422);
  CHECK(server.does({"checkpoint.convert", "out.safetensors"}).code() == "unsupported");
  CHECK(server.does({"checkpoint.backends"}).code() == "unsupported");
}

TEST_CASE("A file of a checkpoint that is a link out of the folders is not followed",
          "[routes_checkpoint]") {
  const test::TemporaryFolder folder;
  namespace fs = std::filesystem;
  fs::copy_file(kCheckpoints / "small/ckpt.index", folder.file("ckpt.index"));
  const char* const data = "ckpt.data-00000-of-00001";
  fs::create_symlink(kCheckpoints / "small" / data, folder.file(data));
  Server server({}, folder.file(""));
  const json source = {{"path", folder.file("ckpt.index")}, {"document", "checkpoint"}};
  const Reply reply = server.post("sessions", {{"source", source}});
  CHECK(reply.status == 422);
  CHECK(reply.body.find("leads out of the folders") != std::string::npos);
}

TEST_CASE("A folder of variables that is a link out of the folders is not followed",
          "[routes_checkpoint]") {
  const test::TemporaryFolder folder;
  const test::TemporaryFolder outside;
  namespace fs = std::filesystem;
  fs::copy_file(kCheckpoints / "small/ckpt.index", outside.file("variables.index"));
  fs::create_directory(folder.file("model"));
  fs::create_directory_symlink(outside.file(""), folder.file("model/variables"));
  Server server({}, folder.file(""));
  const json source = {{"path", folder.file("model")}, {"document", "checkpoint"}};
  const Reply reply = server.post("sessions", {{"source", source}});
  CHECK(reply.status == 422);
  CHECK(reply.body.find("leads out of the folders") != std::string::npos);
  fs::remove(folder.file("model/variables"));
  fs::create_directory(folder.file("model/variables"));
  CHECK(server.post("sessions", {{"source", source}}).status == 201);
}

TEST_CASE("A checkpoint that was named alone is opened with the files beside it",
          "[routes_checkpoint]") {
  const std::filesystem::path file = kCheckpoints / "small/ckpt.index";
  CheckpointServer server(file, file);
  const json sources = server.get("sources").json();
  REQUIRE(sources["checkpoints"].size() == 1);
  CHECK(sources["graphs"].empty());
  const json tensor = server.first_tensor();
  const json state = server.does({"checkpoint.select", tensor["tensor"]}).json();
  CHECK(state["checkpoint"]["facts"]["problem"] == "");
}

}  // namespace tideline
