// Tested by unit/session/commands_test.cc.
#include "app/session/commands.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/text.h"

namespace tideline::session {
namespace {

std::vector<Action> all_actions() {
  std::vector<Action> all;
  for (const auto group :
       {file_actions(), policy_actions(), graph_actions(), view_actions(), select_actions()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

std::string title_of(const App& app, const Action& action) {
  return action.dynamic_title != nullptr ? action.dynamic_title(app) : std::string(action.title);
}

bool is_enabled(const App& app, const Action& action) {
  return action.enabled == nullptr || action.enabled(app);
}

std::string help_of(const Action& action) {
  return action.arguments.empty() ? std::string(action.help)
                                  : fmt::format("{}: {}", action.arguments, action.help);
}

Status check_count(const Action& action, std::size_t count) {
  if (count >= action.least && count <= action.most) return {};
  return fail(Code::kInvalidArgument, "it has {} argument{}; expected {}", count,
              count == 1 ? "" : "s", action.most == 0 ? "none" : action.arguments);
}

Status run_known(App& app, const Action& action, const Arguments& arguments) {
  TIDELINE_RETURN_IF_ERROR(check_count(action, arguments.size()));
  if (!is_enabled(app, action)) {
    return fail(
        Code::kInvalidArgument, "{}",
        has_graph(app) ? "not available now" : "no graph is open; expected file.open PATH first");
  }
  return action.run(app, arguments);
}

}  // namespace

std::span<const Action> actions() {
  static const std::vector<Action> kAll = all_actions();
  return kAll;
}

const Action* find_action(std::string_view id) {
  const auto all = actions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Action& action) { return action.id == id; });
  return found == all.end() ? nullptr : &*found;
}

Status run_action(App& app, std::string_view id, const Arguments& arguments) {
  const Action* action = find_action(id);
  Arguments all = arguments;
  if (action == nullptr) {
    // A shortcut brings arguments with it.
    const auto words = split_list(id, ' ');
    if (words.size() > 1) {
      action = find_action(words.front());
      all.insert(all.begin(), words.begin() + 1, words.end());
    }
  }
  if (action == nullptr) {
    return fail(Code::kInvalidArgument, "'{}' is not an action; expected one such as policy.set",
                printable(id));
  }
  Status status = run_known(app, *action, all);
  if (!status) return tl::unexpected(with_context(std::move(status).error(), action->id));
  return status;
}

void run_intents(App& app, const ui::Intents& intents) {
  for (const ui::Intent& intent : intents) {
    if (Status status = run_action(app, intent.action, intent.arguments); !status) {
      app.session.say(ui::MessageKind::kError, status.error().message);
    }
  }
}

std::vector<ui::ActionInfo> action_infos(const App& app) {
  std::vector<ui::ActionInfo> infos;
  const auto add = [&](const Action& action) {
    ui::ActionInfo info;
    info.id = action.id;
    info.title = title_of(app, action);
    info.menu = action.menu;
    info.keys = action.keys;
    info.help = help_of(action);
    info.needs_arguments = action.least > 0;
    info.enabled = is_enabled(app, action);
    infos.push_back(std::move(info));
  };
  for (const Action& action : actions()) {
    if (action.least == 0) add(action);
  }
  for (const Shortcut& shortcut : shortcuts()) {
    const Action* action = find_action(shortcut.id.substr(0, shortcut.id.find(' ')));
    ui::ActionInfo info;
    info.id = shortcut.id;
    info.title = shortcut.title;
    info.menu = shortcut.menu;
    info.keys = shortcut.keys;
    info.help = action->help;
    info.enabled =
        is_enabled(app, *action) && (shortcut.enabled == nullptr || shortcut.enabled(app));
    info.checked = shortcut.checked != nullptr && shortcut.checked(app);
    infos.push_back(std::move(info));
  }
  for (const Action& action : actions()) {
    if (action.least > 0) add(action);
  }
  return infos;
}

bool has_graph(const App& app) {
  return app.session.snapshot() != nullptr;
}

bool has_trace(const App& app) {
  return has_graph(app) && app.session.snapshot()->graph->measured != nullptr;
}

tl::unexpected<Error> bad_argument(std::string_view text, std::string_view expected) {
  return fail(Code::kInvalidArgument, "invalid value '{}'; expected {}", printable(text), expected);
}

Result<double> parse_decimal(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  constexpr double kMost = 1e9;
  if (error != std::errc() || stop != end || !(std::abs(value) <= kMost)) {
    return bad_argument(text, "a number");
  }
  return value;
}

}  // namespace tideline::session
