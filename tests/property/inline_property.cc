// Random graphs that call random functions, nested ones among them: inlined, every op of the graph
// computes the value that an interpreter of calls says, and calls end when they did.
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <random>

#include "core/graph/graph_edit.h"
#include "core/graph/verify.h"
#include "core/io/functions.h"
#include "core/rewrite/inline/inline_calls.h"
#include "tests/support/function_text.h"

namespace tideline {
namespace {

using Random = std::mt19937;
using TensorValues = std::vector<std::size_t>;

std::size_t mixed(std::size_t a, std::size_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15U + (a << 6U) + (a >> 2U))) * 0xff51afd7ed558ccdU;
}

// Ops n0, n1, ... of two floats each; `spelled` says how one reads output 0 or 1 of an op.
struct BodyMaker {
  Random& random;
  std::vector<std::string> functions;  ///< that may be called, of two arguments and two results
  std::function<std::string(const std::string& op, bool is_call, int slot)> spelled;

  std::string make(std::vector<std::string> readable, int ops, std::vector<std::string>& last) {
    std::string text;
    std::vector<std::string> made;
    const auto any = [&] { return readable[random() % readable.size()]; };
    for (int i = 0; i < ops; ++i) {
      const std::string name = "n" + std::to_string(i);
      const bool calls = !functions.empty() && random() % 3 == 0;
      std::string inputs = any() + ", " + any();
      if (!made.empty() && random() % 3 == 0) inputs += ", ^" + made[random() % made.size()];
      text += name + (calls ? " = PartitionedCall(" : " = Add(") + inputs + ") f32[4]";
      if (calls) {
        text += " f32[4] +Tout=(f32,f32) +f=&" + functions[random() % functions.size()];
      }
      text += "\n";
      made.push_back(name);
      readable.push_back(spelled(name, calls, 0));
      if (calls) readable.push_back(spelled(name, calls, 1));
    }
    last = {any(), readable.back()};
    return text;
  }
};

// What an op gives, by what it reads; calls are followed.
class Interpreter {
 public:
  explicit Interpreter(const FunctionLibrary& library) : library_(library) {}

  TensorValues outputs(const Graph& graph, OpId op, std::map<OpId, TensorValues>& known,
                       const TensorValues& arguments) {
    if (const auto found = known.find(op); found != known.end()) return found->second;
    TensorValues read;
    for (const TensorId input : graph.inputs(op)) {
      read.push_back(outputs(graph, input.op, known, arguments).at(input.slot));
    }
    TensorValues made;
    if (graph.type(op) == "_Arg") {
      made = {
          arguments.at(static_cast<std::size_t>(graph.attribute(op, "index").value()->integer))};
    } else if (graph.type(op) == "PartitionedCall") {
      const Function& function = *library_.find(graph.attribute(op, "f").value()->string);
      std::map<OpId, TensorValues> inner;
      for (const OpId result : function.results) {
        const TensorId tensor = function.body.inputs(result).front();
        made.push_back(outputs(function.body, tensor.op, inner, read).at(tensor.slot));
      }
    } else {
      std::size_t value = std::hash<std::string_view>()(graph.type(op));
      if (read.empty()) value = mixed(value, std::hash<std::string_view>()(graph.name(op)));
      for (const std::size_t input : read) value = mixed(value, input);
      made = {value};
    }
    known[op] = made;
    return made;
  }

 private:
  const FunctionLibrary& library_;
};

// Whether `op` runs after `before`.
bool is_after(const Graph& graph, OpId op, OpId before, std::map<OpId, bool>& known) {
  if (op == before) return true;
  const auto [entry, is_new] = known.try_emplace(op, false);
  if (!is_new) return entry->second;
  bool is = false;
  for (const TensorId input : graph.inputs(op)) is = is || is_after(graph, input.op, before, known);
  for (const OpId input : graph.control_inputs(op)) {
    is = is || is_after(graph, input, before, known);
  }
  known[op] = is;
  return is;
}

io::Document random_calls(Random& random) {
  std::vector<test::FunctionText> functions;
  std::vector<std::string> names;
  const int count = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < count; ++i) {
    BodyMaker maker{random, names, [](const std::string& op, bool is_call, int slot) {
                      return op + (is_call ? ":output:" : ":z:") + std::to_string(slot);
                    }};
    std::vector<std::string> last;
    test::FunctionText text = {"f" + std::to_string(i), {"a", "b"}, {}, "", {}, {}};
    text.body = maker.make({"a", "b"}, 1 + static_cast<int>(random() % 6), last);
    text.results = {{"y", last[0]}, {"z", last[1]}};
    if (random() % 2 == 0) text.waits = {"n0"};
    names.push_back(text.name);
    functions.push_back(std::move(text));
  }
  BodyMaker maker{random, names, [](const std::string& op, bool, int slot) {
                    return slot == 0 ? op : op + ":" + std::to_string(slot);
                  }};
  std::vector<std::string> last;
  std::string graph = "p = Placeholder() f32[4]\nq = Placeholder() f32[4]\n";
  graph += maker.make({"p", "q"}, 3 + static_cast<int>(random() % 20), last);
  Progress silent;
  auto document =
      io::read_document("g", own_bytes(test::encode_with_functions(graph, functions)), silent);
  INFO((document ? "" : document.error().message));
  REQUIRE(document);
  return *std::move(document);
}

TEST_CASE("Inlined calls compute what the calls did, and end no earlier", "[property]") {
  int inlined = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const io::Document document = random_calls(random);
    Diagnostics diagnostics;
    const FunctionLibrary library = io::read_functions(document, diagnostics);
    const auto made = inline_calls(document.graph, library);
    REQUIRE(made);
    CHECK(made->kept.empty());
    inlined += static_cast<int>(made->inlined.size());
    const auto changed = apply(document.graph, made->plan);
    INFO((changed ? "" : changed.error().message));
    REQUIRE(changed);
    Interpreter interpreter(library);
    std::map<OpId, TensorValues> before;
    std::map<OpId, TensorValues> after;
    for (const OpId op : document.graph.ops()) {
      REQUIRE(changed->name(op) == document.graph.name(op));
      if (document.graph.type(op) != "PartitionedCall") {
        CHECK(interpreter.outputs(document.graph, op, before, {}) ==
              interpreter.outputs(*changed, op, after, {}));
        continue;
      }
      CHECK(changed->type(op) == "NoOp");
      for (const OpId waited : document.graph.control_inputs(op)) {
        std::map<OpId, bool> known;
        CHECK(is_after(*changed, op, waited, known));
      }
    }
  }
  CHECK(inlined > 1000);
}

}  // namespace
}  // namespace tideline
