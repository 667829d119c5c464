#include "core/runtime/find_tensorflow.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/base/descriptor.h"
#include "core/base/text.h"
#include "core/runtime/spawn.h"

namespace tideline::runtime {
namespace {

constexpr const char* kHowToInstall =
    "pip install tensorflow-cpu==2.15.1, or set TFDIR to the folder that holds "
    "libtensorflow_cc.so.2";
// In the Python package, in the archive of the C library, in the Python package of TensorFlow 1.
constexpr std::array kLibraries = {"libtensorflow_cc.so.2", "libtensorflow.so.2",
                                   "python/_pywrap_tensorflow_internal.so"};
// Without the current folder, which Python would search first.
constexpr const char* kQuestion =
    "import sys; sys.path[:] = [p for p in sys.path if p]; import importlib.util as u; "
    "s = u.find_spec('tensorflow'); "
    "print((s.submodule_search_locations or [''])[0] if s else '')";
constexpr int kPatienceMs = 20000;
constexpr int kTickMs = 50;
constexpr std::size_t kMostOutput = 1U << 16U;

std::optional<std::string> library_in(const std::string& folder) {
  for (const char* name : kLibraries) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::exists(path, error)) {
      return std::filesystem::absolute(path, error).native();
    }
  }
  return std::nullopt;
}

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// Everything `output` gives until its other end is closed.
Result<std::string> read_all(int output, Progress& progress) {
  std::string text;
  std::array<char, 4096> piece{};
  for (int waited = 0; waited < kPatienceMs; waited += kTickMs) {
    if (!progress.report("", 0, 0)) return cancelled();
    pollfd ready{output, POLLIN, 0};
    if (::poll(&ready, 1, kTickMs) <= 0) continue;
    const ssize_t got = ::read(output, piece.data(), piece.size());
    if (got == 0) return text;
    if (got > 0) text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostOutput) break;
  }
  return fail(Code::kIo, "does not answer");
}

// The folder of the package; empty when this Python has none. Errors: kNotFound when there is no
// such Python; kIo; kCancelled.
Result<std::string> ask_python(const std::string& python, Progress& progress) {
  std::array<int, 2> pipe{-1, -1};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return fail(Code::kIo, "cannot make a pipe");
  const Descriptor reading(pipe[0]);
  auto process = spawn(python, {python, "-c", kQuestion}, {.output = pipe[1]});
  ::close(pipe[1]);
  if (!process) return tl::unexpected(process.error());
  auto answer = read_all(reading.value(), progress);
  ::kill(-*process, SIGKILL);  // with its children; its output is complete
  int state = 0;
  while (::waitpid(*process, &state, 0) < 0 && errno == EINTR) {
  }
  if (!answer) {
    if (answer.error().code == Code::kCancelled) return answer;
    return tl::unexpected(with_context(std::move(answer).error(), python));
  }
  while (!answer->empty() && answer->back() == '\n') answer->pop_back();
  return answer->substr(answer->rfind('\n') + 1);
}

Result<std::string> library_of(const std::string& python, const std::string& folder) {
  if (folder.empty()) {
    return fail(Code::kNotFound, "no TensorFlow found: {} has no package tensorflow; {}", python,
                kHowToInstall);
  }
  if (auto library = library_in(folder)) return *std::move(library);
  return fail(Code::kNotFound, "{}: holds no {}; {}", printable(folder), kLibraries[0],
              kHowToInstall);
}

}  // namespace

Result<std::string> find_tensorflow(Progress& progress) {
  if (const char* folder = variable("TFDIR")) {
    if (auto library = library_in(folder)) return *std::move(library);
    return fail(Code::kNotFound, "TFDIR={}: no {} there; {}", folder, kLibraries[0], kHowToInstall);
  }
  const char* chosen = variable("TIDELINE_TF_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  const auto folder = ask_python(python, progress);
  if (folder) return library_of(python, *folder);
  if (folder.error().code == Code::kNotFound && chosen == nullptr) {
    return fail(Code::kNotFound, "no TensorFlow found, and no python3 on PATH; {}", kHowToInstall);
  }
  return folder;
}

Result<std::string> find_tensorflow_python(Progress& progress) {
  constexpr const char* kHowToSet =
      "pip install tensorflow-cpu==2.15.1, or set TIDELINE_TF_PYTHON to a Python that has it";
  const char* chosen = variable("TIDELINE_TF_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  const auto folder = ask_python(python, progress);
  if (folder && !folder->empty()) return python;
  if (folder) {
    return fail(Code::kNotFound, "no TensorFlow found: {} has no package tensorflow; {}",
                printable(python), kHowToSet);
  }
  if (folder.error().code != Code::kNotFound) return folder;
  return fail(Code::kNotFound, "no TensorFlow found: there is no {}; {}", printable(python),
              kHowToSet);
}

}  // namespace tideline::runtime
