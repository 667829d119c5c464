// Tested by unit/actions/commands_test.cc.
#include "app/actions/commands.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/parse.h"
#include "core/base/size_or_share.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

std::vector<Action> all_actions() {
  std::vector<Action> all;
  for (const auto group :
       {kFileActions, kSessionActions, kDocumentActions, kLogActions, kPolicyActions, kGraphActions,
        kViewActions, kLooksActions, kScopesActions, kDiffActions, kLessonActions, kPlayerActions,
        kBookmarkActions, kSelectActions, kCheckpointActions}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

std::string title_of(const Viewer& viewer, const Action& action) {
  return action.dynamic_title != nullptr ? action.dynamic_title(viewer) : std::string(action.title);
}

bool is_enabled(const Viewer& viewer, const Action& action) {
  return action.enabled == nullptr || action.enabled(viewer);
}

std::string help_of(const Action& action) {
  const std::string usage = usage_text(action.arguments());
  return usage.empty() ? std::string(action.help) : fmt::format("{}: {}", usage, action.help);
}

std::string why_not_enabled(const Viewer& viewer, const Action& action) {
  if (action.id.starts_with("checkpoint.")) {
    return "no checkpoint is shown; expected document.open checkpoint PATH first";
  }
  if (action.id.starts_with("lesson."))
    return "no lesson is played; expected lesson.open PATH first";
  if (action.id.starts_with("log.")) return "no log is shown; expected file.open LOGDIR first";
  if (!has_graph(viewer)) return "no graph is open; expected file.open PATH first";
  if (action.enabled != has_plan) return "not available now";
  return fmt::format(
      "there is no plan for the policy: {}; expected another policy, or policy.revert",
      with_parameter_names(viewer.graph().policy_error()->message, Naming::kField));
}

// Checks the number of arguments first, which is the more helpful message.
Answered run_known(Viewer& viewer, const Action& action, const Words& words) {
  const auto specs = action.arguments();
  const bool is_count_wrong = words.size() < required_count(specs) || words.size() > specs.size();
  if (!is_count_wrong && !is_enabled(viewer, action)) {
    return fail(Code::kInvalidArgument, "{}", why_not_enabled(viewer, action));
  }
  TIDELINE_TRY(const Arguments arguments, parse_arguments(specs, words));
  return action.run(viewer, arguments);
}

}  // namespace

std::span<const ArgumentSpec> Action::arguments() const {
  const auto end = std::find_if(takes.begin(), takes.end(),
                                [](const ArgumentSpec& spec) { return spec.name.empty(); });
  return {takes.begin(), end};
}

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

Result<Call> parse_call(std::string_view id, const Words& words) {
  const auto unknown = [&] {
    return fail(Code::kInvalidArgument, "'{}' is not an action; expected one such as policy.set",
                printable(id));
  };
  std::string_view rest = id;
  Call call{find_action(take_until(rest, ' '))};
  if (call.action == nullptr || id.ends_with(' ')) return unknown();
  while (!rest.empty()) {
    call.words.emplace_back(take_until(rest, ' '));
    if (call.words.back().empty()) return unknown();
  }
  call.words.insert(call.words.end(), words.begin(), words.end());
  return call;
}

Answered run_call(Viewer& viewer, const Call& call) {
  auto answer = run_known(viewer, *call.action, call.words);
  if (!answer) return tl::unexpected(with_context(std::move(answer).error(), call.action->id));
  return answer;
}

bool reads_results(const Call& call) {
  const bool sets_share = call.action->id == "policy.set" && call.words.size() == 2 &&
                          call.words[0] == "device-memory" && is_share(call.words[1]);
  return sets_share || call.action->effect != Effect::kAtOnce;
}

Answered run_action(Viewer& viewer, std::string_view id, const Words& words) {
  TIDELINE_TRY(const Call call, parse_call(id, words));
  return run_call(viewer, call);
}

void run_intents(Viewer& viewer, const ui::Intents& intents) {
  for (const ui::Intent& intent : intents) {
    if (const auto answer = run_action(viewer, intent.action, intent.arguments); !answer) {
      viewer.session.journal().say(ui::MessageKind::kError, answer.error().message);
    }
  }
}

std::vector<ui::ActionInfo> action_infos(const Viewer& viewer) {
  std::vector<ui::ActionInfo> infos;
  const auto add = [&](const Action& action) {
    ui::ActionInfo info;
    info.id = action.id;
    info.title = title_of(viewer, action);
    info.menu = action.menu;
    info.keys = action.keys;
    info.help = help_of(action);
    info.needs_arguments = required_count(action.arguments()) > 0;
    info.enabled = is_enabled(viewer, action);
    infos.push_back(std::move(info));
  };
  for (const Action& action : actions()) {
    if (required_count(action.arguments()) == 0) add(action);
  }
  for (const Shortcut& shortcut : shortcuts()) {
    const auto call = parse_call(shortcut.id);
    TIDELINE_CHECK(call);
    const Action* action = call->action;
    ui::ActionInfo info;
    info.id = shortcut.id;
    info.title = shortcut.title;
    info.menu = shortcut.menu;
    info.keys = shortcut.keys;
    info.help = action->help;
    info.enabled =
        is_enabled(viewer, *action) && (shortcut.enabled == nullptr || shortcut.enabled(viewer));
    info.checked = shortcut.checked != nullptr && shortcut.checked(viewer);
    infos.push_back(std::move(info));
  }
  for (const Action& action : actions()) {
    if (required_count(action.arguments()) > 0) add(action);
  }
  return infos;
}

bool has_graph(const Viewer& viewer) {
  return viewer.graph().snapshot() != nullptr;
}

bool has_plan(const Viewer& viewer) {
  return viewer.graph().has_plan();
}

bool has_trace(const Viewer& viewer) {
  return has_graph(viewer) && viewer.graph().snapshot()->shown->measured != nullptr;
}

}  // namespace tideline::app
