// The table of actions, through which menus, keys, palette, scripts, panels and tests all go.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/actions/arguments.h"
#include "app/session/viewer.h"
#include "render/model/checkpoint_contents.h"
#include "render/model/intent.h"

namespace tideline::app {

/// Arguments as text, from an intent or a line of a script.
using Words = std::vector<std::string>;

/// The result of an action; most have none.
using Answer = std::variant<std::monostate,
                            DocumentId,    ///< the document now shown
                            TensorId,      ///< the tensor now selected
                            std::string>;  ///< the text that was copied
using Answered = Result<Answer>;

/// Whether a caller has to wait for an action.
enum class Effect : std::uint8_t {
  kAtOnce,   ///< done when it returns; results of a changed wish are waited for when needed
  kReads,    ///< the same, but it reads such results: a script waits for them first
  kSlow,     ///< starts background work, which the next action waits for
  kResults,  ///< the same, and needs a policy for which there is a plan
};

/// The fronts that may run an action.
enum class Fronts : std::uint8_t {
  kProgram,  ///< the window and scripts: whoever uses them may run the program anyway
  kAll,      ///< pages of `tideline serve` and of TensorBoard's tab, too
};

struct Action {
  static constexpr std::size_t kMostArguments = 3;

  std::string_view id;     ///< "policy.set"
  std::string_view title;  ///< "Set a parameter"
  std::string_view menu;   ///< "File"; empty: in no menu
  std::string_view keys;   ///< "Ctrl+Shift+Z"; several are separated by a blank
  std::array<ArgumentSpec, kMostArguments> takes;
  std::string_view help;  ///< one sentence
  Answered (*run)(Viewer& viewer, const Arguments& arguments) = nullptr;
  bool (*enabled)(const Viewer& viewer) = nullptr;               ///< null: always
  std::string (*dynamic_title)(const Viewer& viewer) = nullptr;  ///< null: `title`
  Effect effect = Effect::kAtOnce;
  Fronts fronts = Fronts::kProgram;  ///< a new action is closed to pages until it says otherwise

  [[nodiscard]] std::span<const ArgumentSpec> arguments() const;
  /// Whether it starts background work that a script waits for.
  [[nodiscard]] bool is_slow() const {
    return effect == Effect::kSlow || effect == Effect::kResults;
  }
  [[nodiscard]] bool needs_results() const { return effect == Effect::kResults; }
};

/// An entry of the table of actions, of its members in their order.
constexpr Action action(std::string_view id, std::string_view title, std::string_view menu,
                        std::string_view keys,
                        std::array<ArgumentSpec, Action::kMostArguments> takes,
                        std::string_view help, decltype(Action::run) run,
                        decltype(Action::enabled) enabled = nullptr,
                        decltype(Action::dynamic_title) dynamic_title = nullptr,
                        Effect effect = Effect::kAtOnce) {
  return {id, title, menu, keys, takes, help, run, enabled, dynamic_title, effect};
}

/// The same action, which pages may run, too. An action for pages ends no program, runs no code but
/// TensorFlow's optimizer, opens no further document, and asks `resolved` about every path.
constexpr Action for_pages(Action action) {
  action.fronts = Fronts::kAll;
  return action;
}

/// An action with fixed arguments that has its own menu entry or key: "view.tab memory".
struct Shortcut {
  std::string id;  ///< the action and its arguments, separated by blanks
  std::string title, menu, keys;
  std::function<bool(const Viewer& viewer)> checked = nullptr;
  bool (*enabled)(const Viewer& viewer) = nullptr;  ///< null: as the action
};

/// All actions, by group, in the order of the menus.
[[nodiscard]] std::span<const Action> actions();
/// All shortcuts, one for every rewriter among them.
[[nodiscard]] std::vector<Shortcut> shortcuts();
/// The action, or null.
[[nodiscard]] const Action* find_action(std::string_view id);

/// An action and the arguments that it is to get.
struct Call {
  const Action* action = nullptr;
  Words words = {};
};

/// What an intent, a shortcut, a line of a script or a request of a page asks for. The same call is
/// checked and run. `id` is an action's id, which the first arguments may follow, each after one
/// blank, as in the table of shortcuts. Blanks at the beginning or the end and other white space
/// are errors. Errors: kInvalidArgument for what is no action.
[[nodiscard]] Result<Call> parse_call(std::string_view id, const Words& words = {});
/// Runs it. Does not block: long work continues in the background (`is_slow`). Errors:
/// kInvalidArgument for a wrong number or kind of arguments, or an action that is not enabled, with
/// a message that begins with the id and says what was expected; those of the action.
[[nodiscard]] Answered run_call(Viewer& viewer, const Call& call);
/// Whether it reads results of background work: of the action, or for a share of the peak.
[[nodiscard]] bool reads_results(const Call& call);
/// parse_call and run_call.
[[nodiscard]] Answered run_action(Viewer& viewer, std::string_view id, const Words& words = {});

/// Runs the intents of the panels in order; failures become messages in the message list.
void run_intents(Viewer& viewer, const ui::Intents& intents);

/// For panels: actions without required arguments, shortcuts, then the others, with their current
/// titles and states.
[[nodiscard]] std::vector<ui::ActionInfo> action_infos(const Viewer& viewer);

// The groups of the table.
extern const std::span<const Action> kFileActions;
extern const std::span<const Action> kDocumentActions;
extern const std::span<const Action> kLogActions;
extern const std::span<const Action> kCheckpointActions;
extern const std::span<const Action> kPolicyActions;
extern const std::span<const Action> kGraphActions;
extern const std::span<const Action> kViewActions;
extern const std::span<const Action> kLooksActions;
extern const std::span<const Action> kSessionActions;
extern const std::span<const Action> kLessonActions;
extern const std::span<const Action> kScopesActions;
extern const std::span<const Action> kDiffActions;
extern const std::span<const Action> kPlayerActions;
extern const std::span<const Action> kBookmarkActions;
extern const std::span<const Action> kSelectActions;

// Helpers shared by the groups.
/// The action of showing a popup.
template <ui::Popup kPopup>
Answered show_popup(Viewer& viewer, const Arguments&) {
  viewer.view.popup = kPopup;
  return {};
}
/// The action that is a function of the open graph.
template <auto kFunction>
Answered of_graph(Viewer& viewer, const Arguments&) {
  (viewer.graph().*kFunction)();
  return {};
}
[[nodiscard]] bool has_graph(const Viewer& viewer);
/// Whether the open graph has a plan for its policy, or one is being made.
[[nodiscard]] bool has_plan(const Viewer& viewer);
/// The contents of the checkpoint that is shown; null if there is none.
[[nodiscard]] std::shared_ptr<const ui::CheckpointContents> shown_checkpoint(const Viewer& viewer);
/// Whether a log is shown, at least a part of which has been read.
[[nodiscard]] bool has_log(const Viewer& viewer);
/// Whether a traced step is open.
[[nodiscard]] bool has_trace(const Viewer& viewer);

}  // namespace tideline::app
