// Tested by integration/run_resume_test.py and integration/cluster_test.py.
#include "core/runtime/run_checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/bytes.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/memory_tensors.h"
#include "core/checkpoint/prefix_files.h"
#include "core/checkpoint/tensor_bundle.h"

namespace tideline::runtime {
namespace {

constexpr std::int64_t kStepBytes = 8;

}  // namespace

Status save_run(Trainer& trainer, const std::string& prefix, std::int64_t next_step,
                Progress& progress) {
  std::vector<TensorValue> values;
  std::vector<std::string> names;
  for (const TrainedVariable& variable : trainer.training().variables) {
    TIDELINE_TRY(std::optional<TensorValue> value, trainer.read(variable, progress));
    if (!value) continue;
    names.push_back(variable.name);
    values.push_back(*std::move(value));
  }
  names.emplace_back(kNextStep);
  values.push_back({DataType::kInt64, {}, {}});
  append_little_endian(values.back().content, static_cast<std::uint64_t>(next_step));
  std::vector<checkpoint::MemoryTensor> tensors;
  for (std::size_t i = 0; i < values.size(); ++i) {
    TensorValue& value = values[i];
    tensors.push_back(
        {names[i], value.type, value.dims, value.content.data(), value.content.size()});
  }
  return checkpoint::save_tensors(
      prefix, tensors, [&](std::size_t i) { return checkpoint::crc_of(tensors[i]); }, progress);
}

Result<std::optional<std::int64_t>> saved_step(const std::string& prefix) {
  std::error_code ignored;
  if (!std::filesystem::exists(checkpoint::index_path(prefix), ignored)) {
    return std::optional<std::int64_t>();
  }
  TIDELINE_TRY(const checkpoint::Checkpoint saved, checkpoint::open_tensor_bundle(prefix));
  std::string bytes(kStepBytes, '\0');
  Progress silent;
  const checkpoint::MemoryTensor step{kNextStep, DataType::kInt64, {}, bytes.data(), bytes.size()};
  if (Status status = checkpoint::load_tensors(saved, {step}, silent); !status) {
    if (status.error().code != Code::kNotFound) return tl::unexpected(status.error());
    return fail(Code::kInvalidArgument,
                "{}: has no tensor '{}', so no run has saved it; expected a checkpoint of "
                "{{save}}, or {{from}}",
                prefix, kNextStep);
  }
  const auto next_step = static_cast<std::int64_t>(from_little_endian(bytes));
  if (next_step < 0) {
    return fail(Code::kCorrupt, "{}: tensor '{}' is {}; expected the number of a step", prefix,
                kNextStep, next_step);
  }
  return next_step;
}

}  // namespace tideline::runtime
