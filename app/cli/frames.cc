// Tested by tests/golden/files/frames_test.py.
#include "app/cli/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/cli/terminal.h"
#include "core/base/output_folder.h"
#include "core/base/strictest.h"
#include "core/base/text.h"
#include "render/view/step_moment.h"

namespace tideline::cli {
namespace {

constexpr std::string_view kBegin = "frame_";
constexpr std::string_view kEnd = ".png";

bool is_frame(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return false;
  name.remove_prefix(kBegin.size());
  name.remove_suffix(kEnd.size());
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

// An earlier recording, and nothing else.
Result<std::vector<std::string>> earlier_frames(const std::string& folder,
                                                const std::string& shown) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().native();
    if (!is_frame(name) || !entry.is_regular_file(error) || entry.is_symlink(error)) {
      return fail(Code::kInvalidArgument,
                  "{}: holds '{}', which is no frame; expected a new or empty folder, or an "
                  "earlier recording",
                  shown, printable(name));
    }
    names.push_back(name);
  }
  if (error) return fail(Code::kIo, "{}: cannot read: {}", shown, error.message());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void add_frames(const Command& command, FrameOptions& options) {
  const Option record =
      command
          .add_option("--record", options.folder,
                      "Write the step as PNG frames into a new folder instead: tensors move to the "
                      "host and back, memory rises and falls")
          .not_empty()
          .type_name("DIR");
  command.add_option("--frames", options.frames, "Number of frames; without it one a level")
      .in_range(1, kMostFrames)
      .needs(record)
      .type_name("N");
}

std::optional<int> refuse_frames(const FrameOptions& options, const PictureOptions& look,
                                 const Front& front) {
  if (!front.draw_png) {
    return report_usage({Code::kUnsupported,
                         "--record: this build has no window and cannot draw PNG; expected -o with "
                         "a name that ends in .svg"});
  }
  if (Status free = check_output_folder(options.folder, look.force, earlier_frames); !free) {
    return report(free.error());
  }
  return std::nullopt;
}

Result<std::int64_t> write_frames(const FrameOptions& options, const PictureOptions& look,
                                  render::Picture picture, const Readers& readers,
                                  const Front& front, Progress& progress) {
  const std::vector<double> moments = render::frame_moments(
      picture.part.range, picture.scene->levels->count(), options.frames.value_or(0));
  if (moments.empty()) {
    return fail(Code::kInvalidArgument, "--record: the graph has no levels; expected ops");
  }
  TIDELINE_TRY(OutputFolder folder, OutputFolder::create(options.folder, look.force, earlier_frames,
                                                         as_folder(readers)));
  folder.sync_at_end();
  const auto count = static_cast<std::int64_t>(moments.size());
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(count).size());
  for (std::int64_t i = 0; i < count; ++i) {
    if (!progress.report("drawing frames", i, count)) return cancelled();
    PictureOptions frame = look;
    frame.path = fmt::format("{}{:0{}}{}", kBegin, i + 1, digits, kEnd);
    picture.part.player = moments[static_cast<std::size_t>(i)];
    TIDELINE_TRY(const std::string bytes, draw_picture(frame, picture, front));
    TIDELINE_TRY(OutputFile file, folder.file(frame.path, readers));
    TIDELINE_RETURN_IF_ERROR(file.append(bytes));
    TIDELINE_RETURN_IF_ERROR(file.commit());
  }
  if (!progress.report("drawing frames", count, count)) return cancelled();
  TIDELINE_RETURN_IF_ERROR(folder.commit());
  return count;
}

}  // namespace tideline::cli
