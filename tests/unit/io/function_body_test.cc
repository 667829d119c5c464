#include "core/io/function_body.h"

#include <catch2/catch.hpp>

#include "core/io/wire.h"

namespace tideline::io {
namespace {

std::string field(std::uint32_t number, const std::string& content) {
  std::string out;
  append_bytes(out, number, content);
  return out;
}

std::string op(const std::string& name, const std::string& type,
               const std::vector<std::string>& inputs) {
  std::string out = field(1, name) + field(2, type);
  for (const std::string& input : inputs) out += field(3, input);
  return field(3, out);
}

// A function whose op `reader` reads these outputs of its op `many`.
Result<FunctionBody> body_with(const std::vector<std::string>& inputs,
                               const DeclaredSignatures& declared = {}) {
  const SharedBytes bytes = own_bytes(field(1, field(1, "f")) + op("many", "ManyOutputs", {}) +
                                      op("reader", "Reader", inputs));
  return read_function_body(bytes->bytes(), bytes,
                            std::make_shared<const DeclaredSignatures>(declared));
}

std::string output(std::size_t number) {
  return "o" + std::to_string(number);
}

}  // namespace

// Searched one after the other, so many names take minutes: more than a test is given.
TEST_CASE("A body that names very many outputs is not searched for as long as for ever") {
  constexpr std::size_t kOutputs = 200'000;
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < kOutputs; ++i) inputs.push_back("many:" + output(i) + ":0");
  DeclaredSignatures declared;
  SECTION("of a type that nobody declares") {}
  SECTION("of a type that the file declares") {
    OpSignature& signature = declared["ManyOutputs"];
    signature.type = "ManyOutputs";
    for (std::size_t i = 0; i < kOutputs; ++i) {
      ArgSignature argument;
      argument.name = output(i);
      argument.type = DataType::kFloat;
      signature.outputs.push_back(argument);
    }
  }
  const auto body = body_with(inputs, declared);
  INFO((body ? "" : body.error().message));
  REQUIRE(body);
  const auto slots = body->graph.inputs(OpId{1});
  REQUIRE(slots.size() == kOutputs);
  CHECK(slots.front().slot == 0);
  CHECK(slots.back().slot == kOutputs - 1);
}

TEST_CASE("Two outputs of an op are never the same slot") {
  // 4096 names that stand for 2^20 tensors each: counted in 32 bits, the next one is slot 0 again.
  std::vector<std::string> inputs = {"many:" + output(0) + ":0"};
  for (std::size_t i = 0; i < 4096; ++i) inputs.push_back("many:" + output(i) + ":1048575");
  inputs.push_back("many:" + output(4096) + ":0");
  SECTION("named by their readers") {
    const auto body = body_with(inputs);
    REQUIRE_FALSE(body);
    CHECK(body.error().code == Code::kCorrupt);
    CHECK(body.error().message.starts_with("op 'many': its readers name 2097152 outputs"));
  }
  SECTION("declared") {
    DeclaredSignatures declared;
    OpSignature& signature = declared["ManyOutputs"];
    signature.type = "ManyOutputs";
    signature.number_defaults = {{"N", 1 << 20}};
    for (std::size_t i = 0; i <= 4096; ++i) {
      ArgSignature argument;
      argument.name = output(i);
      argument.type = DataType::kFloat;
      argument.number_attr = "N";
      signature.outputs.push_back(argument);
    }
    const auto body = body_with(inputs, declared);
    REQUIRE_FALSE(body);
    CHECK(body.error().code == Code::kCorrupt);
    CHECK(body.error().message.find("output 'o1' has 1048576 tensors") != std::string::npos);
  }
}

}  // namespace tideline::io
