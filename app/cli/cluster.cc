#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/engine/read_cluster.h"
#include "core/base/counted.h"
#include "core/base/parse.h"
#include "core/base/units.h"
#include "core/runtime/cluster_servers.h"
#include "core/runtime/cluster_task.h"
#include "core/runtime/find_tensorflow.h"

namespace tideline::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 100ms;

struct ClusterOptions {
  std::string file;
  std::vector<std::string> tasks;  ///< "worker:0"; empty: all
  std::string bind;                ///< empty: the loopback
  int threads = 1;
  int cpu_devices = 1;
  std::string memory_limit;  ///< a SIZE, checked; empty: none
  double time_limit_s = 5;
  bool json = false;
};

std::string host_of(const ClusterTask& task) {
  return task.address.substr(0, task.address.rfind(':'));
}

Result<std::vector<ClusterTask>> chosen_tasks(const ClusterOptions& options,
                                              const Cluster& cluster) {
  if (options.tasks.empty()) return cluster.tasks;
  std::vector<ClusterTask> chosen;
  for (const std::string& text : options.tasks) {
    const std::size_t colon = text.rfind(':');
    const auto index =
        colon == std::string::npos ? std::nullopt : parse_as<std::int32_t>(text.substr(colon + 1));
    const ClusterTask* task = index ? cluster.find(text.substr(0, colon), *index) : nullptr;
    if (task != nullptr) {
      chosen.push_back(*task);
      continue;
    }
    std::vector<std::string> names;
    for (const ClusterTask& one : cluster.tasks) {
      names.push_back(fmt::format("{}:{}", one.job, one.index));
    }
    return fail(Code::kNotFound, "--task: '{}' is no task of {}; expected one of {}",
                printable(text), options.file, fmt::join(names, ", "));
  }
  return chosen;
}

// Whoever reaches a server of TensorFlow runs code on its machine.
Status check_addresses(const ClusterOptions& options, const std::vector<ClusterTask>& tasks) {
  if (!options.bind.empty()) return {};
  for (const ClusterTask& task : tasks) {
    if (runtime::is_loopback(host_of(task))) continue;
    return fail(Code::kInvalidArgument,
                "{} has the address {}, and servers listen on this machine's loopback alone; "
                "expected --bind ADDRESS, or --task with the tasks that are local",
                task_text(task), task.address);
  }
  return {};
}

void warn_of_reach(const ClusterOptions& options) {
  if (options.bind.empty() || runtime::is_loopback(options.bind)) return;
  complain(
      "warning: --bind {}: servers of TensorFlow run whatever graph they are sent, and graphs read "
      "and write files; whoever reaches {} can do so as you\n",
      options.bind, options.bind == "0.0.0.0" ? "this machine" : options.bind);
}

Status start_all(const ClusterOptions& options, const Cluster& cluster,
                 const std::vector<ClusterTask>& tasks, runtime::ClusterServers& servers,
                 Progress& progress) {
  runtime::ServerOptions how;
  TIDELINE_TRY(how.library, runtime::find_tensorflow(progress));
  if (!options.bind.empty()) how.bind = options.bind;
  how.threads = options.threads;
  how.cpu_devices = options.cpu_devices;
  if (!options.memory_limit.empty()) {
    TIDELINE_TRY(how.memory_limit, parse_size(options.memory_limit));
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!progress.report("starting servers", static_cast<std::int64_t>(i),
                         static_cast<std::int64_t>(tasks.size()))) {
      return cancelled();
    }
    TIDELINE_RETURN_IF_ERROR(servers.start(cluster, tasks[i], how, progress));
    const auto& server = servers.running().back();
    say("{} at {}: process {}, TensorFlow {}\n", task_text(server.task), server.task.address,
        server.worker.process(), server.version);
    std::fflush(stdout);
  }
  return {};
}

// Until a signal, or until none is left.
int watch(runtime::ClusterServers& servers) {
  while (!was_interrupted()) {
    for (const runtime::EndedTask& ended : servers.ended()) {
      complain("tideline: {} at {} has ended{}{}\n", task_text(ended.task), ended.task.address,
               ended.last_words.empty() ? "" : "; its last output: ", ended.last_words);
    }
    if (servers.running().empty()) return kExitData;
    std::this_thread::sleep_for(kLook);
  }
  return kExitInterrupted;
}

int start_servers(const ClusterOptions& options) {
  const auto cluster = app::read_cluster(options.file, Pipes::kRead);
  if (!cluster) return report(cluster.error());
  const auto tasks = chosen_tasks(options, *cluster);
  if (!tasks) return report(tasks.error());
  if (Status status = check_addresses(options, *tasks); !status) return report(status.error());
  warn_of_reach(options);
  runtime::ClusterServers servers;
  {
    TerminalProgress progress(false);
    Status status = start_all(options, *cluster, *tasks, servers, progress);
    if (!status) return report(status.error());
  }
  say("all are there; Ctrl+C or tideline cluster stop {} ends them\n", options.file);
  std::fflush(stdout);
  return watch(servers);
}

struct TaskState {
  ClusterTask task;
  std::optional<pid_t> process;  ///< that has started its server here
  runtime::TaskAnswer answer;
};

void print_states(const std::vector<TaskState>& states) {
  for (const TaskState& state : states) {
    std::string line = fmt::format("{} at {}", task_text(state.task), state.task.address);
    if (state.process) line += fmt::format(", of process {}", *state.process);
    if (!state.answer.answers) {
      say("{}: does not answer ({})\n", line, state.answer.why);
      continue;
    }
    std::vector<std::string> devices;
    for (const runtime::WorkerDevice& device : state.answer.devices) {
      devices.push_back(device.name.substr(device.name.rfind('/') + 1));
    }
    say("{}: answers, {}\n", line, fmt::format("{}", fmt::join(devices, ", ")));
  }
}

void print_states_json(const std::vector<TaskState>& states) {
  nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
  for (const TaskState& state : states) {
    nlohmann::ordered_json entry;
    entry["job"] = state.task.job;
    entry["task"] = state.task.index;
    entry["address"] = state.task.address;
    entry["process"] =
        state.process ? nlohmann::ordered_json(*state.process) : nlohmann::ordered_json(nullptr);
    entry["answers"] = state.answer.answers;
    if (!state.answer.answers) entry["why"] = state.answer.why;
    entry["devices"] = nlohmann::ordered_json::array();
    for (const runtime::WorkerDevice& device : state.answer.devices) {
      entry["devices"].push_back({{"name", device.name}, {"memory_bytes", device.memory}});
    }
    tasks.push_back(std::move(entry));
  }
  say_json({{"tasks", std::move(tasks)}});
}

Result<std::vector<TaskState>> ask_all(const ClusterOptions& options, const Cluster& cluster,
                                       Progress& progress) {
  TIDELINE_TRY(const std::string library, runtime::find_tensorflow(progress));
  std::vector<TaskState> states;
  for (const ClusterTask& task : cluster.tasks) {
    if (!progress.report("asking servers", static_cast<std::int64_t>(states.size()),
                         static_cast<std::int64_t>(cluster.tasks.size()))) {
      return cancelled();
    }
    TIDELINE_TRY(runtime::TaskAnswer answer,
                 runtime::ask_task(task, library, options.time_limit_s, progress));
    states.push_back({task, runtime::TaskLock::holder(task), std::move(answer)});
  }
  return states;
}

int show_states(const ClusterOptions& options) {
  const auto cluster = app::read_cluster(options.file, Pipes::kRead);
  if (!cluster) return report(cluster.error());
  TerminalProgress progress(options.json);
  const auto states = ask_all(options, *cluster, progress);
  if (!states) return report(states.error());
  if (options.json) {
    print_states_json(*states);
  } else {
    print_states(*states);
  }
  const bool all = std::all_of(states->begin(), states->end(),
                               [](const TaskState& state) { return state.answer.answers; });
  return all ? kExitDone : kExitCheck;
}

std::vector<pid_t> holders(const Cluster& cluster) {
  std::vector<pid_t> processes;
  for (const ClusterTask& task : cluster.tasks) {
    const auto process = runtime::TaskLock::holder(task);
    if (process && std::find(processes.begin(), processes.end(), *process) == processes.end()) {
      processes.push_back(*process);
    }
  }
  return processes;
}

int stop_servers(const ClusterOptions& options) {
  const auto cluster = app::read_cluster(options.file, Pipes::kRead);
  if (!cluster) return report(cluster.error());
  const std::vector<pid_t> processes = holders(*cluster);
  if (processes.empty()) {
    say("no server of {} runs on this machine\n", options.file);
    return kExitDone;
  }
  for (const pid_t process : processes) ::kill(process, SIGTERM);
  constexpr int kLooks = 100;
  for (int i = 0; i < kLooks && !was_interrupted(); ++i) {
    if (holders(*cluster).empty()) {
      say("{} ended\n", counted(processes.size(), "process"));
      return kExitDone;
    }
    std::this_thread::sleep_for(kLook);
  }
  if (was_interrupted()) return kExitInterrupted;
  for (const pid_t process : holders(*cluster)) ::kill(process, SIGKILL);
  say("{} ended, not all by themselves\n", counted(processes.size(), "process"));
  return kExitDone;
}

std::string check_ipv4(const std::string& text) {
  return runtime::is_ipv4(text)
             ? std::string()
             : fmt::format("expected an IPv4 address such as 10.0.0.7, not {}", text);
}

Command add_mode(const Command& cluster, const std::string& name, const std::string& help,
                 const std::shared_ptr<ClusterOptions>& options, int (*work)(const ClusterOptions&),
                 Action& action) {
  const Command command = cluster.add_subcommand(name, help);
  command
      .add_option("FILE", options->file,
                  "JSON as tf.train.ClusterSpec takes it, {\"worker\": [\"HOST:PORT\", ...]}, or "
                  "the word TF_CONFIG for what the environment says")
      .not_empty()
      .required();
  command.callback(
      [options, work, &action] { action = [options, work] { return work(*options); }; });
  return command;
}

void add_start_options(const Command& command, ClusterOptions& options) {
  command
      .add_option("--task", options.tasks,
                  "JOB:INDEX of a task to start (without it: all); may be repeated")
      .type_name("TASK")
      .one_value();
  command
      .add_option("--bind", options.bind,
                  "IPv4 address on which the servers listen (without it: the loopback, which only "
                  "this machine reaches); whoever reaches a server can run graphs on it")
      .type_name("ADDRESS")
      .check(check_ipv4);
  constexpr double kMostThreads = 4096;
  constexpr double kMostDevices = 64;
  command
      .add_option("--threads", options.threads,
                  "Threads of each server, within an op and between ops; 0: as many as TensorFlow "
                  "likes. With one, results depend on the graph alone")
      .type_name("N")
      .in_range(0, kMostThreads)
      .show_default();
  command.add_option("--cpus", options.cpu_devices, "CPU devices of each task")
      .type_name("N")
      .in_range(1, kMostDevices)
      .show_default();
  command
      .add_option("--memory-limit", options.memory_limit,
                  "Address space of each server; TensorFlow alone takes about 1 GiB")
      .type_name("SIZE")
      .check(accepted_by<parse_size>);
}

}  // namespace

void add_cluster(const Command& app, Action& action) {
  const Command command =
      app.add_subcommand("cluster", "Servers of TensorFlow for the tasks of a cluster");
  command.require_subcommand();
  const auto start = std::make_shared<ClusterOptions>();
  add_start_options(
      add_mode(command, "start", "Start servers on this machine, and end them when this ends",
               start, start_servers, action),
      *start);
  const auto status = std::make_shared<ClusterOptions>();
  const Command asks = add_mode(
      command, "status", "Ask every task for its devices; exit code 3 when one does not answer",
      status, show_states, action);
  asks.add_option("--time-limit", status->time_limit_s, "Seconds that a server may take to answer")
      .type_name("S")
      .in_range(1, 3600)
      .show_default();
  asks.add_flag("--json", status->json, "Print JSON");
  add_mode(command, "stop", "End the servers that were started on this machine",
           std::make_shared<ClusterOptions>(), stop_servers, action);
}

}  // namespace tideline::cli
