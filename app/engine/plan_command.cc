// Tested by unit/actions/copy_as_test.cc and property/fit.py; that the command writes the same
// bytes, by integration/copy_as_test.py.
#include "app/engine/plan_command.h"

#include <fmt/format.h>

#include "app/engine/quoted_text.h"
#include "core/base/characters.h"
#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

// In octal, because three digits always end there.
std::string ansi_c_quoted(std::string_view word) {
  return "$" + escaped_text(word, [](const Utf8Character&, std::string_view bytes) {
           std::string text;
           for (const char c : bytes)
             text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
           return text;
         });
}

class CommandLine {
 public:
  CommandLine(std::string text, Reader reader) : text_(std::move(text)), reader_(reader) {}

  void word(const std::string& value) {
    // A file called "-x" is no option.
    text_ += " " + shell_quoted(value.starts_with('-') ? "./" + value : value, reader_);
  }
  void option(std::string_view name, const std::string& value) {
    if (value.empty() || value.starts_with('-')) {
      text_ += fmt::format(" --{}={}", name, value.empty() ? "" : shell_quoted(value, reader_));
    } else {
      text_ += fmt::format(" --{} {}", name, shell_quoted(value, reader_));
    }
  }
  void flag(std::string_view name) { text_ += fmt::format(" --{}", name); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  Reader reader_;
};

// The parameters that make a difference. The budget does so without a search, too: a step waits for
// memory, and what is predicted of it changes.
std::vector<const Parameter*> parameters_of(const Policy& policy) {
  std::vector<const Parameter*> list;
  for (const Parameter* parameter : policy_parameters()) {
    if (!has_effect(policy, *parameter) || is_default(policy, *parameter)) continue;
    if (is_budget_parameter(parameter->name) && !policy.chosen()->search) continue;
    if (parameter->name == "model" && !policy.is_automatic()) continue;
    list.push_back(parameter);
  }
  return list;
}

Status add_parameter(const Policy& policy, const Parameter& parameter, CommandLine& line) {
  TIDELINE_RETURN_IF_ERROR(check_option(policy, parameter));
  if (parameter.kind == ParameterKind::kSwitch) {
    line.flag(parameter.name);
  } else {
    line.option(parameter.name, parameter_text(policy, parameter));
  }
  return {};
}

// The options --run and --tag choose both the graph and the traced step.
Status add_choice(std::string_view name, const std::string& graph, const std::string& trace,
                  CommandLine& line) {
  if (!graph.empty() && !trace.empty() && graph != trace) {
    return fail(Code::kUnsupported,
                "--{} cannot choose both '{}' for the graph and '{}' for the traced step", name,
                printable(graph), printable(trace));
  }
  const std::string& chosen = graph.empty() ? trace : graph;
  if (!chosen.empty()) line.option(name, chosen);
  return {};
}

}  // namespace

RunOptions run_options(const RunModel& run) {
  RunOptions options;
  if (run.as_run != RunModel().as_run) options.emplace_back("as-run", as_run_name(run.as_run));
  if (run.executor != Executor::kByDevices) {
    options.emplace_back("executor", executor_name(run.executor));
  }
  for (const GivenBranch& given : run.branches) {
    options.emplace_back("branch", given_branch_text(given));
  }
  return options;
}

std::string given_shape_text(const GivenShape& given) {
  if (!given.shape.has_rank) return given.name + "=?";
  if (given.shape.dims.empty()) return given.name + "=scalar";
  std::string text;
  for (const std::int64_t dim : given.shape.dims) {
    text += text.empty() ? "" : "x";
    text += dim == kUnknownDim ? "?" : std::to_string(dim);
  }
  return given.name + "=" + text;
}

std::string shell_quoted(std::string_view word, Reader reader) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  if (reader == Reader::kPaste && next_hidden(word, 0).at < word.size()) return ansi_c_quoted(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

Status check_option(const Policy& policy, const Parameter& parameter) {
  const std::string text = parameter_text(policy, parameter);
  Policy again = policy;
  if (!set_parameter(again, std::string(parameter.name), text) || !(again == policy)) {
    return fail(Code::kUnsupported,
                "--{} cannot express '{}': a name with commas, or with blanks at its ends",
                parameter.name, printable(text));
  }
  return {};
}

Result<std::string> plan_command(const PlanWords& words, Reader reader) {
  const Policy& policy = words.policy;
  if (words.graph.inlines && policy.is_off()) {
    return fail(Code::kUnsupported,
                "no command writes a graph with its calls inlined and without a policy; "
                "expected a policy");
  }
  CommandLine line(policy.is_off() ? std::string("tideline convert")
                                   : fmt::format("tideline rewrite {}", policy.rewriter),
                   reader);
  line.word(words.graph.path);
  if (!words.graph.function.empty()) line.option("function", words.graph.function);
  const bool has_trace = !policy.is_off() && !words.trace.path.empty();
  const events::TraceChoice& used = has_trace ? words.trace : events::TraceChoice();
  if (has_trace) line.option("run-metadata", words.trace.path);
  TIDELINE_RETURN_IF_ERROR(add_choice("run", words.graph.run, used.run, line));
  TIDELINE_RETURN_IF_ERROR(add_choice("tag", words.graph.tag, used.tag, line));
  if (words.graph.meta_graph > 0) line.option("meta-graph", std::to_string(words.graph.meta_graph));
  if (words.graph.inlines) line.flag("inline");
  if (words.batch_size) line.option("batch-size", std::to_string(*words.batch_size));
  for (const GivenShape& given : words.shapes) line.option("shape", given_shape_text(given));
  if (!policy.is_off()) {
    for (const GivenRounds& given : words.rounds) {
      line.option("rounds", fmt::format("{}={}", given.name, given.count));
    }
    for (const auto& [name, value] : run_options(words.run)) line.option(name, value);
  }
  for (const Parameter* parameter : parameters_of(policy)) {
    TIDELINE_RETURN_IF_ERROR(add_parameter(policy, *parameter, line));
  }
  const bool has_search = !policy.is_off() && policy.chosen()->search;
  if (has_search && !words.profile.empty()) line.option("device-profile", words.profile);
  if (has_search && policy.chosen()->search->has_models && !words.fetches.empty()) {
    line.option("fetch", fmt::format("{}", fmt::join(words.fetches, ",")));
  }
  line.option("output", words.output);
  return line.take();
}

}  // namespace tideline::app
