// Tested by unit/checkpoint/open_checkpoint_test.cc.
#include "core/checkpoint/open_checkpoint.h"

#include <algorithm>
#include <utility>

#include "core/checkpoint/find_checkpoint.h"
#include "core/checkpoint/npy_folder.h"
#include "core/checkpoint/npz.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/safetensors_index.h"
#include "core/checkpoint/table_checkpoint.h"
#include "core/checkpoint/tensor_bundle.h"

namespace tideline::checkpoint {
namespace {

Result<Checkpoint> open_found(FoundCheckpoint& found) {
  switch (found.kind) {
    case FoundCheckpoint::Kind::kBundle: return open_tensor_bundle(found.path);
    case FoundCheckpoint::Kind::kTables:
      return open_table_checkpoint(found.path, std::move(found.files));
    case FoundCheckpoint::Kind::kSafetensors: return open_safetensors(found.path);
    case FoundCheckpoint::Kind::kShardedSafetensors: return open_sharded_safetensors(found.path);
    case FoundCheckpoint::Kind::kNpyFolder: return open_npy_folder(found.path);
    case FoundCheckpoint::Kind::kNpz: break;
  }
  return open_npz(found.path);
}

}  // namespace

Result<Checkpoint> open_checkpoint(const std::string& path) {
  TIDELINE_TRY(FoundCheckpoint found, find_checkpoint(path));
  TIDELINE_TRY(Checkpoint checkpoint, open_found(found));
  auto& notes = checkpoint.notes;
  notes.insert(notes.begin(), found.notes.begin(), found.notes.end());
  return checkpoint;
}

}  // namespace tideline::checkpoint
