// `checkpoint backends`: the backends of the plugins that are installed.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoint.h"
#include "app/cli/terminal.h"
#include "app/engine/checkpoint_contents.h"

namespace tideline::cli {
namespace {

using Json = nlohmann::ordered_json;

int list_backends(bool json) {
  std::vector<Error> problems;
  Json list = Json::array();
  for (const checkpoint::BackendFacts& facts : app::installed_backends(problems)) {
    const ui::BackendRow row = app::backend_row(facts);
    if (json) {
      list.push_back({{"name", row.name},
                      {"about", row.about},
                      {"library", row.library},
                      {"abilities", row.abilities}});
      continue;
    }
    say("{}: {}\n  {}\n  {}\n", row.name, row.about,
        fmt::format("{}", fmt::join(row.abilities, ", ")), row.library);
  }
  if (json) say_json({{"backends", std::move(list)}});
  // One that cannot be loaded keeps the others from nothing.
  for (const Error& problem : problems) complain("{}", problem.message);
  return problems.empty() ? kExitDone : kExitData;
}

}  // namespace

void add_checkpoint_backends(const Command& checkpoint, Action& action) {
  auto json = std::make_shared<bool>(false);
  const Command command = checkpoint.add_subcommand(
      "backends", "The backends of the plugins that are installed, and what they can do");
  command.add_flag("--json", *json, "Print JSON");
  command.callback([json, &action] { action = [json] { return list_backends(*json); }; });
}

}  // namespace tideline::cli
