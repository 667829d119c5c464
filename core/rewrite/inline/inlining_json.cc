// Tested by unit/rewrite/inline/inline_calls_test.cc and integration/apply_plan_test.py.
#include "core/rewrite/inline/inlining_json.h"

#include <nlohmann/json.hpp>

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

Json kept_json(const Inlining& inlining) {
  Json list = Json::array();
  for (const KeptCall& call : inlining.kept) {
    list.push_back({{"op", call.op}, {"function", call.function}, {"reason", call.reason}});
  }
  return list;
}

}  // namespace

std::string inlining_plan_json(const Graph& graph, const Inlining& inlining, const PlanHead& head) {
  Json json = plan_head_json(graph, head, "inline");
  json["options"] = Json::object();
  add_changes_json(graph, inlining.plan, json);
  json["inlined"] = Json::array();
  for (const InlinedCall& call : inlining.inlined) {
    json["inlined"].push_back({{"op", call.op}, {"function", call.function}, {"ops", call.ops}});
  }
  json["kept"] = kept_json(inlining);
  return plan_text_of(json);
}

Json inlining_json(const Inlining& inlining) {
  return {
      {"calls", inlining.inlined.size()}, {"ops", inlining.ops()}, {"kept", kept_json(inlining)}};
}

}  // namespace tideline
