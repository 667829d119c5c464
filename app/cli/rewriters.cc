// The verb rewriters: prints the table of rewriters, as text or JSON.

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/rewrite/plan/value_json.h"
#include "core/rewrite/policy_parameters.h"
#include "core/rewrite/rewriter.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::kInteger: return "integer";
    case ParameterKind::kRatio: return "decimal";
    case ParameterKind::kSwitch: return "switch";
    case ParameterKind::kSize: return "size";
    case ParameterKind::kChoice: return "choice";
    case ParameterKind::kText: return "text";
    case ParameterKind::kNames: return "names";
  }
  return "";
}

const char* group_name(ParameterGroup group) {
  switch (group) {
    case ParameterGroup::kMain: return "main";
    case ParameterGroup::kFilters: return "filters";
    case ParameterGroup::kOverrides: return "overrides";
    case ParameterGroup::kAdvanced: return "advanced";
    case ParameterGroup::kGraph: return "graph";
  }
  return "";
}

Json parameter_json(const Parameter& parameter) {
  Json json = {{"name", parameter.name},
               {"title", parameter.title},
               {"kind", kind_name(parameter.kind)},
               {"group", group_name(parameter.group)},
               {"default", value_json(parameter.default_value())},
               {"expected", parameter.expected},
               {"help", parameter.help}};
  if (parameter.kind == ParameterKind::kInteger) json["least"] = parameter.least;
  if (parameter.kind == ParameterKind::kInteger) json["most"] = parameter.most;
  if (!parameter.unit.empty()) json["unit"] = parameter.unit;
  if (!parameter.choices.empty()) {
    json["choices"] = Json::array();
    for (const Choice& choice : parameter.choices) json["choices"].push_back(choice.value);
  }
  if (parameter.may_be_none) json["may_be_none"] = true;
  if (parameter.is_found) json["is_found_by_search"] = true;
  if (parameter.is_required) json["is_required"] = true;
  if (!parameter.only_with.empty()) json["only_with"] = parameter.only_with;
  return json;
}

Json parameters_json(std::span<const Parameter> parameters) {
  Json list = Json::array();
  for (const Parameter& parameter : parameters) list.push_back(parameter_json(parameter));
  return list;
}

int print_rewriters_json() {
  Json json = {{"schema", "tideline.rewriters/1"}, {"rewriters", Json::array()}};
  for (const Rewriter* rewriter : rewriters()) {
    json["rewriters"].push_back({{"id", rewriter->id},
                                 {"title", rewriter->title},
                                 {"help", rewriter->help},
                                 {"searches", rewriter->search.has_value()},
                                 {"parameters", parameters_json(rewriter->parameters)}});
  }
  json["budget"] = parameters_json(budget_parameters());
  say_json(json);
  return kExitDone;
}

void print_parameter(const Parameter& parameter) {
  const std::string usual = value_text(parameter.default_value(), parameter.kind);
  say("  {:24} {} ({}; default: {})\n", parameter.name, parameter.help, parameter.expected,
      usual.empty() ? "none" : usual);
}

int print_rewriters_text() {
  for (const Rewriter* rewriter : rewriters()) {
    say("{}: {}\n", rewriter->id, rewriter->help);
    for (const Parameter& parameter : rewriter->parameters) {
      if (parameter.group != ParameterGroup::kGraph) print_parameter(parameter);
    }
  }
  say("memory budget, for rewriters that search:\n");
  for (const Parameter& parameter : budget_parameters()) print_parameter(parameter);
  return kExitDone;
}

}  // namespace

void add_rewriters(const Command& app, Action& action) {
  auto json = std::make_shared<bool>(false);
  const Command command =
      app.add_subcommand("rewriters", "The rewriters with their parameters, ranges and defaults");
  command.add_flag("--json", *json, "Print JSON");
  command.callback([json, &action] {
    action = [json] { return *json ? print_rewriters_json() : print_rewriters_text(); };
  });
}

}  // namespace tideline::cli
