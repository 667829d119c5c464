// What a checkpoint is, and what can be done with it; and the dialog for writing it.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/base/units.h"
#include "render/model/checkpoint_contents.h"
#include "render/ui/panels.h"
#include "render/ui/popups.h"
#include "render/ui/theme.h"

namespace tideline::ui {
namespace {

constexpr std::size_t kMostDamages = 20;
constexpr std::size_t kMostFiles = 8;

void draw_source(Ui& ui, const CheckpointListing& listing) {
  heading(ui, "Checkpoint");
  colored_text(ui.palette().text, printable(listing.path, 1000));
  dim_text(ui, fmt::format("{}, {} tensors, {}", listing.format, listing.tensors.size(),
                           format_bytes(listing.bytes)));
  for (std::size_t i = 0; i < std::min(listing.files.size(), kMostFiles); ++i) {
    const std::string& path = listing.files[i];
    dim_text(ui, printable(path.substr(path.rfind('/') + 1), 400));
  }
  if (listing.files.size() > kMostFiles)
    dim_text(ui, fmt::format("and {} files more", listing.files.size() - kMostFiles));
}

// Of the job that runs; the status bar has it, too.
void draw_progress(Ui& ui) {
  const JobStatus& job = *ui.model.job;
  colored_text(ui.palette().text, printable(job.title, 400));
  const std::string share =
      job.done_0_1 < 0 ? "..." : fmt::format("{} %", static_cast<int>(job.done_0_1 * 100));
  ImGui::ProgressBar(static_cast<float>(std::max(0.0, job.done_0_1)),
                     {ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()}, share.c_str());
  if (ui.widgets.button("Cancel")) ui.ask("job.cancel");
}

void draw_check(Ui& ui) {
  heading(ui, "Checksums", "Whether every byte is what was written");
  if (ui.widgets.button("Verify", 0, !ui.model.job)) ui.ask("checkpoint.verify");
  const auto& check = ui.model.checkpoint->check;
  if (!check) return dim_text(ui, "Not verified.");
  colored_text(check->is_whole ? ui.palette().good : ui.palette().error,
               printable(check->summary, 1000));
  for (std::size_t i = 0; i < std::min(check->damages.size(), kMostDamages); ++i) {
    colored_text(ui.palette().error, printable(check->damages[i], 1000));
  }
  if (check->damages.size() > kMostDamages)
    dim_text(ui, fmt::format("and {} more", check->damages.size() - kMostDamages));
}

}  // namespace

void draw_checkpoint_side_panel(Ui& ui) {
  const Widgets::Group group = ui.widgets.group("checkpoint");
  draw_source(ui, *ui.model.checkpoint->listing);
  ImGui::Spacing();
  if (ui.model.job) {
    draw_progress(ui);
    ImGui::Spacing();
  }
  draw_check(ui);
  ImGui::Spacing();
  heading(ui, "Other formats");
  if (ui.widgets.button("Convert...", 0, !ui.model.job)) ui.ask("checkpoint.convert-dialog");
  dim_text(ui, ui.model.checkpoint_formats);
}

void draw_convert_dialog(Ui& ui) {
  PopupWindow window(ui, "Convert", 560, 180);
  if (!window.is_open()) return;
  const Widgets::Group group = ui.widgets.group("convert");
  dim_text(ui, "The name says the format: " + ui.model.checkpoint_formats);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  std::string& path = ui.view.write_paths.front();
  const bool is_entered =
      ui.widgets.input("##path", "path of the new checkpoint", &path, true) && !path.empty();
  const bool has_path = !path.empty();
  if (ui.widgets.button("Write", 0, has_path) || is_entered) {
    ui.ask("checkpoint.convert", path);
    window.close();
  }
  ImGui::SameLine();
  if (ui.widgets.button("Replace", 0, has_path)) {
    ui.ask("checkpoint.convert", path, "force");
    window.close();
  }
  ui.widgets.hint("Also when it exists");
  ImGui::SameLine();
  if (ui.widgets.button("Cancel")) window.close();
}

}  // namespace tideline::ui
