// The frames of a step that `render --record` writes: the step player, a picture a moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/command_line.h"
#include "app/cli/front.h"
#include "app/cli/picture_output.h"
#include "core/base/progress.h"
#include "render/view/picture.h"

namespace tideline::cli {

struct FrameOptions {
  std::string folder;         ///< of --record; empty: none are written
  std::optional<int> frames;  ///< without it one for each level
};
inline constexpr int kMostFrames = 100'000;

/// Adds --record and --frames.
void add_frames(const Command& command, FrameOptions& options);

/// Checks the folder before any work. Precondition: it is wanted. Returns nullopt if all is well;
/// else prints a message and returns the exit code.
[[nodiscard]] std::optional<int> refuse_frames(const FrameOptions& options,
                                               const PictureOptions& look, const Front& front);

/// Writes frame_0001.png and so on: `picture` at moments of its range. The folder appears whole or
/// not at all; with --force one that holds nothing but frames is replaced. Returns their number.
/// Precondition: refuse_frames had no objection. Errors: kInvalidArgument for a graph without
/// levels; kCancelled; those of drawing and of writing.
[[nodiscard]] Result<std::int64_t> write_frames(const FrameOptions& options,
                                                const PictureOptions& look, render::Picture picture,
                                                const Readers& readers, const Front& front,
                                                Progress& progress);

}  // namespace tideline::cli
