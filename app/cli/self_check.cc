// Tested by golden/self_check_test.py.
#include "app/cli/self_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/self_check_findings.h"
#include "app/cli/terminal.h"
#include "core/base/version.h"

namespace tideline::cli {
namespace {

using app::CheckedPart;
using CheckJson = nlohmann::ordered_json;
constexpr const char* kSelfCheckSchema = "tideline.self-check/1";

const char* state_name(CheckedPart::State state) {
  switch (state) {
    case CheckedPart::State::kGood: return "good";
    case CheckedPart::State::kAbsent: return "absent";
    case CheckedPart::State::kProblem: return "problem";
  }
  return "";
}

void say_findings(const std::vector<CheckedPart>& findings) {
  say("tideline {}\n", kVersion);
  for (const CheckedPart& found : findings) {
    say("{:<8} {}: {}\n", state_name(found.state), found.name, found.says);
    for (const auto& [name, value] : found.facts) say("           {}: {}\n", name, value);
  }
}

void say_findings_json(const std::vector<CheckedPart>& findings) {
  CheckJson json = {{"schema", kSelfCheckSchema}, {"version", kVersion}};
  for (const CheckedPart& found : findings) {
    CheckJson facts = CheckJson::object();
    for (const auto& [name, value] : found.facts) facts[name] = value;
    json[found.name] = {
        {"state", state_name(found.state)}, {"says", found.says}, {"facts", std::move(facts)}};
  }
  say_json(json);
}

}  // namespace

void SelfCheck::add_to(const Command& app) {
  const Option wanted = app.add_flag(
      "--self-check", is_wanted_,
      "Say what a bug report needs: how this program was built, and whether TensorFlow, drivers, "
      "display, fonts, plugins and the settings work");
  app.add_flag("--json", wants_json_, "Print --self-check as JSON").needs(wanted);
}

std::optional<int> SelfCheck::make(const Front& front) const {
  if (!is_wanted_) return std::nullopt;
  std::vector<CheckedPart> findings = findings_of_machine();
  if (front.findings_of_window) {
    for (CheckedPart& found : front.findings_of_window()) findings.push_back(std::move(found));
  } else {
    findings.push_back(
        {"window", CheckedPart::State::kAbsent, "this program was built without one"});
  }
  if (wants_json_) {
    say_findings_json(findings);
  } else {
    say_findings(findings);
  }
  const bool has_problem = std::any_of(
      findings.begin(), findings.end(),
      [](const CheckedPart& found) { return found.state == CheckedPart::State::kProblem; });
  return has_problem ? kExitCheck : kExitDone;
}

}  // namespace tideline::cli
