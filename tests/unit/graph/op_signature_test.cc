#include "core/graph/op_signature.h"

#include <catch2/catch.hpp>

#include "core/base/parse.h"
#include "core/graph/op_signatures_text.h"

namespace tideline {

TEST_CASE("every line of the signature table is found and read") {
  int types = 0;
  for (std::string_view table = kOpSignaturesText; !table.empty();) {
    std::string_view line = take_until(table, '\n');
    for (std::string_view words = take_until(line, '|'); !words.empty(); ++types) {
      std::string_view type = take_until(words, ' ');
      const bool stateful = type.ends_with('!');
      if (stateful) type.remove_suffix(1);
      const auto signature = builtin_signature(type);
      INFO(type);
      REQUIRE(signature);
      REQUIRE(signature->type == type);
      REQUIRE(signature->is_stateful == stateful);
      for (const auto& list : {signature->inputs, signature->outputs}) {
        for (const ArgSignature& argument : list) {
          REQUIRE_FALSE(argument.name.empty());
          const bool has_type = argument.type != DataType::kInvalid ||
                                !argument.type_attr.empty() || !argument.type_list_attr.empty();
          REQUIRE(has_type);
        }
      }
    }
  }
  CHECK(types > 1800);
}

TEST_CASE("the kinds of arguments are told apart") {
  const auto adam = builtin_signature("ApplyAdam");
  REQUIRE(adam);
  CHECK(adam->inputs[0].is_reference);
  CHECK(adam->inputs[0].type_attr == "T");
  CHECK_FALSE(adam->inputs[3].is_reference);
  CHECK(adam->outputs[0].is_reference);

  const auto split = builtin_signature("Split");
  REQUIRE(split);
  CHECK(split->inputs[0].type == DataType::kInt32);
  CHECK(split->outputs[0].number_attr == "num_split");
  CHECK(split->outputs[0].type_attr == "T");

  const auto shape = builtin_signature("Shape");
  REQUIRE(shape);
  CHECK(shape->type_defaults.at(0) ==
        std::pair<std::string, DataType>("out_type", DataType::kInt32));

  const auto next = builtin_signature("IteratorGetNext");
  REQUIRE(next);
  CHECK(next->is_stateful);
  CHECK(next->outputs[0].type_list_attr == "output_types");
  CHECK(builtin_signature("NoOp")->outputs.empty());
}

TEST_CASE("an unknown type has no signature") {
  for (const char* type : {"", "NoSuchOp", "Mat", "MatMulX", "zzzz", "0", "|"}) {
    INFO(type);
    CHECK_FALSE(builtin_signature(type));
  }
}

}  // namespace tideline
