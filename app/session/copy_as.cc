// Tested by unit/session/copy_as_test.cc; that the command writes the same bytes, by
// integration/copy_as_test.py.
#include "app/session/copy_as.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "app/session/parameters.h"
#include "core/base/text.h"

namespace tideline::session {
namespace {

class CommandLine {
 public:
  explicit CommandLine(std::string text) : text_(std::move(text)) {}

  void word(const std::string& value) {
    // A file called "-x" is no option.
    text_ += " " + shell_quoted(value.starts_with('-') ? "./" + value : value);
  }
  void option(std::string_view name, const std::string& value) {
    if (value.empty() || value.starts_with('-')) {
      text_ += fmt::format(" --{}={}", name, value.empty() ? "" : shell_quoted(value));
    } else {
      text_ += fmt::format(" --{} {}", name, shell_quoted(value));
    }
  }
  void flag(std::string_view name) { text_ += fmt::format(" --{}", name); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

bool is_budget(std::string_view name) {
  return name == "device-memory" || name == "host-memory" || name == "memory-ratio" ||
         name == "model";
}

// The parameters that make a difference, without those of automatic mode unless it is on.
std::vector<const Parameter*> parameters_of(const Policy& policy) {
  Policy plain;
  plain.mode = policy.mode;
  std::vector<const Parameter*> list;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.has_effect(policy.mode)) continue;
    if (is_budget(parameter.name) && !policy.is_automatic()) continue;
    if (parameter.get(policy) != parameter.get(plain)) list.push_back(&parameter);
  }
  return list;
}

Status add_parameter(const Policy& policy, const Parameter& parameter, CommandLine& line) {
  const std::string text = parameter.get(policy);
  // What is read back must be what was meant: a list cannot hold a comma.
  Policy again = policy;
  if (!parameter.set(again, text) || !(again == policy)) {
    return fail(Code::kUnsupported,
                "--{} cannot say '{}': names with commas or blanks at their "
                "ends",
                parameter.name, printable(text));
  }
  if (parameter.kind == ParameterKind::kFlag) {
    line.flag(parameter.name);
  } else {
    line.option(parameter.name, text);
  }
  return {};
}

std::string python_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
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

// Arguments of a call, and what is set on the object after it.
struct Call {
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
    return fmt::format("lms = LMS({})\n{}", fmt::join(arguments, ", "), after);
  }
};

void add_filter(const OpFilter& filter, const std::string& name, Call& call) {
  if (!filter.scopes.empty()) {
    call.set(name + "_by_scopes", python_list(filter.scopes, '{', '}'));
  }
  if (!filter.types.empty()) call.set(name + "_by_types", python_list(filter.types, '{', '}'));
}

void add_beyond(const Wish& wish, const Policy& policy, Call& call) {
  for (const char* name : {"keep-tensors", "swap-tensors", "guard-conditionals", "keras"}) {
    const Parameter& parameter = *find_parameter(name);
    Policy plain;
    plain.mode = policy.mode;
    if (parameter.has_effect(policy.mode) && parameter.get(policy) != parameter.get(plain)) {
      call.beyond(fmt::format("--{} {}", name, printable(parameter.get(policy), 2000)));
    }
  }
  for (const GivenShape& given : wish.shapes) {
    call.beyond("--shape " + printable(given_shape_text(given), 2000));
  }
}

void add_lms2(const Policy& policy, Call& call) {
  const Lms2Options& lms = policy.lms2;
  const auto number = [&](const char* name, int value) {
    if (value >= 0) call.argument(name, std::to_string(value));
  };
  number("swapout_threshold", lms.swapout_threshold);
  number("swapin_ahead", lms.swapin_ahead);
  number("swapin_groupby", lms.swapin_groupby);
  number("sync_mode", lms.sync_mode);
  if (!lms.serialization.empty()) {
    call.argument("serialization", python_list(lms.serialization, '[', ']'));
  }
  if (lms.serialization_by_size) {
    call.argument("serialization_by_size", gib(*lms.serialization_by_size));
  }
  if (lms.cpu_device != Lms2Options{}.cpu_device) {
    call.argument("cpu_device", python_text(lms.cpu_device));
  }
  if (lms.gpu_device) call.argument("gpu_device", python_text(*lms.gpu_device));
  add_filter(lms.excl_output, "excl_output", call);
  add_filter(lms.excl_input, "excl_input", call);
  add_filter(lms.incl_output, "incl_output", call);
  add_filter(lms.incl_input, "incl_input", call);
  if (!lms.is_training) call.set("is_training", "False");
  if (policy.is_automatic()) {
    call.set("autotune_gpu_mem", gib(policy.budget->device));
    if (policy.budget->ratio != kDefaultMemoryRatio) {
      call.beyond(fmt::format("--memory-ratio {}", policy.budget->ratio));
    }
    if (policy.search.is_faithful) call.beyond("--model faithful");
  }
}

void add_lms1(const Policy& policy, Call& call) {
  const Lms1Options& lms = policy.lms1;
  const Lms1Options plain;
  const auto set = [&](const char* name, const std::vector<std::string>& list) {
    if (!list.empty()) call.argument(name, python_list(list, '{', '}'));
  };
  const auto number = [&](const char* name, int value, int usual) {
    if (value != usual) call.argument(name, std::to_string(value));
  };
  call.argument("graph", "tf.get_default_graph()");
  set("optimizer_scopes", lms.optimizer_scopes);
  if (!lms.starting_scope.empty()) {
    call.argument("starting_scope", python_text(lms.starting_scope));
  }
  set("starting_op_names", lms.starting_op_names);
  set("excl_scopes", lms.excl_scopes);
  set("incl_scopes", lms.incl_scopes);
  set("excl_types", lms.excl_types);
  set("incl_types", lms.incl_types);
  number("n_tensors", lms.n_tensors, plain.n_tensors);
  number("lb", lms.lb, plain.lb);
  number("ub", lms.ub, plain.ub);
  if (lms.fuse_swapins) call.argument("fuse_swapins", "True");
  if (lms.ctrld_strategy != plain.ctrld_strategy) {
    call.argument("ctrld_strategy", python_text(name_of(lms.ctrld_strategy)));
  }
  if (lms.swap_branches) call.argument("swap_branches", "True");
  number("branch_threshold", lms.branch_threshold, plain.branch_threshold);
  if (lms.cpu_device != plain.cpu_device) {
    call.argument("cpu_device", python_text(lms.cpu_device));
  }
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
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

Result<std::string> command_line(const events::GraphChoice& graph, const Wish& wish,
                                 const std::string& output) {
  const Policy policy = effective_policy(wish.policy);
  const bool is_off = policy.mode == PolicyMode::kOff;
  CommandLine line(is_off ? std::string("tideline convert")
                          : fmt::format("tideline rewrite {}", policy_mode_name(policy.mode)));
  line.word(graph.path);
  if (!graph.function.empty()) line.option("function", graph.function);
  if (!graph.run.empty()) line.option("run", graph.run);
  if (!graph.tag.empty()) line.option("tag", graph.tag);
  if (wish.batch_size) line.option("batch-size", std::to_string(*wish.batch_size));
  for (const GivenShape& given : wish.shapes) line.option("shape", given_shape_text(given));
  for (const Parameter* parameter : parameters_of(policy)) {
    TIDELINE_RETURN_IF_ERROR(add_parameter(policy, *parameter, line));
  }
  line.option("output", output);
  return line.take();
}

Result<std::string> python_call(const Wish& wish) {
  const Policy policy = effective_policy(wish.policy);
  Call call;
  switch (policy.mode) {
    case PolicyMode::kOff:
      return fail(Code::kInvalidArgument,
                  "there is no call to copy while the policy is off; expected lms2 or lms1");
    case PolicyMode::kLms1: add_lms1(policy, call); break;
    case PolicyMode::kLms2:
      add_lms2(policy, call);
      if (wish.batch_size) call.set("batch_size", std::to_string(*wish.batch_size));
      break;
  }
  add_beyond(wish, policy, call);
  return call.text();
}

}  // namespace tideline::session
