// Tested by unit/rewrite/replicate/refusals_test.cc.
#include "core/rewrite/replicate/called_functions.h"

#include <set>

#include "core/base/text.h"

namespace tideline::replicate {
namespace {

class CallSearch {
 public:
  explicit CallSearch(const FunctionLibrary& functions) : functions_(functions) {}

  void add_calls(const Graph& graph, OpId op) {
    add(std::string(graph.type(op)));
    graph.codec().for_each_attribute(graph.encoded(op),
                                     [&](std::string_view, std::string_view encoded) {
                                       const auto value = graph.codec().decode(encoded);
                                       if (!value) return;
                                       if (value->kind == AttrValue::Kind::kFunction) {
                                         add(value->string);
                                       }
                                       for (const std::string& name : value->functions) add(name);
                                     });
  }

  std::optional<std::string> run() {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string name = names_[i];
      const Graph& body = functions_.find(name)->body;
      const OpFactsTable facts = OpFactsTable::for_graph(body, &functions_);
      for (const OpId op : body.ops()) {
        const OpKind kind = facts.of(body, op).kind;
        if (kind == OpKind::kAssign || kind == OpKind::kUpdate) {
          return fmt::format("calls the function '{}', in which {} writes a variable",
                             printable(name), shown(body, op));
        }
        if (kind == OpKind::kQueue || kind == OpKind::kInput) {
          return fmt::format(
              "calls the function '{}', in which {} takes elements from a queue or data set",
              printable(name), shown(body, op));
        }
        if (kind == OpKind::kCall) add_calls(body, op);
      }
    }
    return std::nullopt;
  }

 private:
  void add(const std::string& name) {
    if (functions_.find(name) != nullptr && seen_.insert(name).second) names_.push_back(name);
  }

  const FunctionLibrary& functions_;
  std::set<std::string> seen_;
  std::vector<std::string> names_;
};

}  // namespace

std::optional<std::string> why_not_called(const Context& context, OpId op) {
  if (context.functions == nullptr || context.kind(op) != OpKind::kCall) return std::nullopt;
  CallSearch search(*context.functions);
  search.add_calls(context.graph, op);
  return search.run();
}

}  // namespace tideline::replicate
