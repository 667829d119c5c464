#include "core/io/saved_objects.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "core/io/functions.h"
#include "core/io/saved_model.h"
#include "tests/support/graph_text.h"

namespace tideline::io {

TEST_CASE("the objects of a SavedModel name the variables that its functions capture") {
  Progress silent;
  const std::string folder = TIDELINE_SOURCE_DIR "/tests/data/saved_models/train_step";
  const auto document = read_saved_model(folder, silent);
  REQUIRE(document);
  std::size_t captured = 0;
  for (const FunctionInfo& function : list_functions(*document)) {
    for (const auto& variable : captured_variables(*document, function.name)) {
      if (!variable) continue;
      ++captured;
      CHECK_FALSE(variable->name.empty());
      CHECK(variable->shape.fully_known());
      CHECK(variable->type != DataType::kInvalid);
    }
  }
  CHECK(captured > 0);
  CHECK(captured_variables(*document, "nobody").empty());
}

TEST_CASE("a graph without objects names none") {
  CHECK(captured_variables(test::read_graph("x = Const()"), "f").empty());
}

}  // namespace tideline::io
