// Tested by unit/actions/copy_as_test.cc; that the command writes the same bytes, by
// integration/copy_as_test.py.
#include "app/actions/copy_as.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/engine/quoted_text.h"
#include "core/base/text.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

// For predictions, and for a search, which looks for the fastest parameters on this device. Empty
// for the usual one.
std::string profile_option(const Wish& wish) {
  if (wish.profile == Wish().profile) return {};
  return wish.profile_file.empty() ? wish.profile.name : wish.profile_file;
}

std::string python_text(std::string_view text) {
  return escaped_text(text, [](const Utf8Character& character, std::string_view bytes) {
    if (character.bytes <= 1) return fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
    return fmt::format("\\U{:08x}", character.point);
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
  std::vector<std::string> options;  // of the command, for what the library does not have

  void argument(std::string_view name, const std::string& value) {
    arguments.push_back(fmt::format("{}={}", name, value));
  }
  void set(std::string_view name, const std::string& value) {
    after += fmt::format("lms.{} = {}\n", name, value);
  }
  void option(std::string_view name, std::string_view value) {
    options.push_back(fmt::format("--{}={}", name, value));
  }
  void option_of(const Policy& policy, const Parameter& parameter) {
    if (parameter.kind == ParameterKind::kSwitch) {
      options.push_back(fmt::format("--{}", parameter.name));
    } else {
      option(parameter.name, parameter_text(policy, parameter));
    }
  }
  [[nodiscard]] std::string text() const {
    std::string made =
        fmt::format("{}lms = LMS({})\n{}", before, fmt::join(arguments, ", "), after);
    if (options.empty()) return made;
    return made + fmt::format("lms.tideline_options = {}  # not known to the original library\n",
                              python_list(options, '[', ']'));
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
    const bool is_known = parameter.name == "device-memory" || parameter.name == "memory-ratio";
    if (is_known || is_default(policy, parameter) || !has_effect(policy, parameter)) continue;
    call.option_of(policy, parameter);
  }
  // The library takes it from the environment.
  call.before = fmt::format("import os\nos.environ['TF_LMS_SIMULATOR_MEM_RATIO'] = '{}'\n",
                            memory_ratio(*policy.budget, policy.search));
}

// What the library does not have.
Status add_beyond(const Wish& wish, const Policy& policy, const Rewriter& rewriter,
                  PythonCall& call) {
  for (const Parameter& parameter : rewriter.parameters) {
    if (parameter.python.place != PythonName::Place::kUnknown || is_default(policy, parameter))
      continue;
    if (parameter.group == ParameterGroup::kGraph || !has_effect(policy, parameter)) continue;
    TIDELINE_RETURN_IF_ERROR(check_option(policy, parameter));
    call.option_of(policy, parameter);
  }
  if (wish.batch_size && rewriter.python_batch_size.empty()) {
    call.option("batch-size", std::to_string(*wish.batch_size));
  }
  for (const GivenShape& given : wish.shapes) call.option("shape", given_shape_text(given));
  for (const GivenRounds& given : wish.rounds) {
    call.option("rounds", fmt::format("{}={}", given.name, given.count));
  }
  for (const auto& [name, value] : run_options(wish.run)) call.option(name, value);
  if (const std::string profile = profile_option(wish); policy.is_automatic() && !profile.empty()) {
    call.option("device-profile", profile);
  }
  return {};
}

}  // namespace

std::string output_beside(const std::string& path) {
  std::filesystem::path whole(path);
  if (!whole.has_filename()) whole = whole.parent_path();
  const std::string extension = whole.extension().string();
  return (whole.parent_path() / (whole.stem().string() + "_lms" + extension)).string();
}

Result<std::string> command_line(const events::GraphChoice& graph, const events::TraceChoice& trace,
                                 const Wish& wish, const std::string& output, Reader reader) {
  return plan_command({.graph = graph,
                       .trace = trace,
                       .policy = effective_policy(wish.policy),
                       .batch_size = wish.batch_size,
                       .shapes = wish.shapes,
                       .rounds = wish.rounds,
                       .run = wish.run,
                       .profile = profile_option(wish),
                       .output = output},
                      reader);
}

Result<std::string> python_call(const events::TraceChoice& trace, const Wish& wish) {
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
  TIDELINE_RETURN_IF_ERROR(add_beyond(wish, policy, *rewriter, call));
  if (!trace.path.empty()) call.option("run-metadata", trace.path);
  if (!trace.path.empty() && !trace.run.empty()) call.option("run", trace.run);
  if (!trace.path.empty() && !trace.tag.empty()) call.option("tag", trace.tag);
  return call.text();
}

}  // namespace tideline::app
