// The table of actions, through which menus, keys, palette, scripts, panels and tests all go.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/app.h"
#include "render/ui/intent.h"

namespace tideline::session {

using Arguments = std::vector<std::string>;

/// Whether a script has to wait for an action.
enum class Effect : std::uint8_t {
  kAtOnce,   ///< done when it returns; results of a changed wish are waited for when needed
  kSlow,     ///< starts background work, which the next action waits for
  kResults,  ///< the same, and needs a policy for which there is a plan
};

struct Action {
  std::string_view id;         ///< "policy.set"
  std::string_view title;      ///< "Set a parameter"
  std::string_view menu;       ///< "File"; empty: in no menu
  std::string_view keys;       ///< "Ctrl+Shift+Z"; several are separated by a blank
  std::string_view arguments;  ///< "NAME VALUE"; optional ones in brackets
  std::string_view help;       ///< one sentence
  std::size_t least = 0;       ///< arguments
  std::size_t most = 0;
  Status (*run)(App& app, const Arguments& arguments) = nullptr;
  bool (*enabled)(const App& app) = nullptr;               ///< null: always
  std::string (*dynamic_title)(const App& app) = nullptr;  ///< null: `title`
  Effect effect = Effect::kAtOnce;
};

/// An action with fixed arguments that has its own menu entry or key: "view.tab memory".
struct Shortcut {
  std::string id;  ///< the action and its arguments, separated by blanks
  std::string title, menu, keys;
  std::function<bool(const App& app)> checked = nullptr;
  bool (*enabled)(const App& app) = nullptr;  ///< null: as the action
};

/// All actions, by group, in the order of the menus.
[[nodiscard]] std::span<const Action> actions();
/// All shortcuts, one for every rewriter among them.
[[nodiscard]] std::vector<Shortcut> shortcuts();
/// The action, or null.
[[nodiscard]] const Action* find_action(std::string_view id);

/// Runs an action or a shortcut. Does not block: long work continues in the background.
/// Errors: kInvalidArgument for an unknown action, a wrong number or kind of arguments, or an
/// action that is not enabled, with a message that begins with the id and says what was expected;
/// those of the action.
[[nodiscard]] Status run_action(App& app, std::string_view id, const Arguments& arguments = {});

/// Runs the intents of the panels in order; failures become messages in the message list.
void run_intents(App& app, const ui::Intents& intents);

/// For panels: actions without required arguments, shortcuts, then the others, with their current
/// titles and states.
[[nodiscard]] std::vector<ui::ActionInfo> action_infos(const App& app);

// The groups of the table.
[[nodiscard]] std::span<const Action> file_actions();
[[nodiscard]] std::span<const Action> policy_actions();
[[nodiscard]] std::span<const Action> graph_actions();
[[nodiscard]] std::span<const Action> view_actions();
[[nodiscard]] std::span<const Action> select_actions();

// Helpers shared by the groups.
[[nodiscard]] bool has_graph(const App& app);
/// Whether a traced step is open.
[[nodiscard]] bool has_trace(const App& app);
[[nodiscard]] tl::unexpected<Error> bad_argument(std::string_view text, std::string_view expected);
[[nodiscard]] Result<double> parse_decimal(const std::string& text);

}  // namespace tideline::session
