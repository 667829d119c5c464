// Tested by unit/engine/shown_changes_test.cc and the golden cases of diff.
#include "app/engine/compare_graphs.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "core/graph/verify.h"
#include "core/io/functions.h"
#include "core/io/model_files.h"

namespace tideline::app {
namespace {

template <typename Item>
void add_named(const std::string& function, std::vector<Item>& from, std::string Item::*name,
               std::vector<Item>& to) {
  for (Item& item : from) {
    item.*name = fmt::format("{}: {}", function, item.*name);
    to.push_back(std::move(item));
  }
}

// Adds what changed inside a function that both documents have.
Status add_function(const io::Document& original, const io::Document& rewritten,
                    const std::string& name, GraphDiff& diff) {
  TIDELINE_TRY(const io::Document before, io::open_function(original, name));
  TIDELINE_TRY(const io::Document after, io::open_function(rewritten, name, io::Cycles::kAllow));
  GraphDiff inner = compare_edit(before.graph, after.graph).diff;
  if (!io::same_function_fields(before, after)) {
    inner.violations.emplace_back("signature or attributes changed");
  }
  diff.ops_compared += inner.ops_compared;
  add_named(name, inner.added, &GraphDiff::Copy::name, diff.added);
  add_named(name, inner.rerouted, &GraphDiff::InputChange::op, diff.rerouted);
  add_named(name, inner.control, &GraphDiff::ControlChange::op, diff.control);
  add_named(name, inner.more_branches, &GraphDiff::Branching::op, diff.more_branches);
  for (const std::string& violation : inner.violations) {
    diff.violations.push_back(fmt::format("function '{}': {}", name, violation));
  }
  return {};
}

}  // namespace

GraphComparison compare_edit(const Graph& original, const Graph& rewritten) {
  GraphComparison found;
  found.diff = diff_graphs(original, rewritten);
  if (const Status status = verify_acyclic(rewritten); !status) {
    found.diff.violations.push_back(status.error().message);
  }
  return found;
}

Result<GraphComparison> compare_documents(const io::Document& original,
                                          const io::Document& rewritten) {
  GraphComparison found = compare_edit(original.graph, rewritten.graph);
  found.surroundings = io::compare_surroundings(original, rewritten);
  if (!original.folder.empty() && !rewritten.folder.empty()) {
    TIDELINE_TRY(const auto companions, io::compare_companions(original.folder, rewritten.folder));
    auto& violations = found.surroundings.violations;
    violations.insert(violations.end(), companions.begin(), companions.end());
  }
  for (const std::string& name : found.surroundings.changed_functions) {
    TIDELINE_RETURN_IF_ERROR(add_function(original, rewritten, name, found.diff));
  }
  return found;
}

}  // namespace tideline::app
