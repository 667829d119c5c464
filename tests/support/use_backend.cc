// Saves and loads through a backend, for tests that look on from outside:
//
//   use_backend PLUGIN BACKEND CONFIGURATION
//       [save:N[:STEP] | load[:STEP] | change:N | carry:CONFIGURATION | wait]...
//
// Three tensors of floats. "save" fills all of them with N first, "change" the small one alone;
// "load" prints what they hold if that is one number. "carry" loads all tensors of numbers that the
// backend lists, whatever they are, and saves them with another configuration. Prints an error and
// exits with 1 at the first. $USE_BACKEND_FLOATS is the size of the largest, 300000 if not set.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "core/checkpoint/backend.h"
#include "core/checkpoint/backend_abi.h"

namespace {

using tideline::Progress;
using tideline::Status;
using tideline::checkpoint::Backend;
using tideline::checkpoint::Backends;

struct Floats {
  std::string name;
  std::vector<float> values;
  std::int64_t size = 0;

  TidelineTensor tensor() {
    TidelineTensor made{};
    made.struct_size = sizeof made;
    made.dtype = 1;
    made.name = name.data();
    made.name_size = name.size();
    made.dims = &size;
    made.rank = 1;
    made.device_type = TIDELINE_DEVICE_HOST;
    made.data = values.data();
    made.bytes = values.size() * sizeof(float);
    return made;
  }
};

class Session {
 public:
  Session(const Backends& backends, std::string name, Backend& backend)
      : backends_(backends), name_(std::move(name)), backend_(backend) {
    const char* given = std::getenv("USE_BACKEND_FLOATS");
    const std::size_t largest = given == nullptr ? 300000 : std::strtoul(given, nullptr, 10);
    for (const std::size_t size : {std::size_t{10}, largest, largest / 3 * 2}) {
      Floats& one = floats_.emplace_back();
      one.name = fmt::format("part/{}", floats_.size());
      one.values.assign(size, 0);
      one.size = static_cast<std::int64_t>(size);
    }
  }

  Status run(const std::string& word) {
    const std::string verb = word.substr(0, word.find(':'));
    const auto number = [&](std::size_t at) {
      std::size_t colon = 0;
      for (std::size_t i = 0; i < at && colon != std::string::npos; ++i) {
        colon = word.find(':', i == 0 ? 0 : colon + 1);
      }
      return colon == std::string::npos ? -1L : std::strtol(word.c_str() + colon + 1, nullptr, 10);
    };
    Progress silent;
    if (verb == "save") {
      if (number(1) >= 0) fill(static_cast<float>(number(1)), floats_.size());
      return backend_.save(tensors(), number(2), {}, silent);
    }
    if (verb == "change") {
      fill(static_cast<float>(number(1)), 1);
      return {};
    }
    if (verb == "load") {
      fill(-1, floats_.size());
      TIDELINE_RETURN_IF_ERROR(backend_.load(tensors(), number(1), silent));
      std::cout << "loaded";
      for (const Floats& one : floats_) std::cout << ' ' << shown(one);
      std::cout << std::endl;
      return {};
    }
    if (verb == "carry") return carry(word.substr(word.find(':') + 1));
    if (verb == "wait") return backend_.wait(silent);
    return tideline::fail(tideline::Code::kInvalidArgument, "{}: expected a verb", word);
  }

 private:
  void fill(float number, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      floats_[i].values.assign(floats_[i].values.size(), number);
  }

  Status carry(const std::string& config) {
    Progress silent;
    TIDELINE_TRY(const auto to, backends_.open(name_, config));
    TIDELINE_TRY(const auto listed, backend_.list(-1, silent));
    std::vector<std::string> memory;
    std::vector<TidelineTensor> tensors;
    memory.reserve(listed.size());
    for (const auto& each : listed) {
      if (each.type == tideline::DataType::kString) continue;
      TidelineTensor& tensor = tensors.emplace_back();
      tensor = {};
      tensor.struct_size = sizeof tensor;
      tensor.dtype = static_cast<std::uint32_t>(each.type);
      tensor.name = each.name.data();
      tensor.name_size = each.name.size();
      tensor.dims = each.dims.data();
      tensor.rank = static_cast<std::uint32_t>(each.dims.size());
      tensor.device_type = TIDELINE_DEVICE_HOST;
      tensor.data = memory.emplace_back(each.bytes, '?').data();
      tensor.bytes = each.bytes;
    }
    TIDELINE_RETURN_IF_ERROR(backend_.load(tensors, -1, silent));
    return to->save(tensors, -1, {}, silent);
  }

  static std::string shown(const Floats& one) {
    for (const float value : one.values) {
      if (value != one.values.front()) return "mixed";
    }
    return one.values.empty() ? "none" : fmt::format("{}", one.values.front());
  }

  std::vector<TidelineTensor> tensors() {
    std::vector<TidelineTensor> made;
    for (Floats& one : floats_) made.push_back(one.tensor());
    return made;
  }

  const Backends& backends_;
  std::string name_;
  Backend& backend_;
  std::vector<Floats> floats_;
};

Status run(const std::vector<std::string>& words) {
  if (words.size() < 4) return tideline::fail(tideline::Code::kInvalidArgument, "too few words");
  Backends backends;
  TIDELINE_RETURN_IF_ERROR(backends.load(words[1]));
  TIDELINE_TRY(const auto backend, backends.open(words[2], words[3]));
  Session session(backends, words[2], *backend);
  for (std::size_t i = 4; i < words.size(); ++i) TIDELINE_RETURN_IF_ERROR(session.run(words[i]));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const Status status = run({argv, argv + argc});
  if (!status) std::cerr << status.error().message << std::endl;
  return status ? 0 : 1;
}
