// Tested by unit/rewrite/plan_json_reader_test.cc and integration/sections_test.py.
#include "core/rewrite/cycle_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/text.h"

namespace tideline {
namespace {

using nlohmann::json;

// Pairs of an object whose values are texts.
Status read_pairs(const json& run, const char* key,
                  std::vector<std::pair<std::string, std::string>>& pairs) {
  const auto found = run.find(key);
  if (found == run.end() || !found->is_object()) {
    return fail(Code::kCorrupt, "'{}' is missing; expected an object", key);
  }
  for (const auto& [name, value] : found->items()) {
    if (!value.is_string()) {
      return fail(Code::kCorrupt, "{}['{}'] is no text; expected a tensor", key, printable(name));
    }
    pairs.emplace_back(name, value.get<std::string>());
  }
  return {};
}

Result<CycleRun> read_phase(const json& phase, const std::set<std::string>& kept) {
  if (!phase.is_object() || !phase.contains("section") || !phase["section"].is_number_integer() ||
      !phase.contains("train_op") || !phase["train_op"].is_string()) {
    return fail(Code::kCorrupt, "expected an object with 'section' and 'train_op'");
  }
  CycleRun run;
  run.name = fmt::format("section {}", phase["section"].get<std::int64_t>());
  run.target = phase["train_op"].get<std::string>();
  TIDELINE_RETURN_IF_ERROR(read_pairs(phase, "feeds", run.feeds));
  TIDELINE_RETURN_IF_ERROR(read_pairs(phase, "cache", run.keeps));
  for (const auto& [placeholder, value] : run.feeds) {
    if (kept.count(value) > 0) continue;
    return fail(Code::kCorrupt, "feeds['{}']: no earlier run keeps '{}'", printable(placeholder),
                printable(value));
  }
  return run;
}

void add_copies(const json& plan, Cycle& cycle) {
  const auto added = plan.find("added");
  if (added == plan.end() || !added->is_array()) return;
  for (const json& op : *added) {
    if (!op.is_object() || !op.contains("copy_of") || !op["copy_of"].is_string()) continue;
    cycle.copies.emplace_back(op["copy_of"].get<std::string>(), op.value("name", std::string()));
  }
}

}  // namespace

Result<Cycle> read_cycle(const json& plan) {
  const auto phases = plan.find("phases");
  const auto forward = plan.find("forward_cache");
  if (phases == plan.end() && plan.contains("sections")) {
    return fail(Code::kUnsupported,
                "a plan with the sets of the reference (--compat) is not run; expected 'phases'");
  }
  if (phases == plan.end() || !phases->is_array() || forward == plan.end() ||
      !forward->is_array()) {
    return fail(Code::kCorrupt, "'phases' or 'forward_cache' is no list");
  }
  Cycle cycle;
  if (const auto loss = plan.find("loss"); loss != plan.end() && loss->is_string()) {
    cycle.loss = loss->get<std::string>();
  }
  std::set<std::string> kept;
  CycleRun first{"forward", {}, {}, {}};
  for (const json& tensor : *forward) {
    if (!tensor.is_string()) return fail(Code::kCorrupt, "forward_cache: expected tensors");
    first.keeps.emplace_back(tensor.get<std::string>(), tensor.get<std::string>());
    kept.insert(tensor.get<std::string>());
  }
  cycle.runs.push_back(std::move(first));
  for (std::size_t at = 0; at < phases->size(); ++at) {
    auto run = read_phase((*phases)[at], kept);
    if (!run) {
      return tl::unexpected(with_context(std::move(run).error(), fmt::format("phases[{}]", at)));
    }
    for (const auto& [tensor, name] : run->keeps) kept.insert(name);
    cycle.runs.push_back(*std::move(run));
  }
  add_copies(plan, cycle);
  return cycle;
}

}  // namespace tideline
