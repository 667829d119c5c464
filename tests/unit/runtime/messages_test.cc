#include "core/runtime/messages.h"

#include <catch2/catch.hpp>

namespace tideline::runtime {
namespace {

TensorValue sample() {
  return {DataType::kInt16, {2, 1}, "abcd"};
}

TEST_CASE("a frame says how long it is and what it holds", "[runtime][messages]") {
  const std::string bytes = frame(MessageKind::kRun, std::string(300, 'x'));
  const auto head = read_frame_head(bytes);
  REQUIRE(head);
  CHECK(head->kind == MessageKind::kRun);
  CHECK(head->content_bytes == 300);
  CHECK(bytes.size() == kFrameHeadBytes + 300);
}

TEST_CASE("a head that nobody wrote is refused", "[runtime][messages]") {
  CHECK_FALSE(read_frame_head("short"));
  CHECK_FALSE(read_frame_head(std::string(8, '\0') + '\0'));
  CHECK_FALSE(read_frame_head(std::string(8, '\0') + '\x09'));
  CHECK_FALSE(read_frame_head(std::string(8, '\xff') + '\1'));
}

TEST_CASE("a graph to optimize is four parts, each behind its length", "[runtime][messages]") {
  CHECK(encode(GraphToOptimize{true, "graph", {"a", "b"}, ""}) ==
        std::string("\x0c\0\0\0\0\0\0\0MetaGraphDef"
                    "\5\0\0\0\0\0\0\0graph"
                    "\3\0\0\0\0\0\0\0a\nb"
                    "\0\0\0\0\0\0\0\0",
                    52));
}

TEST_CASE("requests and answers arrive as they were sent", "[runtime][messages]") {
  LoadRequest load;
  load.library = "lib.so";
  load.op_libraries = {"a.so", "b.so"};
  load.graph = std::string("graph\0x", 7);
  load.config = "config";
  load.target = "grpc://a:1";
  load.run_limit_ms = 1500;
  load.memory_limit = Bytes{1} << 40U;
  const auto loaded = decode_load(encode(load));
  REQUIRE(loaded);
  CHECK(loaded->library == load.library);
  CHECK(loaded->op_libraries == load.op_libraries);
  CHECK(loaded->graph == load.graph);
  CHECK(loaded->config == load.config);
  CHECK(loaded->target == load.target);
  CHECK(loaded->run_limit_ms == 1500);
  CHECK(loaded->memory_limit == load.memory_limit);
  CHECK_FALSE(decode_load(encode(LoadRequest{}))->memory_limit);
  CHECK(loaded->may_write);
  LoadRequest confined = load;
  confined.may_write = false;
  CHECK_FALSE(decode_load(encode(confined))->may_write);

  const auto serve =
      decode_serve(encode(ServeRequest{"lib.so", "server", "127.0.0.1", 2222, Bytes{1} << 40U}));
  REQUIRE(serve);
  CHECK(serve->library == "lib.so");
  CHECK(serve->server == "server");
  CHECK(serve->bind == "127.0.0.1");
  CHECK(serve->port == 2222);
  CHECK(serve->memory_limit == Bytes{1} << 40U);

  RunRequest run;
  run.feeds.emplace_back(TensorName{"x", 2}, sample());
  run.fetches = {{"loss", 0}, {"other", 1}};
  run.targets = {"train", "more"};
  run.trace = true;
  const auto ran = decode_run(encode(run));
  REQUIRE(ran);
  REQUIRE(ran->feeds.size() == 1);
  CHECK(ran->feeds[0].first.op == "x");
  CHECK(ran->feeds[0].first.slot == 2);
  CHECK(ran->feeds[0].second.dims == sample().dims);
  CHECK(ran->feeds[0].second.content == "abcd");
  REQUIRE(ran->fetches.size() == 2);
  CHECK(ran->fetches[1].op == "other");
  CHECK(ran->fetches[1].slot == 1);
  CHECK(ran->targets == run.targets);
  CHECK(ran->trace);

  Answer answer;
  answer.code = 9;
  answer.message = "no";
  answer.version = "2.15.1";
  answer.values = {sample(), sample()};
  answer.run_metadata = "trace";
  answer.graph = "optimized";
  answer.devices = {{"/job:a/task:0/device:CPU:0", 1 << 20}, {"/job:a/task:0/device:GPU:0", 0}};
  const auto answered = decode_answer(encode(answer));
  REQUIRE(answered);
  CHECK(answered->code == 9);
  CHECK(answered->message == "no");
  CHECK(answered->version == "2.15.1");
  CHECK(answered->values.size() == 2);
  CHECK(answered->run_metadata == "trace");
  CHECK(answered->graph == "optimized");
  REQUIRE(answered->devices.size() == 2);
  CHECK(answered->devices[0].memory == 1 << 20);
  CHECK(answered->devices[1].name == "/job:a/task:0/device:GPU:0");
}

TEST_CASE("damaged messages are errors, never values of the wrong size", "[runtime][messages]") {
  Answer answer;
  answer.values = {sample()};
  const std::string good = encode(answer);
  int readable = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {1, 2, 8, 0x80}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      const auto decoded = decode_answer(bad);
      if (!decoded) continue;
      ++readable;
      for (const TensorValue& value : decoded->values) {
        CHECK(tensor_content_bytes(value.type, value.dims) ==
              static_cast<Bytes>(value.content.size()));
      }
    }
  }
  CHECK(readable > 0);  // where a byte of the text was changed
  for (std::size_t size = 1; size < good.size(); ++size) {
    const auto decoded = decode_answer(std::string_view(good).substr(0, size));
    CHECK((!decoded || decoded->values.empty() || decoded->values[0].content == "abcd"));
  }
}

}  // namespace
}  // namespace tideline::runtime
