// Tested by unit/rewrite/cycle_json_test.cc and integration/sections_test.py.
#include "core/rewrite/plan/cycle_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/text.h"
#include "core/rewrite/plan/members_json.h"

namespace tideline {
namespace {

using nlohmann::json;

// Pairs of an object whose values are texts.
Status read_pairs(const json& run, const char* key,
                  std::vector<std::pair<std::string, std::string>>& pairs) {
  const json& object = member(run, key);
  if (!object.is_object()) {
    return fail(Code::kCorrupt, "'{}' is missing; expected an object", key);
  }
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) {
      return fail(Code::kCorrupt, "{}['{}'] is no text; expected a tensor", key, printable(name));
    }
    pairs.emplace_back(name, value.get<std::string>());
  }
  return {};
}

Result<CycleRun> read_phase(const json& phase, const std::set<std::string>& kept) {
  const json& section = member(phase, "section");
  CycleRun run;
  run.target = text(phase, "train_op");
  if (!section.is_number_integer() || run.target.empty()) {
    return fail(Code::kCorrupt, "expected an object with 'section' and 'train_op'");
  }
  run.name = fmt::format("section {}", section.get<std::int64_t>());
  TIDELINE_RETURN_IF_ERROR(read_pairs(phase, "feeds", run.feeds));
  TIDELINE_RETURN_IF_ERROR(read_pairs(phase, "cache", run.keeps));
  for (const auto& [placeholder, value] : run.feeds) {
    if (kept.count(value) > 0) continue;
    return fail(Code::kCorrupt, "feeds['{}']: no earlier run keeps '{}'", printable(placeholder),
                printable(value));
  }
  return run;
}

// Added ops that are no copies do not matter here.
Status read_copies(const json& plan, Cycle& cycle) {
  const json& added = member(plan, "added");
  if (!added.is_array()) return fail(Code::kCorrupt, "'added' is no list");
  for (std::size_t at = 0; at < added.size(); ++at) {
    if (member(added[at], "copy_of").is_null()) continue;
    std::string original = text(added[at], "copy_of");
    std::string copy = text(added[at], "name");
    if (original.empty() || copy.empty()) {
      return fail(Code::kCorrupt,
                  "added[{}]: 'copy_of' or 'name' is no text; expected names of ops", at);
    }
    cycle.copies.emplace_back(std::move(original), std::move(copy));
  }
  return {};
}

}  // namespace

Result<Cycle> read_cycle(const json& plan) {
  const json& phases = member(plan, "phases");
  const json& forward = member(plan, "forward_cache");
  if (phases.is_null() && !member(plan, "sections").is_null()) {
    return fail(Code::kUnsupported,
                "a plan with the sets of the reference ({{compat}}) is not run; expected 'phases'");
  }
  if (!phases.is_array() || !forward.is_array()) {
    return fail(Code::kCorrupt, "'phases' or 'forward_cache' is no list");
  }
  Cycle cycle;
  if (const auto loss = plan.find("loss"); loss != plan.end() && loss->is_string()) {
    cycle.loss = loss->get<std::string>();
  }
  std::set<std::string> kept;
  CycleRun first{"forward", {}, {}, {}};
  for (const json& tensor : forward) {
    if (!tensor.is_string()) return fail(Code::kCorrupt, "forward_cache: expected tensors");
    first.keeps.emplace_back(tensor.get<std::string>(), tensor.get<std::string>());
    kept.insert(tensor.get<std::string>());
  }
  cycle.runs.push_back(std::move(first));
  for (std::size_t at = 0; at < phases.size(); ++at) {
    auto run = read_phase(phases[at], kept);
    if (!run) {
      return tl::unexpected(with_context(std::move(run).error(), fmt::format("phases[{}]", at)));
    }
    for (const auto& [tensor, name] : run->keeps) kept.insert(name);
    cycle.runs.push_back(*std::move(run));
  }
  TIDELINE_RETURN_IF_ERROR(read_copies(plan, cycle));
  return cycle;
}

}  // namespace tideline
