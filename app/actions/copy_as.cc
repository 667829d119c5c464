// Tested by unit/actions/copy_as_test.cc; that the command writes the same bytes, by
// integration/copy_as_test.py.
#include "app/actions/copy_as.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/characters.h"
#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

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

// The parameters that make a difference; those that only automatic mode reads are left out unless
// it is on.
std::vector<const Parameter*> parameters_of(const Policy& policy) {
  std::vector<const Parameter*> list;
  for (const Parameter* parameter : policy_parameters()) {
    if (!has_effect(policy, *parameter) || is_default(policy, *parameter)) continue;
    if (is_budget_parameter(parameter->name) && !policy.is_automatic()) continue;
    list.push_back(parameter);
  }
  return list;
}

Status add_parameter(const Policy& policy, const Parameter& parameter, CommandLine& line) {
  const std::string text = parameter_text(policy, parameter);
  // What is read back must be what was meant: a list cannot hold a comma.
  Policy again = policy;
  if (!set_parameter(again, std::string(parameter.name), text) || !(again == policy)) {
    return fail(Code::kUnsupported,
                "--{} cannot express '{}': a name with commas, or with blanks at its ends",
                parameter.name, printable(text));
  }
  if (parameter.kind == ParameterKind::kSwitch) {
    line.flag(parameter.name);
  } else {
    line.option(parameter.name, text);
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

// `text` between quotes, with a backslash before quotes and backslashes, and hidden characters as
// `escape` (of their number and bytes) writes them. Both languages have such strings.
template <typename Escape>
std::string escaped_text(std::string_view text, const Escape& escape) {
  std::string quoted = "'";
  for (std::size_t at = 0; at < text.size();) {
    const HiddenCharacter hidden = next_hidden(text, at);
    for (; at < hidden.at; ++at) {
      if (text[at] == '\\' || text[at] == '\'') quoted += '\\';
      quoted += text[at];
    }
    if (at == text.size()) break;
    const std::size_t bytes = std::max<std::size_t>(hidden.character.bytes, 1);
    quoted += escape(hidden.character, text.substr(at, bytes));
    at += bytes;
  }
  return quoted + "'";
}

// Names and values, but for the defaults.
using RunOptions = std::vector<std::pair<const char*, std::string>>;
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

std::string python_text(std::string_view text) {
  return escaped_text(text, [](const Utf8Character& character, std::string_view bytes) {
    if (character.bytes <= 1) return fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
    return fmt::format("\\U{:08x}", character.point);
  });
}

// In octal, because three digits always end there.
std::string ansi_c_quoted(std::string_view word) {
  return "$" + escaped_text(word, [](const Utf8Character&, std::string_view bytes) {
           std::string text;
           for (const char c : bytes)
             text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
           return text;
         });
}

std::string python_list(const std::vector<std::string>& list, char open, char close) {
  std::string text(1, open);
  for (const std::string& item : list) {
    text += (text.size() > 1 ? ", " : "") + python_text(item);
  }
  return text + close;
}

std::string gib(Bytes bytes) {
  return fmt::format("{}", static_cast<double>(bytes) / kBytesPerGiB);
}

// What stands before a call, its arguments, and what is set on the object after it.
struct PythonCall {
  std::string before;
  std::vector<std::string> arguments;
  std::string after;

  void argument(std::string_view name, const std::string& value) {
    arguments.push_back(fmt::format("{}={}", name, value));
  }
  void set(std::string_view name, const std::string& value) {
    after += fmt::format("lms.{} = {}\n", name, value);
  }
  void beyond(std::string_view what) {
    after += fmt::format("# not known to the library: {}\n", what);
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{}lms = LMS({})\n{}", before, fmt::join(arguments, ", "), after);
  }
};

std::string python_value(const Parameter& parameter, const Value& value) {
  if (const auto* is_on = std::get_if<bool>(&value)) {
    return *is_on ? std::string(parameter.python.when_true) : "False";
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return parameter.kind == ParameterKind::kSize ? gib(*number) : std::to_string(*number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) return python_text(*text);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return parameter.python.is_set ? python_list(*list, '{', '}') : python_list(*list, '[', ']');
  }
  return "None";
}

void add_values(const Policy& policy, const Rewriter& rewriter, PythonCall& call) {
  for (const Parameter& parameter : rewriter.parameters) {
    const PythonName& python = parameter.python;
    const Value value = policy.values.get(parameter);
    if (python.place == PythonName::Place::kUnknown) continue;
    if (!python.is_always_said && value == parameter.default_value()) continue;
    if (python.place == PythonName::Place::kArgument) {
      call.argument(python.name, python_value(parameter, value));
    } else {
      call.set(python.name, python_value(parameter, value));
    }
  }
}

void add_budget(const Policy& policy, const Rewriter& rewriter, PythonCall& call) {
  if (!policy.is_automatic() || rewriter.python_device_memory.empty()) return;
  call.set(rewriter.python_device_memory, gib(policy.budget->device));
  for (const Parameter& parameter : budget_parameters()) {
    const bool is_known = parameter.name == "device-memory" || parameter.name == "host-memory" ||
                          parameter.name == "memory-ratio";
    if (is_known || is_default(policy, parameter)) continue;
    call.beyond(fmt::format("--{} {}", parameter.name, parameter_text(policy, parameter)));
  }
  // The library takes it from the environment.
  call.before = fmt::format("import os\nos.environ['TF_LMS_SIMULATOR_MEM_RATIO'] = '{}'\n",
                            memory_ratio(*policy.budget, policy.search));
}

void add_beyond(const Wish& wish, const Policy& policy, const Rewriter& rewriter,
                PythonCall& call) {
  for (const Parameter& parameter : rewriter.parameters) {
    if (parameter.python.place != PythonName::Place::kUnknown || is_default(policy, parameter))
      continue;
    call.beyond(
        fmt::format("--{} {}", parameter.name, printable(parameter_text(policy, parameter), 2000)));
  }
  for (const GivenShape& given : wish.shapes) {
    call.beyond("--shape " + printable(given_shape_text(given), 2000));
  }
  for (const GivenRounds& given : wish.rounds) {
    call.beyond(fmt::format("--rounds {}={}", printable(given.name, 2000), given.count));
  }
  std::string run;
  for (const auto& [name, value] : run_options(wish.run))
    run += fmt::format(" --{} {}", name, printable(value, 2000));
  if (!run.empty()) call.beyond(run.substr(1));
}

}  // namespace

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

std::string output_beside(const std::string& path) {
  std::filesystem::path whole(path);
  if (!whole.has_filename()) whole = whole.parent_path();
  const std::string extension = whole.extension().string();
  return (whole.parent_path() / (whole.stem().string() + "_lms" + extension)).string();
}

Result<std::string> command_line(const events::GraphChoice& graph, const events::TraceChoice& trace,
                                 const Wish& wish, const std::string& output, Reader reader) {
  const Policy policy = effective_policy(wish.policy);
  CommandLine line(policy.is_off() ? std::string("tideline convert")
                                   : fmt::format("tideline rewrite {}", policy.rewriter),
                   reader);
  line.word(graph.path);
  if (!graph.function.empty()) line.option("function", graph.function);
  const bool has_trace = !policy.is_off() && !trace.path.empty();
  const events::TraceChoice& used = has_trace ? trace : events::TraceChoice();
  if (has_trace) line.option("run-metadata", trace.path);
  TIDELINE_RETURN_IF_ERROR(add_choice("run", graph.run, used.run, line));
  TIDELINE_RETURN_IF_ERROR(add_choice("tag", graph.tag, used.tag, line));
  if (graph.meta_graph > 0) line.option("meta-graph", std::to_string(graph.meta_graph));
  if (wish.batch_size) line.option("batch-size", std::to_string(*wish.batch_size));
  for (const GivenShape& given : wish.shapes) line.option("shape", given_shape_text(given));
  for (const GivenRounds& given : policy.is_off() ? std::vector<GivenRounds>() : wish.rounds) {
    line.option("rounds", fmt::format("{}={}", given.name, given.count));
  }
  for (const auto& [name, value] : policy.is_off() ? RunOptions() : run_options(wish.run)) {
    line.option(name, value);
  }
  for (const Parameter* parameter : parameters_of(policy)) {
    TIDELINE_RETURN_IF_ERROR(add_parameter(policy, *parameter, line));
  }
  line.option("output", output);
  return line.take();
}

Result<std::string> python_call(const Wish& wish) {
  const Policy policy = effective_policy(wish.policy);
  const Rewriter* rewriter = policy.chosen();
  if (rewriter == nullptr) {
    return fail(Code::kInvalidArgument,
                "there is no call to copy while the policy is off; expected {}", policy_ids(false));
  }
  if (!rewriter->is_policy) {
    return fail(Code::kInvalidArgument, "there is no Python call for {}; expected {}", rewriter->id,
                policy_ids(false));
  }
  PythonCall call;
  if (!rewriter->python_first_argument.empty()) {
    call.arguments.emplace_back(rewriter->python_first_argument);
  }
  add_values(policy, *rewriter, call);
  add_budget(policy, *rewriter, call);
  if (wish.batch_size && !rewriter->python_batch_size.empty()) {
    call.set(rewriter->python_batch_size, std::to_string(*wish.batch_size));
  }
  add_beyond(wish, policy, *rewriter, call);
  return call.text();
}

}  // namespace tideline::app
