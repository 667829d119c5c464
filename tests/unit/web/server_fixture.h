// The routes with their gate, and what a page sends them.
#pragma once

#include <string>
#include <vector>

#include "app/web/routes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/unit/session/viewer_fixture.h"
#include "tests/unit/web/web_fixture.h"

namespace tideline::test {

using nlohmann::json;

inline const std::string kToken(64, 't');
inline const std::string kOwn = "Host: localhost:8080\r\n";
inline const std::string kFields = kOwn + "Authorization: Bearer " + kToken + "\r\n";

// A server with the samples, or another folder, open, and a folder for writing.
struct Server {
  explicit Server(const web::RoutesOptions& options = {},
                  const std::filesystem::path& open = kSource / "assets/samples")
      : paths(*web::AllowedPaths::make({open}, folder.file(""))),
        routes(web::Gate(kToken, {}), *paths, options),
        client(routes) {}

  Reply get(const std::string& path) {
    return client.ask(request_text("GET /api/v1/" + path, kFields));
  }
  Reply post(const std::string& path, const json& body) {
    return client.ask(request_text("POST /api/v1/" + path, kFields, body.dump()));
  }
  Reply act(const json& body) { return post("sessions/" + id + "/act", body); }
  json state() { return act({{"wait_ms", 20'000}}).json(); }

  // A session of a sample, once it is read.
  void open(const std::string& name = "tutorial_mnist.meta", const json& resume = nullptr) {
    const std::string path = (kSource / "assets/samples" / name).string();
    const Reply reply = post("sessions", {{"source", {{"path", path}}}, {"resume", resume}});
    INFO(reply.body);
    REQUIRE(reply.status == 201);
    id = reply.json()["id"];
    REQUIRE(state()["graph"].is_object());
  }

  TemporaryFolder folder;
  std::unique_ptr<web::AllowedPaths> paths;
  web::Routes routes;
  Client client;
  std::string id;
};

// A list of lists, which json's own braces would take for an object.
inline json lines(const std::vector<std::vector<std::string>>& actions) {
  return actions;
}

inline json one_picture(const char* view = "levels") {
  return {{"view", view}, {"w", 800}, {"h", 300}, {"font", 15}};
}

}  // namespace tideline::test
