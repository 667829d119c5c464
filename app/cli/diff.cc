#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/session/json_text.h"
#include "core/base/text.h"
#include "core/graph/verify.h"
#include "core/io/compare_surroundings.h"
#include "core/io/functions.h"
#include "core/io/saved_model.h"
#include "core/rewrite/diff.h"

namespace tideline::cli {
namespace {

constexpr std::size_t kLinesShown = 20;

struct DiffOptions {
  events::GraphChoice original;
  std::string rewritten;
  bool json = false;
};

void print_json(const GraphDiff& diff, const io::SurroundingsDiff& surroundings, bool sound) {
  nlohmann::ordered_json json;
  json["sound"] = sound;
  json["ops_compared"] = diff.ops_compared;
  json["added"] = nlohmann::ordered_json::array();
  for (const auto& copy : diff.added) {
    json["added"].push_back(
        {{"name", copy.name}, {"device", copy.device}, {"carries", copy.source}});
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
  json["violations"] = diff.violations;
  for (const std::string& violation : surroundings.violations) {
    json["violations"].push_back(violation);
  }
  json["not_compared"] = surroundings.not_compared;
  fmt::print("{}\n", session::json_text(json));
}

template <typename Item, typename Line>
void print_list(const char* title, const std::vector<Item>& items, const Line& line) {
  fmt::print("{}: {}\n", title, items.size());
  for (std::size_t i = 0; i < items.size() && i < kLinesShown; ++i) {
    fmt::print("  {}\n", line(items[i]));
  }
  if (items.size() > kLinesShown) {
    fmt::print("  ... and {} more (--json lists all)\n", items.size() - kLinesShown);
  }
}

void print_text(const GraphDiff& diff, const io::SurroundingsDiff& surroundings, bool sound) {
  print_list("added ops", diff.added, [](const GraphDiff::Copy& copy) {
    return fmt::format("{} on '{}' carries {}", copy.name, copy.device, copy.source);
  });
  print_list("rerouted inputs", diff.rerouted, [](const GraphDiff::InputChange& change) {
    return fmt::format("{} input {}: {} -> {}", change.op, change.slot, change.from, change.to);
  });
  print_list("added control edges", diff.control, [](const GraphDiff::ControlChange& change) {
    return fmt::format("{} waits for {}", change.op, change.after);
  });
  std::vector<std::string> violations = diff.violations;
  violations.insert(violations.end(), surroundings.violations.begin(),
                    surroundings.violations.end());
  if (sound) {
    fmt::print(
        "nothing else changed: {} ops compute the same from the same values; {} are equal; the "
        "result is acyclic\n",
        diff.ops_compared,
        surroundings.collections_compared ? "library, versions, collections and signatures"
                                          : "library and versions");
  } else {
    print_list("violations", violations, [](const std::string& text) { return text; });
  }
  for (const std::string& what : surroundings.not_compared) {
    fmt::print("not compared: {}\n", what);
  }
}

// Adds what changed inside a function that both files have.
Status diff_function(const io::Document& original, const io::Document& rewritten,
                     const std::string& name, GraphDiff& diff) {
  TIDELINE_TRY(const io::Document before, io::open_function(original, name));
  TIDELINE_TRY(const io::Document after, io::open_function(rewritten, name, io::Cycles::kAllow));
  GraphDiff inner = diff_graphs(before.graph, after.graph);
  if (Status status = verify_acyclic(after.graph); !status) {
    inner.violations.push_back(status.error().message);
  }
  if (!io::same_function_fields(before, after)) {
    inner.violations.emplace_back("signature or attributes changed");
  }
  diff.ops_compared += inner.ops_compared;
  for (GraphDiff::Copy& copy : inner.added) {
    copy.name = fmt::format("{}: {}", name, copy.name);
    diff.added.push_back(std::move(copy));
  }
  for (GraphDiff::InputChange& change : inner.rerouted) {
    change.op = fmt::format("{}: {}", name, change.op);
    diff.rerouted.push_back(std::move(change));
  }
  for (GraphDiff::ControlChange& change : inner.control) {
    change.op = fmt::format("{}: {}", name, change.op);
    diff.control.push_back(std::move(change));
  }
  for (const std::string& violation : inner.violations) {
    diff.violations.push_back(fmt::format("function '{}': {}", name, violation));
  }
  return {};
}

int print_diff(const DiffOptions& options) {
  TerminalProgress progress(false);
  auto original = events::open_graph(options.original, progress);
  if (!original) return report(original.error());
  events::GraphChoice changed = options.original;
  changed.path = options.rewritten;
  auto rewritten = events::open_graph(changed, progress, io::Cycles::kAllow);
  if (!rewritten) return report(rewritten.error());
  GraphDiff diff = diff_graphs(original->graph, rewritten->graph);
  if (Status status = verify_acyclic(rewritten->graph); !status) {
    diff.violations.push_back(status.error().message);
  }
  io::SurroundingsDiff surroundings = io::compare_surroundings(*original, *rewritten);
  if (!original->folder.empty() && !rewritten->folder.empty()) {
    auto companions = io::compare_companions(original->folder, rewritten->folder);
    if (!companions) return report(companions.error());
    surroundings.violations.insert(surroundings.violations.end(), companions->begin(),
                                   companions->end());
  }
  for (const std::string& name : surroundings.changed_functions) {
    if (Status status = diff_function(*original, *rewritten, name, diff); !status) {
      return report(status.error());
    }
  }
  const bool sound = diff.violations.empty() && surroundings.violations.empty();
  if (options.json) {
    print_json(diff, surroundings, sound);
  } else {
    print_text(diff, surroundings, sound);
  }
  return sound ? kExitDone : kExitCheck;
}

}  // namespace

void add_diff(const Command& app, Action& action) {
  auto options = std::make_shared<DiffOptions>();
  const Command command = app.add_subcommand(
      "diff",
      "What a rewrite changed, and the proof that nothing else did (exit code 3 otherwise)");
  command.add_option("ORIGINAL", options->original.path, "Graph before").required();
  command.add_option("REWRITTEN", options->rewritten, "Graph after").required();
  add_graph_choice(command, options->original);
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([options, &action] { action = [options] { return print_diff(*options); }; });
}

}  // namespace tideline::cli
