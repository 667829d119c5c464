// Tested by unit/graph/called_functions_test.cc.
#include "core/graph/called_functions.h"

#include <algorithm>

#include "core/graph/attr_value.h"

namespace tideline {

std::vector<CalledFunction> called_functions(const Graph& graph, OpId op,
                                             const FunctionLibrary& library) {
  std::vector<CalledFunction> called;
  const auto add = [&](std::string_view attribute, std::string_view name) {
    const bool is_known =
        std::any_of(called.begin(), called.end(),
                    [&](const CalledFunction& other) { return other.name == name; });
    if (!is_known && library.find(name) != nullptr)
      called.push_back({std::string(attribute), std::string(name)});
  };
  if (library.functions.empty()) return called;
  add("", graph.type(op));
  const NodeCodec& codec = graph.codec();
  codec.for_each_attribute(graph.encoded(op), [&](std::string_view key, std::string_view encoded) {
    const auto value = codec.decode(encoded);
    if (!value) return;
    if (value->kind == AttrValue::Kind::kFunction) add(key, value->string);
    for (const std::string& name : value->functions) add(key, name);
  });
  return called;
}

}  // namespace tideline
