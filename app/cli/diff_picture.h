// What `render --view diff` draws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/engine/shown_changes.h"
#include "app/engine/snapshot.h"
#include "core/base/progress.h"
#include "render/view/picture.h"

namespace tideline::cli {

struct DiffPictureOptions {
  std::string original;  ///< path; empty: the graph is the original, and the policy changes it
  bool is_overlay = false;
  std::vector<Option> options;  ///< the above, as they were given
};
/// Adds --original and --overlay.
void add_diff_look(const Command& command, DiffPictureOptions& options);

/// Refuses them with another view, and a policy where there is an original. Returns nullopt if all
/// is well; else prints a message and returns the exit code.
[[nodiscard]] std::optional<int> refuse_diff(const DiffPictureOptions& options,
                                             const std::string& view, bool has_policy);

/// What is drawn, which has to outlive the picture.
struct DiffPicture {
  app::ShownChangesPtr shown;
  std::optional<render::ChangedText> text;
};
/// The original, or the graph of the snapshot, against the graph of the snapshot with its plan.
/// `op` is what is picked, or empty; `expand` names scopes, with commas. Fills in what of
/// `picture` is about that. Errors: those of read_graph and show_changes; kNotFound for an op that
/// neither graph has, and for a scope without differences.
[[nodiscard]] Result<DiffPicture> diff_picture(const DiffPictureOptions& options,
                                               const app::Snapshot& snapshot, const std::string& op,
                                               const std::string& expand, render::Picture& picture,
                                               Progress& progress);

}  // namespace tideline::cli
