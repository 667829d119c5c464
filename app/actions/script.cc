// Tested by unit/actions/script_test.cc and golden/cases/script.txt.
#include "app/actions/script.h"

#include <algorithm>
#include <array>
#include <map>

#include "app/actions/commands.h"
#include "app/actions/lesson_player.h"
#include "app/actions/print.h"
#include "app/actions/quantities.h"
#include "app/engine/exit_codes.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"

namespace tideline::app {
namespace {

struct Failure {
  int exit_code = 0;
  std::string message;
};

class Script {
 public:
  Script(Viewer& viewer, const ScriptOutput& output) : viewer_(viewer), output_(output) {
    notice();
  }

  std::optional<Failure> run_line(std::string_view line) {
    auto words = split_words(line);
    if (!words) return Failure{kExitUsage, words.error().message};
    if (words->empty()) return std::nullopt;
    const std::string id = words->front();
    const Words arguments(words->begin() + 1, words->end());
    if (id == "wait") return wait(arguments);
    if (id == "print") return print(arguments);
    if (id == "expect") return expect(arguments);
    // Opening and writing end before the next line, so that their errors are reported for this one.
    const auto call = parse_call(id, arguments);
    if (!call) return Failure{kExitUsage, call.error().message};
    const bool is_slow = call->action->is_slow();
    if (reads_results(*call)) settle();
    if (wants_graph(*call->action, call->words)) {
      if (auto failure = open_graph_of_log(id)) return failure;
    }
    if (call->action->needs_results()) {
      if (auto failure = policy_failure()) return failure;
    }
    const auto answer = run_call(viewer_, *call);
    viewer_.graph().end_gesture();
    if (!answer) {
      const bool is_usage = answer.error().code == Code::kInvalidArgument;
      return Failure{is_usage ? kExitUsage : exit_code(answer.error()), answer.error().message};
    }
    if (!is_slow) return std::nullopt;
    settle();
    return job_failure(call->action->id);
  }

  std::optional<Failure> finish() {
    settle();
    if (auto failure = job_failure("wait")) return failure;
    for (const Session::Entry& entry : viewer_.session.documents()) {
      if (auto failure = policy_failure(viewer_.session.graph(entry.id))) return failure;
    }
    return std::nullopt;
  }

 private:
  // What is seen, too: the diff view compares the graphs once it is shown.
  void settle() {
    settle_lesson(viewer_);
    if (viewer_.view.tab == ui::Tab::kDiff) {
      viewer_.graph().want_changes();
      settle_lesson(viewer_);
    }
    notice();
  }

  void notice() {
    std::vector<ReadGraphPtr> open;
    for (const Session::Entry& entry : viewer_.session.documents()) {
      const auto& snapshot = viewer_.session.graph(entry.id).snapshot();
      if (!snapshot) continue;
      open.push_back(snapshot->graph->file->source);
      const bool is_new =
          std::find(noticed_.begin(), noticed_.end(), open.back()) == noticed_.end();
      if (is_new && output_.notice_graph) output_.notice_graph(*open.back());
      warn_of(*snapshot);
    }
    noticed_ = std::move(open);
  }

  // Warnings that the previous plan had, too, are not repeated: a line of a script changes one
  // thing.
  void warn_of(const Snapshot& snapshot) {
    std::vector<Warning> warnings = snapshot.warnings();
    std::vector<Warning>& known = warned_[snapshot.graph->file.get()];
    for (const Warning& warning : warnings) {
      const bool is_known = std::find(known.begin(), known.end(), warning) != known.end();
      if (!is_known && output_.warn) output_.warn(warning);
    }
    known = std::move(warnings);
  }

  [[nodiscard]] bool wants_graph(const Action& action, const Words& arguments) const {
    if (action.id == "file.write-picture") {
      return std::any_of(arguments.begin(), arguments.end(), render::find_view);
    }
    if (action.id == "view.axis") return true;  // of a view that a log does not have
    const bool is_of_other = action.id.starts_with("log.") ||
                             action.id.starts_with("checkpoint.") ||
                             action.id.starts_with("document.") || action.id.starts_with("lesson.");
    return !is_of_other && action.enabled != nullptr && !action.enabled(viewer_);
  }

  // While a log is shown, a line that needs a graph opens the log's graph and shows it.
  std::optional<Failure> open_graph_of_log(std::string_view id) {
    if (!has_log(viewer_)) return std::nullopt;
    OpenRequest request = viewer_.session.find(viewer_.shown)->document->request();
    open_graph(viewer_, std::move(request), first_wish(viewer_));
    settle();
    return job_failure(id);
  }

  std::optional<Failure> job_failure(std::string_view id) {
    const auto error = viewer_.session.journal().take_failure();
    if (!error) return std::nullopt;
    return Failure{exit_code(*error), fmt::format("{}: {}", id, error->message)};
  }

  std::optional<Failure> policy_failure() { return policy_failure(viewer_.graph()); }

  std::optional<Failure> policy_failure(const GraphDocument& graph) {
    const auto& error = graph.policy_error();
    if (!error) return std::nullopt;
    return Failure{exit_code(*error), "the policy: " + error->message};
  }

  std::optional<Failure> wait(const Words& arguments) {
    if (!arguments.empty()) return Failure{kExitUsage, "wait: expected no arguments"};
    settle();
    return job_failure("wait");
  }

  // If something was compared before; of the current policy.
  void find_changes_now() {
    if (viewer_.graph().shown_changes() == nullptr) return;
    viewer_.graph().want_changes();
    settle();
  }

  std::optional<Failure> print(const Words& arguments) {
    settle();
    if (auto failure = job_failure("print")) return failure;
    if (arguments.size() != 1) {
      return Failure{
          kExitUsage,
          "print: expected result, swaps, inspector, timeline, scopes, diff, state, documents, "
          "checkpoint or clipboard"};
    }
    constexpr std::array kOfGraphs = {"result", "swaps", "inspector", "timeline", "scopes", "diff"};
    if (std::find(kOfGraphs.begin(), kOfGraphs.end(), arguments[0]) != kOfGraphs.end()) {
      if (auto failure = open_graph_of_log("print")) return failure;
    }
    if (arguments[0] == "result" || arguments[0] == "swaps" || arguments[0] == "inspector") {
      if (auto failure = policy_failure()) return failure;
    }
    if (arguments[0] == "inspector" && viewer_.graph().snapshot()) {
      viewer_.graph().want_reasons();
      settle();
    }
    if (arguments[0] == "diff") find_changes_now();
    const auto text = print_text(viewer_, arguments[0]);
    if (!text) return Failure{kExitUsage, "print: " + text.error().message};
    if (output_.print) output_.print(*text);
    return std::nullopt;
  }

  std::optional<Failure> expect(const Words& arguments) {
    settle();
    if (auto failure = job_failure("expect")) return failure;
    if (!arguments.empty() && needs_graph(arguments[0])) {
      if (auto failure = open_graph_of_log("expect")) return failure;
    }
    if (arguments.empty() || needs_plan(arguments[0])) {
      if (auto failure = policy_failure()) return failure;
    }
    if (!arguments.empty() && arguments[0].starts_with("diff-")) find_changes_now();
    const auto met = check_expectation(viewer_, arguments);
    if (!met) return Failure{kExitUsage, "expect: " + met.error().message};
    if (met->empty()) return std::nullopt;
    return Failure{kExitCheck, "expect: " + *met};
  }

  Viewer& viewer_;
  const ScriptOutput& output_;
  std::vector<ReadGraphPtr> noticed_;
  std::map<const GraphFile*, std::vector<Warning>> warned_;
};

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  bool is_in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool is_blank = c == ' ' || c == '\t' || c == '\r';
    if (quote == 0 && !is_in_word && c == '#' && words.empty()) return words;
    if (quote == 0 && is_blank) {
      is_in_word = false;
      continue;
    }
    if (!is_in_word) {
      words.emplace_back();
      is_in_word = true;
    }
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == '"' && c == '\\' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) return fail(Code::kInvalidArgument, "a quote is not closed; expected {}", quote);
  return words;
}

ScriptResult run_script(Viewer& viewer, std::string_view text, std::string_view name,
                        const ScriptOutput& output) {
  Script script(viewer, output);
  int number = 0;
  const auto stop = [&](const Failure& failure) {
    return ScriptResult{failure.exit_code,
                        fmt::format("{}:{}: {}", name, number,
                                    with_parameter_names(failure.message, Naming::kField))};
  };
  while (!text.empty() && !viewer.wants_quit) {
    ++number;
    if (const auto failure = script.run_line(take_until(text, '\n'))) return stop(*failure);
  }
  if (const auto failure = script.finish()) return stop(*failure);
  return {};
}

}  // namespace tideline::app
