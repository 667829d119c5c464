// The one table of actions: menus, keys, palette, scripts, panels and tests all go through it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/session/arguments.h"
#include "app/session/viewer.h"
#include "render/model/intent.h"

namespace tideline::session {

/// What the user wrote: an intent's arguments, the words of a line.
using Words = std::vector<std::string>;

/// What an action found or made, for whoever asked for it; most make nothing.
using Answer = std::variant<std::monostate,
                            DocumentId,    ///< that is looked at now
                            TensorId,      ///< that is selected now
                            std::string>;  ///< that was copied
using Answered = Result<Answer>;

/// What whoever runs an action has to know, beyond running it.
enum class Effect : std::uint8_t {
  kAtOnce,   ///< done when it returns; or a change of the wish, whose results are waited for later
  kSlow,     ///< begins work that belongs to it: the next action waits for its end
  kResults,  ///< the same, and needs a policy that could be fulfilled
};

struct Action {
  static constexpr std::size_t kMostArguments = 2;

  std::string_view id;     ///< "policy.set"
  std::string_view title;  ///< "Set a parameter"
  std::string_view menu;   ///< "File"; empty: in none
  std::string_view keys;   ///< "Ctrl+Shift+Z"; several are parted by a blank
  std::array<ArgumentSpec, kMostArguments> takes;
  std::string_view help;  ///< one sentence
  Answered (*run)(Viewer& viewer, const Arguments& arguments) = nullptr;
  bool (*enabled)(const Viewer& viewer) = nullptr;               ///< null: always
  std::string (*dynamic_title)(const Viewer& viewer) = nullptr;  ///< null: `title`
  Effect effect = Effect::kAtOnce;

  [[nodiscard]] std::span<const ArgumentSpec> arguments() const;
  /// Whether it begins work beside that belongs to it.
  [[nodiscard]] bool is_slow() const { return effect != Effect::kAtOnce; }
  [[nodiscard]] bool needs_results() const { return effect == Effect::kResults; }
};

/// An action with arguments that has a place in a menu or a key of its own: "view.tab memory".
struct Shortcut {
  std::string id;  ///< the action and its arguments, parted by blanks
  std::string title, menu, keys;
  std::function<bool(const Viewer& viewer)> checked = nullptr;
  bool (*enabled)(const Viewer& viewer) = nullptr;  ///< null: as the action
};

/// All actions, by group, in the order of the menus.
[[nodiscard]] std::span<const Action> actions();
/// One for every rewriter among them.
[[nodiscard]] std::vector<Shortcut> shortcuts();
/// Null when there is none.
[[nodiscard]] const Action* find_action(std::string_view id);

/// Runs an action or a shortcut. Returns at once: what takes long goes on beside (`is_slow`).
/// Errors: kInvalidArgument for an unknown action, a wrong number or kind of arguments, and for
/// what is not possible now; the message begins with the id and says what was expected. Others:
/// those of the action.
[[nodiscard]] Answered run_action(Viewer& viewer, std::string_view id, const Words& words = {});

/// Runs the intents of the panels in their order; what fails is a message.
void run_intents(Viewer& viewer, const ui::Intents& intents);

/// For panels: actions that need no arguments, shortcuts, then the others; with titles and states
/// of now.
[[nodiscard]] std::vector<ui::ActionInfo> action_infos(const Viewer& viewer);

// The groups of the table.
[[nodiscard]] std::span<const Action> file_actions();
[[nodiscard]] std::span<const Action> document_actions();
[[nodiscard]] std::span<const Action> policy_actions();
[[nodiscard]] std::span<const Action> graph_actions();
[[nodiscard]] std::span<const Action> view_actions();
[[nodiscard]] std::span<const Action> select_actions();

// What the groups share.
[[nodiscard]] bool has_graph(const Viewer& viewer);
/// Whether a traced step is shown beside the graph.
[[nodiscard]] bool has_trace(const Viewer& viewer);

}  // namespace tideline::session
