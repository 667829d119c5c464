// Which graph of a SavedModel a page opens.
#include <catch2/catch.hpp>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using namespace test;

}  // namespace

TEST_CASE("Of graphs with the same tags a page opens the one whose number it gives", "[routes]") {
  auto paths = *web::AllowedPaths::make({test::kData / "foreign/graphs"}, "");
  web::Routes routes(web::Gate(kToken, {}), *paths);
  Client client(routes);
  const auto open = [&](const json& number) {
    const json body = {{"source",
                        {{"path", (test::kData / "foreign/graphs/equal_tags").string()},
                         {"tag", "serve"},
                         {"meta_graph", number}}}};
    return client.ask(request_text("POST /api/v1/sessions", kFields, body.dump()));
  };
  CHECK(open("2").status == 422);
  CHECK(open(-1).status == 422);
  const Reply opened = open(2);
  REQUIRE(opened.status == 201);
  const std::string session = "/api/v1/sessions/" + opened.json()["id"].get<std::string>();
  (void)client.ask(request_text("POST " + session + "/act", kFields, R"({"wait_ms": 20000})"));
  const auto found = [&](const std::string& op) {
    return client
        .ask(request_text("GET " + session + "/rows?table=search&count=2&filter=" + op, kFields))
        .json()["total"];
  };
  CHECK(found("a_serve2") == 1);
  CHECK(found("a_serve1") == 0);
}

}  // namespace tideline
