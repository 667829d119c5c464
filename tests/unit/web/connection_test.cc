#include "app/web/connection.h"

#include <zlib.h>

#include <atomic>
#include <mutex>

#include "tests/unit/web/web_fixture.h"

namespace tideline {
namespace {

using test::Client;
using test::Reply;
using test::request_text;
using namespace std::chrono_literals;

// Says what it was asked; takes at most 1000 bytes, and 10 MB at /upload.
class Echo final : public web::Application {
 public:
  std::variant<web::ExpectedBody, web::Response> begin(const web::Request& request) override {
    if (request.path == "/refused") return web::error_response(403, "no", "no");
    if (request.path != "/upload") return web::ExpectedBody{1000};
    web::ExpectedBody plan;
    plan.most_bytes = 10'000'000;
    plan.take = [this](std::string_view bytes) -> std::optional<web::Response> {
      largest = std::max(largest.load(), bytes.size());
      taken += bytes.size();
      if (bytes.find("stop") == std::string_view::npos) return std::nullopt;
      return web::error_response(422, "stopped", "stopped");
    };
    plan.finish = [this] {
      web::Response response;
      response.body = std::to_string(taken);
      return response;
    };
    return plan;
  }
  web::Response answer(const web::Request& request) override {
    web::Response response;
    response.type = "text/plain";
    response.body = request.path + "|" + request.body;
    if (request.path == "/long") response.body = std::string(100'000, 'x');
    if (request.path == "/empty") response.status = 204;
    return response;
  }
  std::atomic<std::size_t> largest = 0;
  std::atomic<std::uint64_t> taken = 0;
};

std::string unpacked(const std::string& packed) {
  std::string content(1 << 20U, '\0');
  z_stream stream = {};
  REQUIRE(::inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  REQUIRE(::inflate(&stream, Z_FINISH) == Z_STREAM_END);
  content.resize(stream.total_out);
  ::inflateEnd(&stream);
  return content;
}

}  // namespace

TEST_CASE("A connection answers one request after the other", "[web connection]") {
  Echo echo;
  Client client(echo);
  CHECK(client.ask(request_text("GET /a")).body == "/a|");
  CHECK(client.ask(request_text("POST /b", "", "body")).body == "/b|body");
  // Two at once, the second in pieces.
  client.send(request_text("POST /c", "", "1") + "GET /d HT");
  CHECK(client.receive().body == "/c|1");
  client.send("TP/1.1\r\n\r\n");
  CHECK(client.receive().body == "/d|");
  const Reply empty = client.ask(request_text("GET /empty"));
  CHECK(empty.status == 204);
  CHECK_FALSE(empty.fields.contains("Content-Length"));
  client.send(request_text("HEAD /a"));
  CHECK(client.receive(false).fields["Content-Length"] == "3");
  CHECK(client.ask(request_text("GET /refused")).status == 403);
  const Reply last = client.ask(request_text("GET /e", "Connection: close\r\n"));
  CHECK(last.fields.at("Connection") == "close");
  CHECK(client.is_over());
}

TEST_CASE("Every answer has the fields that keep other pages away", "[web connection]") {
  Echo echo;
  Client client(echo);
  for (const char* path : {"GET /a", "GET /refused"}) {
    const Reply reply = client.ask(request_text(path));
    CHECK(reply.fields.at("Content-Security-Policy").starts_with("default-src 'none'; "));
    CHECK(reply.fields.at("Content-Security-Policy").ends_with("frame-ancestors 'none'"));
    CHECK(reply.fields.at("X-Content-Type-Options") == "nosniff");
    CHECK(reply.fields.at("Referrer-Policy") == "no-referrer");
    CHECK(reply.fields.at("Cross-Origin-Resource-Policy") == "same-origin");
    CHECK(reply.fields.at("Cross-Origin-Opener-Policy") == "same-origin");
    CHECK(reply.fields.at("Cache-Control") == "no-store");
    CHECK_FALSE(reply.fields.contains("Access-Control-Allow-Origin"));
  }
}

TEST_CASE("Long answers are packed for those who can unpack them", "[web connection]") {
  Echo echo;
  Client client(echo);
  const Reply packed = client.ask(request_text("GET /long", "Accept-Encoding: br, gzip\r\n"));
  CHECK(packed.fields.at("Content-Encoding") == "gzip");
  CHECK(packed.body.size() < 1000);
  CHECK(unpacked(packed.body) == std::string(100'000, 'x'));
  for (const char* field : {"", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n"}) {
    const Reply plain = client.ask(request_text("GET /long", field));
    CHECK_FALSE(plain.fields.contains("Content-Encoding"));
    CHECK(plain.body.size() == 100'000);
  }
  CHECK_FALSE(client.ask(request_text("GET /a", "Accept-Encoding: gzip\r\n"))
                  .fields.contains("Content-Encoding"));
}

TEST_CASE("Bodies without length, in chunks or too large are refused", "[web connection]") {
  Echo echo;
  const auto refused = [&](const std::string& text) {
    Client client(echo);
    const Reply reply = client.ask(text);
    CHECK(client.is_over());
    return reply.status;
  };
  CHECK(refused("POST /a HTTP/1.1\r\n\r\n") == 411);
  CHECK(refused("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n") ==
        411);
  CHECK(refused(request_text("POST /a", "", std::string(1001, 'x'))) == 413);
  CHECK(refused("POST /upload HTTP/1.1\r\nContent-Length: 10000001\r\n\r\n") == 413);
  CHECK(refused(request_text("POST /refused", "", "body")) == 403);
  CHECK(refused("GET /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n") == 400);
  CHECK(refused("nonsense\r\n\r\n") == 400);
  CHECK(refused("GET /" + std::string(1 << 20U, 'a')) == 431);
}

TEST_CASE("An upload comes in pieces, and may be refused in the middle", "[web connection]") {
  Echo echo;
  {
    Client client(echo);
    const std::string body(5'000'000, 'x');
    const Reply reply = client.ask(request_text("POST /upload", "", body));
    CHECK(reply.body == "5000000");
    CHECK(echo.largest <= 65536);
    CHECK(client.ask(request_text("GET /a")).status == 200);
  }
  Client client(echo);
  const Reply reply =
      client.ask(request_text("POST /upload", "", "stop" + std::string(1'000'000, 'x')));
  CHECK(reply.status == 422);
  CHECK(client.is_over());
}

TEST_CASE("Who asks first whether to send a body is told to", "[web connection]") {
  Echo echo;
  Client client(echo);
  client.send("POST /a HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  CHECK(client.receive(false).status == 100);
  client.send("ok");
  CHECK(client.receive().body == "/a|ok");
}

TEST_CASE("Slow senders are told so, idle connections end without a word", "[web connection]") {
  Echo echo;
  {
    Client client(echo, {50ms, 50ms, 20ms});
    client.send("GET / HTT");
    CHECK(client.receive().status == 408);
    CHECK(client.is_over());
  }
  {
    Client client(echo, {50ms, 50ms, 20ms});
    client.send("POST /a HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc");
    CHECK(client.receive().status == 408);
    CHECK(client.is_over());
  }
  {
    // A byte now and then does not help a header, whose deadline is for all of it.
    Client client(echo, {200ms, 10s, 10s});
    client.send("G");
    std::jthread slow([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        client.send("E");
        std::this_thread::sleep_for(5ms);
      }
    });
    CHECK(client.receive().status == 408);
  }
  Client client(echo, {50ms, 50ms, 20ms});
  CHECK(client.receive().status == 0);
}

TEST_CASE("Stopping ends a connection that waits", "[web connection]") {
  Echo echo;
  const auto begin = std::chrono::steady_clock::now();
  {
    Client client(echo);
    client.send("GET / HTT");
  }
  CHECK(std::chrono::steady_clock::now() - begin < 20s);
}

}  // namespace tideline
