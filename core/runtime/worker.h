// The asking side of a worker: another process that holds TensorFlow, so that its crashes, hangs
// and appetite are error messages here.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/runtime/messages.h"

namespace tideline::runtime {

struct WorkerOptions {
  /// A program whose `main` calls serve_if_asked.
  std::string program = "/proc/self/exe";
  std::optional<Bytes> memory_limit{};   ///< of address space; TensorFlow alone takes about 1 GiB
  std::optional<double> time_limit_s{};  ///< from the start of the worker on, all requests together
};

/// A process of its own group. It is killed and waited for by the destructor, and by the kernel
/// when the thread that started it ends in any way. Thread: one at a time, always the one that
/// started it.
/// This class looks at the clock, which core does nowhere else: a limit of time needs it.
class Worker {
 public:
  /// Errors: kIo.
  [[nodiscard]] static Result<Worker> start(const WorkerOptions& options);

  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&&) = delete;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Loads TensorFlow and a graph. Errors: as `run`.
  [[nodiscard]] Result<Answer> load(const LoadRequest& request, Progress& progress);
  /// Runs a part of the graph. What TensorFlow refuses is an answer with its code. Errors: kIo when
  /// the worker crashed, ended, or was over its time, with its last words; kCancelled. After an
  /// error the worker is gone.
  [[nodiscard]] Result<Answer> run(const RunRequest& request, Progress& progress);

  /// What TensorFlow printed last, at most 2 KiB, for messages.
  [[nodiscard]] const std::string& last_words() const { return last_words_; }
  [[nodiscard]] pid_t process() const { return process_; }

 private:
  explicit Worker(const WorkerOptions& options);

  [[nodiscard]] Result<Answer> ask(MessageKind kind, std::string_view content, Progress& progress);
  [[nodiscard]] Status exchange(std::string_view out, Progress& progress);
  [[nodiscard]] Status wait(bool writing);
  [[nodiscard]] bool send_some(std::string_view& out) const;
  [[nodiscard]] bool receive_some();
  [[nodiscard]] bool answer_is_complete() const;
  void listen();
  [[nodiscard]] tl::unexpected<Error> ended();
  void kill() noexcept;

  WorkerOptions options_;
  std::chrono::steady_clock::time_point started_;
  pid_t process_ = -1;
  int socket_ = -1;
  int output_ = -1;
  std::string received_;
  std::string last_words_;
};

}  // namespace tideline::runtime
