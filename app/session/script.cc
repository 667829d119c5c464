// Tested by unit/session/script_test.cc and golden/cases/script.txt.
#include "app/session/script.h"

#include "app/session/commands.h"
#include "app/session/exit_codes.h"
#include "app/session/print.h"
#include "app/session/quantities.h"
#include "core/base/text.h"

namespace tideline::session {
namespace {

struct Failure {
  int exit_code = 0;
  std::string message;
};

class Script {
 public:
  Script(App& app, const std::function<void(std::string_view)>& out) : app_(app), out_(out) {}

  std::optional<Failure> run_line(std::string_view line) {
    auto words = split_words(line);
    if (!words) return Failure{kExitUsage, words.error().message};
    if (words->empty()) return std::nullopt;
    const std::string id = words->front();
    const Arguments arguments(words->begin() + 1, words->end());
    if (id == "wait") return wait(arguments);
    if (id == "print") return print(arguments);
    if (id == "expect") return expect(arguments);
    // What opens or writes is over before the next line, so that its errors are of this one.
    const Action* action = find_action(id);
    const Effect effect = action == nullptr ? Effect::kAtOnce : action->effect;
    const bool is_slow = effect != Effect::kAtOnce;
    if (is_slow) settle();
    if (effect == Effect::kResults) {
      if (auto failure = policy_failure()) return failure;
    }
    const Status status = run_action(app_, id, arguments);
    app_.session.end_gesture();
    if (!status) {
      const bool is_usage = status.error().code == Code::kInvalidArgument;
      return Failure{is_usage ? kExitUsage : exit_code(status.error()), status.error().message};
    }
    if (!is_slow) return std::nullopt;
    settle();
    return job_failure(id);
  }

  std::optional<Failure> finish() {
    settle();
    if (auto failure = job_failure("wait")) return failure;
    return policy_failure();
  }

 private:
  void settle() {
    while (app_.session.is_busy()) {
      app_.session.wait_for_one();
      poll(app_);
    }
  }

  std::optional<Failure> job_failure(std::string_view id) {
    const auto error = app_.session.take_failure();
    if (!error) return std::nullopt;
    return Failure{exit_code(*error), fmt::format("{}: {}", id, error->message)};
  }

  std::optional<Failure> policy_failure() {
    const auto& error = app_.session.policy_error();
    if (!error) return std::nullopt;
    return Failure{exit_code(*error), "the policy: " + error->message};
  }

  std::optional<Failure> wait(const Arguments& arguments) {
    if (!arguments.empty()) return Failure{kExitUsage, "wait: expected no arguments"};
    settle();
    return job_failure("wait");
  }

  std::optional<Failure> print(const Arguments& arguments) {
    settle();
    if (auto failure = job_failure("print")) return failure;
    if (arguments.size() != 1) {
      return Failure{kExitUsage, "print: expected result, swaps, inspector, state or clipboard"};
    }
    if (arguments[0] != "state" && arguments[0] != "clipboard") {
      if (auto failure = policy_failure()) return failure;
    }
    if (arguments[0] == "inspector" && app_.session.snapshot()) {
      app_.session.want_reasons();
      settle();
    }
    const auto text = print_text(app_, arguments[0]);
    if (!text) return Failure{kExitUsage, "print: " + text.error().message};
    out_(*text);
    return std::nullopt;
  }

  std::optional<Failure> expect(const Arguments& arguments) {
    settle();
    if (auto failure = job_failure("expect")) return failure;
    if (arguments.empty() || needs_plan(arguments[0])) {
      if (auto failure = policy_failure()) return failure;
    }
    const auto met = check_expectation(app_, arguments);
    if (!met) return Failure{kExitUsage, "expect: " + met.error().message};
    if (met->empty()) return std::nullopt;
    return Failure{kExitCheck, "expect: " + *met};
  }

  App& app_;
  const std::function<void(std::string_view)>& out_;
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

ScriptResult run_script(App& app, std::string_view text, std::string_view name,
                        const std::function<void(std::string_view)>& out) {
  Script script(app, out);
  int number = 0;
  const auto stop = [&](const Failure& failure) {
    return ScriptResult{failure.exit_code, fmt::format("{}:{}: {}", name, number, failure.message)};
  };
  while (!text.empty() && !app.wants_quit) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (const auto failure = script.run_line(line)) return stop(*failure);
  }
  if (const auto failure = script.finish()) return stop(*failure);
  return {};
}

}  // namespace tideline::session
