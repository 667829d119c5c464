#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/terminal.h"
#include "app/engine/apply_plan.h"
#include "app/engine/compare_graphs.h"
#include "core/base/text.h"
#include "core/graph/op_types.h"
#include "core/rewrite/plan/diff.h"

namespace tideline::cli {
namespace {

constexpr std::size_t kLinesShown = 20;

struct DiffOptions {
  events::GraphChoice original;
  std::string rewritten;
  std::string plan;  ///< empty: whether values are the same is what is asked
  bool json = false;
  bool edges = false;  ///< list what was added and rerouted, and not only how much
};

// What there is to say about the two files.
struct Answers : app::GraphComparison {
  /// Differences from what the plan says; nothing when no plan is given.
  std::optional<std::vector<std::string>> not_as_planned = {};

  [[nodiscard]] bool is_as_planned() const {
    return not_as_planned && not_as_planned->empty() && surroundings.violations.empty();
  }
};

void print_json(const Answers& answers) {
  const GraphDiff& diff = answers.diff;
  nlohmann::ordered_json json;
  json["sound"] = answers.has_same_values();
  json["same_values"] = answers.has_same_values();
  if (answers.not_as_planned) json["as_planned"] = answers.is_as_planned();
  json["equal"] = answers.is_equal();
  json["ops_compared"] = diff.ops_compared;
  json["added"] = nlohmann::ordered_json::array();
  for (const auto& copy : diff.added) {
    json["added"].push_back({{"name", copy.name},
                             {"op", copy.type},
                             {"device", copy.device},
                             {"carries", copy.source}});
  }
  json["rerouted"] = nlohmann::ordered_json::array();
  for (const auto& change : diff.rerouted) {
    json["rerouted"].push_back({{"op", change.op},
                                {"slot", change.slot},
                                {"from", change.from},
                                {"to", change.to},
                                {"carries", change.carries}});
  }
  json["control"] = nlohmann::ordered_json::array();
  for (const auto& change : diff.control) {
    json["control"].push_back({{"op", change.op}, {"after", change.after}});
  }
  json["more_branches"] = nlohmann::ordered_json::array();
  for (const auto& more : diff.more_branches) {
    json["more_branches"].push_back({{"op", more.op}, {"branches", more.branches}});
  }
  if (answers.not_as_planned) json["not_as_planned"] = *answers.not_as_planned;
  json["violations"] = diff.violations;
  for (const std::string& violation : answers.surroundings.violations) {
    json["violations"].push_back(violation);
  }
  json["not_compared"] = answers.surroundings.not_compared;
  say_json(json);
}

template <typename Item, typename Line>
void print_list(const char* title, const std::vector<Item>& items, const Line& line) {
  say("{}: {}\n", title, items.size());
  for (std::size_t i = 0; i < items.size() && i < kLinesShown; ++i) {
    say("  {}\n", line(items[i]));
  }
  if (items.size() > kLinesShown) {
    say("  ... and {} more (--json lists all)\n", items.size() - kLinesShown);
  }
}

std::string line_of(const GraphDiff::Copy& copy) {
  if (copy.source.empty())
    return fmt::format("{} on '{}', a {}", copy.name, copy.device, copy.type);
  if (passes_on(copy.type)) {
    return fmt::format("{} on '{}' carries {}", copy.name, copy.device, copy.source);
  }
  return fmt::format("{} on '{}' computes {} again", copy.name, copy.device, copy.source);
}

void print_plan_answer(const Answers& answers, const std::string& plan) {
  if (answers.is_as_planned()) {
    say("as planned: the result is the original with the changes of {} and no others\n", plan);
    return;
  }
  std::vector<std::string> lines = *answers.not_as_planned;
  lines.insert(lines.end(), answers.surroundings.violations.begin(),
               answers.surroundings.violations.end());
  print_list("not as planned", lines, [](const std::string& text) { return text; });
}

// With `names` one by one.
void print_changes(const GraphDiff& diff, bool names) {
  if (!names) {
    say("added ops: {}\nrerouted inputs: {}\nadded control edges: {}\n", diff.added.size(),
        diff.rerouted.size(), diff.control.size());
    return;
  }
  print_list("added ops", diff.added, line_of);
  print_list("rerouted inputs", diff.rerouted, [](const GraphDiff::InputChange& change) {
    return fmt::format("{} input {}: {} -> {}", change.op, change.slot, change.from, change.to);
  });
  print_list("added control edges", diff.control, [](const GraphDiff::ControlChange& change) {
    return fmt::format("{} waits for {}", change.op, change.after);
  });
}

void print_text(const Answers& answers, const DiffOptions& options) {
  const GraphDiff& diff = answers.diff;
  const io::SurroundingsDiff& surroundings = answers.surroundings;
  print_changes(diff, options.edges);
  if (!diff.more_branches.empty()) {
    print_list("ops that hang on more branches of conditionals than before", diff.more_branches,
               [](const GraphDiff::Branching& more) {
                 return fmt::format("{} runs only where {}", more.op,
                                    fmt::join(more.branches, " and "));
               });
  }
  if (answers.not_as_planned) print_plan_answer(answers, options.plan);
  if (answers.has_same_values()) {
    say("nothing else changed: {} ops compute the same from the same values; {} are equal; the "
        "result is acyclic\n",
        diff.ops_compared,
        surroundings.collections_compared ? "library, versions, collections and signatures"
                                          : "library and versions");
  } else {
    std::vector<std::string> violations = diff.violations;
    violations.insert(violations.end(), surroundings.violations.begin(),
                      surroundings.violations.end());
    // With a plan, whether values are the same is not the question.
    print_list(answers.not_as_planned ? "not the same values" : "violations", violations,
               [](const std::string& text) { return text; });
  }
  for (const std::string& what : surroundings.not_compared) {
    say("not compared: {}\n", what);
  }
}

Result<Answers> compare_files(const DiffOptions& options, Progress& progress) {
  TIDELINE_TRY(const app::ReadGraphPtr first, open_input(options.original, progress));
  events::GraphChoice changed = options.original;
  changed.path = options.rewritten;
  TIDELINE_TRY(const app::ReadGraphPtr second,
               open_input(changed, progress, Notices::kWarn, io::Cycles::kAllow));
  const io::Document& original = first->document;
  const io::Document& rewritten = second->document;
  Answers answers;
  TIDELINE_TRY(static_cast<app::GraphComparison&>(answers),
               app::compare_documents(original, rewritten));
  if (!options.plan.empty()) {
    TIDELINE_TRY(const app::AppliedPlan planned,
                 app::apply_plan_file(original, options.plan, progress));
    answers.not_as_planned = diff_graphs(planned.graph, rewritten.graph).differences();
    for (const std::string& name : answers.surroundings.changed_functions) {
      if (name == original.function) continue;
      answers.not_as_planned->push_back(fmt::format("function '{}' changed", printable(name)));
    }
  }
  return answers;
}

int print_diff(const DiffOptions& options) {
  TerminalProgress progress(false);
  const auto answers = compare_files(options, progress);
  if (!answers) return report(answers.error());
  if (options.json) {
    print_json(*answers);
  } else {
    print_text(*answers, options);
  }
  const bool holds = options.plan.empty() ? answers->has_same_values() : answers->is_as_planned();
  return holds ? kExitDone : kExitCheck;
}

}  // namespace

void add_diff(const Command& app, Action& action) {
  auto options = std::make_shared<DiffOptions>();
  const Command command = app.add_subcommand(
      "diff",
      "What a rewrite changed, and the proof that nothing else did (exit code 3 otherwise)");
  command.add_option("ORIGINAL", options->original.path, "Graph before").not_empty().required();
  command.add_option("REWRITTEN", options->rewritten, "Graph after").not_empty().required();
  add_graph_choice(command, options->original);
  command
      .add_option("--plan", options->plan,
                  "Plan for ORIGINAL: whether REWRITTEN is what it says, and nothing else")
      .not_empty()
      .type_name("FILE");
  command.add_flag("--edges", options->edges, "Also list what was added and rerouted, by name");
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([options, &action] { action = [options] { return print_diff(*options); }; });
}

}  // namespace tideline::cli
