// The actions of open checkpoints. Tested by unit/session/checkpoint_document_test.cc.
#include <array>

#include "app/actions/commands.h"
#include "app/session/checkpoint_document.h"

namespace tideline::app {
namespace {

CheckpointDocument* checkpoint_of(const Viewer& viewer) {
  const Session::Entry* entry = viewer.session.find(viewer.shown);
  return entry == nullptr ? nullptr : dynamic_cast<CheckpointDocument*>(entry->document.get());
}

bool has_checkpoint(const Viewer& viewer) {
  const CheckpointDocument* document = checkpoint_of(viewer);
  return document != nullptr && document->is_open();
}

Answered select_tensor(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_RETURN_IF_ERROR(checkpoint_of(viewer)->select(arguments.text(0)));
  return {};
}

Answered verify(Viewer& viewer, const Arguments&) {
  checkpoint_of(viewer)->verify();
  return {};
}

Answered compare(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kRead));
  viewer.view.popup = ui::Popup::kNone;
  viewer.view.checkpoint.page = ui::CheckpointPage::kComparison;
  checkpoint_of(viewer)->compare(path);
  return {};
}

Answered convert(Viewer& viewer, const Arguments& arguments) {
  TIDELINE_TRY(const std::string path, resolved(viewer, arguments.text(0), PathUse::kWrite));
  viewer.view.popup = ui::Popup::kNone;
  TIDELINE_RETURN_IF_ERROR(checkpoint_of(viewer)->convert(path, arguments.size() > 1));
  return {};
}

Answered list_backends(Viewer& viewer, const Arguments&) {
  viewer.view.checkpoint.page = ui::CheckpointPage::kBackends;
  checkpoint_of(viewer)->list_backends();
  return {};
}

constexpr std::array kCheckpointTable = {
    action("checkpoint.open-dialog", "Open a checkpoint...", "File", "", {},
           "Choose a checkpoint to see its tensors.", show_popup<ui::Popup::kOpenCheckpoint>),
    for_pages(
        action("checkpoint.select", "Look at a tensor", "", "", {text("TENSOR")},
               "Show the numbers of a tensor of the checkpoint, and how they are distributed.",
               select_tensor, has_checkpoint, nullptr, Effect::kSlow)),
    for_pages(action("checkpoint.verify", "Verify", "Checkpoint", "", {},
                     "Compare every byte of the checkpoint with its checksum.", verify,
                     has_checkpoint, nullptr, Effect::kSlow)),
    action("checkpoint.compare-dialog", "Compare with...", "Checkpoint", "", {},
           "Choose another checkpoint to compare with.", show_popup<ui::Popup::kCompareCheckpoint>,
           has_checkpoint),
    for_pages(action("checkpoint.compare", "Compare with a checkpoint", "", "", {text("PATH")},
                     "Compare the checkpoint with another one, tensor by tensor and bit for bit.",
                     compare, has_checkpoint, nullptr, Effect::kSlow)),
    action("checkpoint.convert-dialog", "Convert...", "Checkpoint", "", {},
           "Choose where the tensors are written in another format.",
           show_popup<ui::Popup::kConvertCheckpoint>, has_checkpoint),
    action("checkpoint.convert", "Convert to a file", "", "",
           {text("PATH"), optional(word("force"))},
           "Write the tensors in the format that the name asks for.", convert, has_checkpoint,
           nullptr, Effect::kSlow),
    action("checkpoint.backends", "Backends", "Checkpoint", "", {},
           "Load the plugins that are installed, and list what their backends can do.",
           list_backends, has_checkpoint, nullptr, Effect::kSlow),
};

}  // namespace

std::shared_ptr<const ui::CheckpointContents> shown_checkpoint(const Viewer& viewer) {
  return has_checkpoint(viewer) ? checkpoint_of(viewer)->contents() : nullptr;
}

constinit const std::span<const Action> kCheckpointActions = kCheckpointTable;

}  // namespace tideline::app
