// Tested by golden/self_check_test.py.
#include "app/cli/self_check_findings.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/engine/checkpoint_contents.h"
#include "app/engine/guarded.h"
#include "core/base/units.h"
#include "core/devices/device_plugin.h"
#include "core/runtime/find_tensorflow.h"
#include "core/runtime/session_config.h"
#include "core/runtime/worker.h"

namespace tideline::cli {
namespace {

using app::CheckedPart;
using State = CheckedPart::State;

// A TensorFlow that lies on a network disk is slow to load; Python has a limit of its own.
constexpr double kTensorflowSeconds = 60;
constexpr std::chrono::seconds kDriverPatience{20};

CheckedPart build() {
  CheckedPart found = {"build", State::kGood, ""};
#ifdef NDEBUG
  found.says = "optimized";
#else
  found.says = "for debugging";
#endif
  found.facts = {{"compiler", fmt::format("{} {}.{}",
#ifdef __clang__
                                          "clang", __clang_major__, __clang_minor__
#else
                                          "gcc", __GNUC__, __GNUC_MINOR__
#endif
                                          )},
                 {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                                     FMT_VERSION % 100)}};
  std::error_code error;
  found.facts.emplace_back("program", std::filesystem::read_symlink("/proc/self/exe", error));
  return found;
}

// PRETTY_NAME of os-release(5).
std::string distribution() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kKey = "PRETTY_NAME=";
    if (!line.starts_with(kKey)) continue;
    line.erase(0, kKey.size());
    std::erase(line, '"');
    return line;
  }
  return "unknown";
}

CheckedPart system() {
  utsname name{};
  ::uname(&name);
  const auto pages = static_cast<Bytes>(::sysconf(_SC_PHYS_PAGES));
  return {"system",
          State::kGood,
          distribution(),
          {{"kernel", fmt::format("{} {} {}", name.sysname, name.release, name.machine)},
           {"glibc", gnu_get_libc_version()},
           {"processors", fmt::format("{}", ::sysconf(_SC_NPROCESSORS_ONLN))},
           {"memory", format_bytes(pages * static_cast<Bytes>(::sysconf(_SC_PAGESIZE)))}}};
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

CheckedPart tensorflow() {
  CheckedPart found = {"tensorflow", State::kGood, ""};
  for (const char* variable : {"TFDIR", "TIDELINE_TF_PYTHON"}) {
    if (is_set(variable)) found.facts.emplace_back(variable, std::getenv(variable));
  }
  Progress progress;
  const auto library = runtime::find_tensorflow(progress);
  if (!library) {
    // Without one everything works but run, compare and what needs its optimizer; one that was
    // named has to be there.
    const bool is_missing = library.error().code == Code::kNotFound && found.facts.empty();
    found.state = is_missing ? State::kAbsent : State::kProblem;
    found.says = library.error().message;
    return found;
  }
  found.facts.emplace_back("library", *library);
  if (const auto python = runtime::find_tensorflow_python(progress)) {
    found.facts.emplace_back("python", *python);
  }
  auto worker = runtime::Worker::start({.time_limit_s = kTensorflowSeconds, .may_write = false});
  Result<runtime::Answer> answer = worker ? worker->load({.library = *library,
                                                          .op_libraries = {},
                                                          .graph = "",
                                                          .config = runtime::session_config(),
                                                          .target = {},
                                                          .memory_limit = std::nullopt,
                                                          .may_write = false},
                                                         progress)
                                          : tl::unexpected(worker.error());
  if (!answer || answer->code != 0) {
    found.state = State::kProblem;
    found.says =
        fmt::format("does not start: {}", answer ? answer->message : answer.error().message);
    return found;
  }
  found.says = fmt::format("{}, starts", answer->version);
  return found;
}

// The first line of what NVIDIA's kernel module says of itself; empty without one.
std::string kernel_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  return line;
}

CheckedPart look_at_devices() {
  CheckedPart found = {"cuda", State::kGood, ""};
  const std::string driver = kernel_driver();
  if (!driver.empty()) found.facts.emplace_back("driver", driver);
  const auto plugin = devices::DevicePlugin::find();
  if (!plugin) {
    const bool is_built = plugin.error().code != Code::kNotFound;
    found.state = is_built && !driver.empty() ? State::kProblem : State::kAbsent;
    found.says = plugin.error().message;
    return found;
  }
  const auto devices = plugin->devices();
  if (!devices) {
    found.state = driver.empty() ? State::kAbsent : State::kProblem;
    found.says = devices.error().message;
    return found;
  }
  found.says = fmt::format("{} {}", devices->size(), devices->size() == 1 ? "device" : "devices");
  for (const devices::Device& device : *devices) {
    found.facts.emplace_back(
        fmt::format("device {}", device.index),
        fmt::format("{}, {} of {} free", device.name, format_bytes(device.free_bytes),
                    format_bytes(device.total_bytes)));
  }
  return found;
}

CheckedPart look_at_backends() {
  CheckedPart found = {"checkpoint_backends", State::kGood, ""};
  std::vector<Error> problems;
  const auto backends = app::installed_backends(problems);
  for (const checkpoint::BackendFacts& facts : backends) {
    found.facts.emplace_back(facts.name, facts.library);
  }
  found.says = fmt::format("{} found", backends.size());
  if (backends.empty()) found.state = State::kAbsent;
  for (const Error& problem : problems) {
    found.state = State::kProblem;
    found.says += "; " + problem.message;
  }
  return found;
}

}  // namespace

std::vector<CheckedPart> findings_of_machine() {
  return {build(), system(), tensorflow(), app::guarded("cuda", kDriverPatience, look_at_devices),
          app::guarded("checkpoint_backends", kDriverPatience, look_at_backends)};
}

}  // namespace tideline::cli
