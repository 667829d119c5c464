#include "core/runtime/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/runtime/session_config.h"
#include "core/runtime/spawn.h"

namespace tideline::runtime {
namespace {

// Some of TensorFlow's error codes.
constexpr std::int32_t kInvalidArgument = 3;
constexpr std::int32_t kDeadlineExceeded = 4;
constexpr std::int32_t kResourceExhausted = 8;
constexpr std::int32_t kFailedPrecondition = 9;
constexpr std::int32_t kUnavailable = 14;

constexpr std::size_t kMessageBytes = 600;

// Without the lines that repeat where it happened in the notation of TensorFlow's own tools.
std::string readable(const std::string& message) {
  const std::size_t trace = message.find("\n\t [[");
  return one_line(std::string_view(message).substr(0, trace), kMessageBytes);
}

// "op:1", or "op" for output 0. The names are in the graph (prepare_training).
TensorName tensor_name(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, 0};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

// The runs of a cycle compute copies of ops that the user may feed, such as constants.
void add_feeds_of_copies(const Cycle& cycle, RunRequest& request) {
  const std::size_t count = request.feeds.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (const auto& [original, copy] : cycle.copies) {
      if (original != request.feeds[i].first.op) continue;
      request.feeds.emplace_back(TensorName{copy, request.feeds[i].first.slot},
                                 request.feeds[i].second);
    }
  }
}

}  // namespace

Result<Trainer> Trainer::start(std::string label, Training training, const std::string& library,
                               const WorkerOptions& options, Progress& progress) {
  TIDELINE_TRY(Worker worker, Worker::start(options));
  LoadRequest request;
  request.library = library;
  request.graph = std::move(training.graph_def);
  request.op_libraries = training.op_libraries;
  SessionOptions session;
  session.cpu_devices = training.cpu_devices;
  session.is_isolated = !options.target.empty();
  request.config = session_config(session);
  request.target = options.target;
  constexpr double kMilliseconds = 1000;
  if (options.run_limit_s) {
    request.run_limit_ms = static_cast<std::int64_t>(*options.run_limit_s * kMilliseconds) + 1;
  }
  request.memory_limit = options.memory_limit;
  request.may_write = options.may_write;
  training.graph_def.clear();
  Trainer trainer(std::move(label), std::move(training), std::move(worker));
  trainer.options_ = options;
  auto answer = trainer.worker_.load(request, progress);
  while (answer && answer->code == kInvalidArgument && trainer.drop_refused(*answer, request)) {
    answer = trainer.worker_.load(request, progress);
  }
  if (!answer) return tl::unexpected(with_context(std::move(answer).error(), trainer.label_));
  if (answer->code != 0) return trainer.refused(*answer, "loading");
  trainer.version_ = answer->version;
  return trainer;
}

bool Trainer::drop_refused(const Answer& answer, LoadRequest& request) {
  const auto op = op_with_refused_shapes(answer.message);
  if (!op) return false;
  DroppedShapes dropped = drop_shapes(request.graph, *op);
  if (dropped.ops == 0) return false;
  dropped_shapes_.push_back(std::move(dropped));
  return true;
}

tl::unexpected<Error> Trainer::refused(const Answer& answer, const std::string& what) const {
  std::string hint;
  if (answer.code == kDeadlineExceeded) {
    hint =
        fmt::format(" (after {} s; {{step-limit}} is the limit)", options_.run_limit_s.value_or(0));
  }
  if (answer.code == kFailedPrecondition) {
    hint = " (is a variable not initialised? {init} OP names the op that initialises it)";
  }
  if (answer.message.find("Python interpreter") != std::string::npos) {
    hint = " (an op runs Python code; run the graph in the Python that made it)";
  }
  if (answer.message.find("Op type not registered") != std::string::npos) {
    hint = " ({op-library} FILE names the library that has it)";
  }
  if (options_.memory_limit &&
      (answer.code == kResourceExhausted || answer.code == Answer::kWorkerError)) {
    hint = fmt::format(" (under a memory limit of {})", format_bytes(*options_.memory_limit));
  }
  const Code code = answer.code == kUnavailable ? Code::kUnavailable : Code::kInvalidArgument;
  return fail(code, "{}: {}: {}{}", label_, what, readable(answer.message), hint);
}

Result<Answer> Trainer::ask(const RunRequest& request, const std::string& what,
                            Progress& progress) {
  auto answer = worker_.run(request, progress);
  if (!answer) {
    Error error = std::move(answer).error();
    if (error.code == Code::kCancelled) return tl::unexpected(error);
    return tl::unexpected(with_context(std::move(error), fmt::format("{}: {}", label_, what)));
  }
  return answer;
}

Status Trainer::initialise(Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(run_initialisers(progress));
  TIDELINE_RETURN_IF_ERROR(assign_first_values(progress));
  if (training_.start.checkpoint == nullptr) return {};
  return assign_start_values(progress);
}

// Also of those that a checkpoint has: what it has must fit.
Status Trainer::assign_first_values(Progress& progress) {
  for (const CapturedVariable& captured : training_.captured) {
    const auto variable =
        std::find_if(training_.variables.begin(), training_.variables.end(),
                     [&](const TrainedVariable& own) { return own.name == captured.first.name; });
    TIDELINE_TRY(const Feed feed, Feed::open(captured.first));
    TIDELINE_TRY(const TensorValue value, feed.value(0));
    TIDELINE_RETURN_IF_ERROR(assign(*variable, value, progress));
  }
  return {};
}

// A variable without a value takes any; whether it fits is then for TensorFlow to say.
Status Trainer::assign_start_values(Progress& progress) {
  const StartValues& start = training_.start;
  checkpoint::DataFiles files(*start.checkpoint);
  for (const TrainedVariable& variable : training_.variables) {
    if (!start.tensors.contains(variable.name)) continue;
    TIDELINE_TRY(const TensorValue value, read_start_value(start, variable.name, files));
    TIDELINE_TRY(const auto now, read(variable, progress));
    if (now && (now->type != value.type || now->dims != value.dims)) {
      return fail(Code::kInvalidArgument, "{}: tensor '{}' is {}; variable '{}' of {} is {}",
                  start.checkpoint->path, start.tensors.at(variable.name), describe(value),
                  variable.name, label_, describe(*now));
    }
    TIDELINE_RETURN_IF_ERROR(assign(variable, value, progress));
  }
  return {};
}

Status Trainer::run_initialisers(Progress& progress) {
  std::vector<std::string> open = training_.initialisers;
  while (!open.empty()) {
    std::vector<std::string> postponed;
    Answer first_refusal;
    for (const std::string& op : open) {
      RunRequest request;
      request.targets.push_back(op);
      TIDELINE_TRY(Answer answer, ask(request, fmt::format("initialiser '{}'", op), progress));
      if (answer.code == 0) continue;
      if (answer.code != kFailedPrecondition) {
        return refused(answer, fmt::format("initialiser '{}'", op));
      }
      if (postponed.empty()) first_refusal = std::move(answer);
      postponed.push_back(op);
    }
    if (postponed.size() == open.size()) {
      return refused(first_refusal, fmt::format("initialiser '{}'", open.front()));
    }
    open = std::move(postponed);
  }
  return {};
}

Result<StepResult> Trainer::step(std::int64_t step, const BoundFeeds& feeds, bool trace,
                                 Progress& progress) {
  RunRequest request;
  for (std::size_t i = 0; i < feeds.names.size(); ++i) {
    TIDELINE_TRY(TensorValue value, (*feeds.feeds)[i].value(step));
    request.feeds.emplace_back(feeds.names[i], std::move(value));
  }
  if (training_.cycle) return cycle(step, std::move(request), trace, progress);
  request.fetches.push_back(training_.loss);
  request.targets.push_back(training_.train);
  request.trace = trace;
  const std::string what = fmt::format("step {}", step);
  TIDELINE_TRY(Answer answer, ask(request, what, progress));
  if (answer.code != 0) return refused(answer, what);
  if (answer.values.size() != 1)
    return fail(Code::kIo, "{}: {}: no loss was returned", label_, what);
  StepResult result;
  result.loss = std::move(answer.values.front());
  if (trace) result.run_metadata.push_back(std::move(answer.run_metadata));
  return result;
}

Result<StepResult> Trainer::cycle(std::int64_t step, RunRequest request, bool trace,
                                  Progress& progress) {
  const Cycle& cycle = *training_.cycle;
  // The user's feeds are fed in every run; the feeds of single runs come after them.
  add_feeds_of_copies(cycle, request);
  const auto given = static_cast<std::ptrdiff_t>(request.feeds.size());
  request.trace = trace;
  std::map<std::string, int> uses_left;  // of kept values
  for (const CycleRun& run : cycle.runs) {
    for (const auto& [placeholder, value] : run.feeds) ++uses_left[value];
  }
  StepResult result;
  std::map<std::string, TensorValue> kept;
  for (std::size_t at = 0; at < cycle.runs.size(); ++at) {
    const CycleRun& run = cycle.runs[at];
    request.feeds.erase(request.feeds.begin() + given, request.feeds.end());
    request.fetches.clear();
    request.targets.clear();
    for (const auto& [placeholder, name] : run.feeds) {
      TensorValue& value = kept.at(name);
      const bool is_last = --uses_left[name] == 0;
      request.feeds.emplace_back(tensor_name(placeholder), is_last ? std::move(value) : value);
      if (is_last) kept.erase(name);
    }
    for (const auto& [tensor, name] : run.keeps) request.fetches.push_back(tensor_name(tensor));
    if (at == 0) request.fetches.push_back(training_.loss);
    if (!run.target.empty()) request.targets.push_back(run.target);
    const std::string what = fmt::format("step {}, {}", step, run.name);
    TIDELINE_TRY(Answer answer, ask(request, what, progress));
    if (answer.code != 0) return refused(answer, what);
    if (answer.values.size() != request.fetches.size()) {
      return fail(Code::kIo, "{}: {}: not all values were returned", label_, what);
    }
    if (at == 0) {
      result.loss = std::move(answer.values.back());
      answer.values.pop_back();
    }
    for (std::size_t i = 0; i < run.keeps.size(); ++i) {
      const std::string& name = run.keeps[i].second;
      if (uses_left[name] > 0) kept[name] = std::move(answer.values[i]);
    }
    if (trace) result.run_metadata.push_back(std::move(answer.run_metadata));
  }
  return result;
}

Result<std::optional<TensorValue>> Trainer::read(const TrainedVariable& variable,
                                                 Progress& progress) {
  RunRequest request;
  request.fetches.push_back(variable.read);
  const std::string what = fmt::format("variable '{}'", variable.name);
  TIDELINE_TRY(Answer answer, ask(request, what, progress));
  constexpr std::int32_t kNotFound = 5;  // a handle without a value
  if (answer.code == kFailedPrecondition || answer.code == kNotFound) {
    return std::optional<TensorValue>();
  }
  if (answer.code != 0) return refused(answer, what);
  if (answer.values.size() != 1)
    return fail(Code::kIo, "{}: {}: no value was returned", label_, what);
  return std::optional(std::move(answer.values.front()));
}

Status Trainer::assign(const TrainedVariable& variable, const TensorValue& value,
                       Progress& progress) {
  if (variable.assign.empty()) {
    return fail(Code::kNotFound, "{}: variable '{}' has no op '{}/Assign'", label_, variable.name,
                variable.name);
  }
  RunRequest request;
  request.feeds.emplace_back(variable.initial, value);
  request.targets.push_back(variable.assign);
  const std::string what = fmt::format("assigning variable '{}'", variable.name);
  TIDELINE_TRY(const Answer answer, ask(request, what, progress));
  if (answer.code != 0) return refused(answer, what);
  return {};
}

}  // namespace tideline::runtime
