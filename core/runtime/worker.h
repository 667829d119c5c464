// The client of a worker: a process that runs TensorFlow, as a library or in Python, so that its
// crashes, hangs and excessive use of memory become error messages here.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/runtime/messages.h"

namespace tideline::runtime {

/// Limits of a worker.
struct WorkerOptions {
  /// A program whose `main` calls serve_if_asked.
  std::string program = "/proc/self/exe";
  std::optional<Bytes> memory_limit{};   ///< address space; TensorFlow alone takes about 1 GiB
  std::optional<double> time_limit_s{};  ///< wall time from the start of the worker, in total
  /// Not empty: the worker becomes this Python and runs optimize.py.
  std::string python = {};
  /// The server that runs the graph, "grpc://HOST:PORT"; empty: the worker does. Such a worker uses
  /// the network whatever `may_write` says.
  std::string target = {};
  /// Of the servers that take part, "HOST:PORT": while an answer is awaited, one of them after the
  /// other is looked at, and one that refuses a connection ends the worker.
  std::vector<std::string> servers = {};
  /// Of one run on a server.
  std::optional<double> run_limit_s{};
  /// Whether it may write files and use the network; where the kernel can deny it (confine.h).
  bool may_write = true;
};

/// A worker process, in its own process group. The destructor kills and reaps it; the kernel kills
/// it when the thread that started it ends for any reason. Thread: only the one that started it.
/// For the time limit this class reads the clock, as nothing else in core does.
class Worker {
 public:
  /// Starts the process. Errors: kIo.
  [[nodiscard]] static Result<Worker> start(const WorkerOptions& options);

  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&&) = delete;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Loads TensorFlow and a graph. Errors: as `run`.
  [[nodiscard]] Result<Answer> load(const LoadRequest& request, Progress& progress);
  /// Runs a part of the graph and blocks until it is done. An error of TensorFlow is an answer with
  /// its code. Errors: kIo, with the last output, when the worker crashed, exited or exceeded its
  /// time limit; kCancelled. After an error the worker is dead.
  [[nodiscard]] Result<Answer> run(const RunRequest& request, Progress& progress);

  /// Becomes a task of a cluster, which it is until this object ends. Errors: as `run`.
  [[nodiscard]] Result<Answer> serve(const ServeRequest& request, Progress& progress);
  /// Whether the process is still there; after it has ended `last_words` is its last output.
  [[nodiscard]] bool is_alive();

  /// Asks a worker that is a Python. Errors: as `run`.
  [[nodiscard]] Result<Answer> optimize(const GraphToOptimize& request, Progress& progress);

  /// The end of TensorFlow's output, at most 2 KiB, for messages.
  [[nodiscard]] const std::string& last_words() const { return last_words_; }
  [[nodiscard]] pid_t process() const { return process_; }

 private:
  explicit Worker(const WorkerOptions& options);

  [[nodiscard]] Result<Answer> ask(MessageKind kind, std::string_view content, Progress& progress);
  [[nodiscard]] Status exchange(std::string_view out, Progress& progress);
  [[nodiscard]] Status wait(bool writing);
  [[nodiscard]] Status look_at_servers();
  [[nodiscard]] bool send_some(std::string_view& out) const;
  [[nodiscard]] bool receive_some();
  [[nodiscard]] bool answer_is_complete() const;
  [[nodiscard]] bool is_dead() const;
  void listen();
  [[nodiscard]] tl::unexpected<Error> ended();
  void close_remote_session() noexcept;
  void kill() noexcept;

  WorkerOptions options_;
  std::chrono::steady_clock::time_point started_;
  pid_t process_ = -1;
  int socket_ = -1;
  int output_ = -1;
  std::string received_;
  std::string last_words_;
  std::chrono::steady_clock::time_point looked_;  // at a server
  std::size_t next_look_ = 0;                     // an index of the servers
  bool has_remote_session_ = false;               // which a server keeps until it is closed
};

}  // namespace tideline::runtime
