// Tested by unit/session/unwritten_test.cc.
#include "app/session/unwritten.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/engine/json_text.h"
#include "app/session/resume.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kMark = "# restore ";

std::string absolute(const std::string& path) {
  if (path.empty()) return path;
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

std::string text_of(const ordered_json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

ordered_json json_of(const GraphDocument& graph) {
  const events::GraphChoice& choice = graph.snapshot()->graph->request.graph;
  const events::TraceChoice trace = graph.trace();
  ordered_json json;
  json["graph"] = {{"path", absolute(choice.path)},
                   {"function", choice.function},
                   {"run", choice.run},
                   {"tag", choice.tag},
                   {"meta_graph", choice.meta_graph},
                   {"inline", choice.inlines},
                   {"debug_info", absolute(choice.debug_info)}};
  json["trace"] = {{"path", absolute(trace.path)}, {"run", trace.run}, {"tag", trace.tag}};
  ordered_json actions = ordered_json::array();
  for (const ui::Intent& intent :
       actions_for(graph.wish(), graph.snapshot()->shown->file->levels.count())) {
    ordered_json words = {intent.action};
    for (const std::string& word : intent.arguments) words.push_back(word);
    actions.push_back(std::move(words));
  }
  json["actions"] = std::move(actions);
  return json;
}

ui::Intents intents_of(const ordered_json& json) {
  ui::Intents intents;
  if (!json.is_array()) return intents;
  for (const ordered_json& words : json) {
    if (!words.is_array() || words.empty()) continue;
    ui::Intent intent;
    for (const ordered_json& word : words) {
      if (!word.is_string()) break;
      intent.arguments.push_back(word.get<std::string>());
    }
    if (intent.arguments.size() != words.size()) continue;
    intent.action = intent.arguments.front();
    intent.arguments.erase(intent.arguments.begin());
    intents.push_back(std::move(intent));
  }
  return intents;
}

}  // namespace

std::string unwritten_comment(const GraphDocument& graph) {
  return std::string(kMark) + json_text(json_of(graph), -1);
}

std::vector<Unwritten> parse_unwritten(std::string_view script) {
  std::vector<Unwritten> all;
  for (const std::string& line : split_list(script, '\n')) {
    if (!line.starts_with(kMark)) continue;
    const auto json = ordered_json::parse(line.substr(kMark.size()), nullptr, false);
    if (!json.is_object() || !json.contains("graph") || !json["graph"].is_object()) continue;
    const ordered_json& graph = json["graph"];
    Unwritten& one = all.emplace_back();
    one.request.graph = {.path = text_of(graph, "path"),
                         .function = text_of(graph, "function"),
                         .run = text_of(graph, "run"),
                         .tag = text_of(graph, "tag"),
                         .debug_info = text_of(graph, "debug_info")};
    if (const auto number = graph.find("meta_graph");
        number != graph.end() && number->is_number_integer()) {
      one.request.graph.meta_graph = number->get<std::int64_t>();
    }
    if (const auto inlines = graph.find("inline"); inlines != graph.end()) {
      one.request.graph.inlines = inlines->is_boolean() && inlines->get<bool>();
    }
    if (json.contains("trace") && json["trace"].is_object()) {
      const ordered_json& trace = json["trace"];
      one.request.trace =
          events::TraceChoice{text_of(trace, "path"), text_of(trace, "run"), text_of(trace, "tag")};
    }
    if (json.contains("actions")) one.actions = intents_of(json["actions"]);
    if (one.request.graph.path.empty()) all.pop_back();
  }
  return all;
}

}  // namespace tideline::app
