#include "tests/support/renamed_graph.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/io/wire.h"
#include "core/io/wire_codec.h"
#include "core/io/wire_numbers.h"

namespace tideline::test {
namespace {

std::string new_name(OpId op) {
  return "o" + std::to_string(op.value);
}

class Renamer {
 public:
  explicit Renamer(const Graph& graph) : graph_(graph) {}

  std::string encode(OpId op) {
    std::vector<std::string> inputs;
    for (const TensorId input : graph_.inputs(op)) {
      inputs.push_back(new_name(input.op) + ":" + std::to_string(input.slot));
    }
    for (const OpId input : graph_.control_inputs(op)) inputs.push_back("^" + new_name(input));
    Attributes attributes;
    graph_.codec().for_each_attribute(
        graph_.encoded(op), [&](std::string_view key, std::string_view encoded) {
          attributes.emplace_back(std::string(key), rename(key, encoded));
        });
    return io::wire_codec().encode(new_name(op), graph_.type(op), graph_.device(op), inputs,
                                   attributes);
  }

 private:
  AttrValue rename(std::string_view key, std::string_view encoded) {
    AttrValue value;
    value.encoded = encoded;
    if (key != "_class" && key != "frame_name") return value;
    value = *graph_.codec().decode(encoded);
    if (key == "frame_name") {
      const auto number = std::to_string(frames_.size());
      value.string = frames_.emplace(value.string, "f" + number).first->second;
      return value;
    }
    for (std::string& place : value.strings) {
      constexpr std::string_view kPrefix = "loc:@";
      const OpId op =
          place.starts_with(kPrefix) ? graph_.find(place.substr(kPrefix.size())) : OpId();
      if (op.valid()) place = std::string(kPrefix) + new_name(op);
    }
    return value;
  }

  const Graph& graph_;
  std::map<std::string, std::string> frames_;
};

}  // namespace

io::Document renamed_graph(const io::Document& document, Order order) {
  Renamer renamer(document.graph);
  std::string wire;
  const std::uint32_t count = document.graph.op_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    const OpId op{order == Order::kKept ? i : count - 1 - i};
    io::append_bytes(wire, io::graph_def::kNode, renamer.encode(op));
  }
  for (const io::GraphField& field : document.fields) wire += field.whole;
  Progress silent;
  auto renamed = io::read_document("renamed", own_bytes(std::move(wire)), silent);
  INFO((renamed ? "" : renamed.error().message));
  REQUIRE(renamed.has_value());
  return *std::move(renamed);
}

}  // namespace tideline::test
