// What of a checkpoint is shown.
#pragma once

#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/backend.h"
#include "core/checkpoint/checkpoint.h"
#include "render/model/checkpoint_contents.h"

namespace tideline::app {

/// Bins of the histograms in the window.
inline constexpr std::size_t kShownBins = 48;

/// Cost: O(tensors log tensors).
[[nodiscard]] std::shared_ptr<const ui::CheckpointListing> list_checkpoint(
    const checkpoint::Checkpoint& checkpoint);

/// Reads the values of a tensor, and if `other` is not empty, those of the tensor of that name in
/// the checkpoint there, for a second histogram. What cannot be read is a problem in the facts.
/// Errors: kNotFound if there is no such tensor; kCancelled. Cost: O(elements).
[[nodiscard]] Result<std::shared_ptr<const ui::TensorFacts>> look_at_tensor(
    const checkpoint::Checkpoint& checkpoint, const std::string& name, const std::string& other,
    Progress& progress);

/// Reads all bytes. Errors: kCancelled.
[[nodiscard]] Result<std::shared_ptr<const ui::CheckpointCheck>> check_checkpoint(
    const checkpoint::Checkpoint& checkpoint, Progress& progress);

/// Opens `path` and compares. Errors: those of open_checkpoint and compare.
[[nodiscard]] Result<std::shared_ptr<const ui::CheckpointComparison>> compare_with(
    const checkpoint::Checkpoint& checkpoint, const std::string& path, Progress& progress);

/// The backends that this process has loaded; the first call loads all plugins that are installed.
/// Those that cannot be loaded are reported to `problems`. Thread: any.
[[nodiscard]] std::vector<checkpoint::BackendFacts> installed_backends(
    std::vector<Error>& problems);
[[nodiscard]] ui::BackendRow backend_row(const checkpoint::BackendFacts& facts);

}  // namespace tideline::app
