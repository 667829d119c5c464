// Writes the contents of a log as files that other programs open.
#pragma once

#include <cstdint>
#include <string>

#include "app/engine/log_wish.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/events/event_log.h"

namespace tideline::app {

struct ExportCounts {
  std::int64_t files = 0;
  std::int64_t left_out = 0;  ///< rows that no file shows: session logs, tags without content
};

/// Writes the wanted rows into the new folder `folder`, as FOLDER/RUN/TAG/FILE: curves as
/// scalars.csv, images as image_STEP.png (or .jpg, .gif), audio as audio_STEP.wav, texts as
/// text_STEP.txt, histograms (left, right, count) and tensors as .npy, graphs, run metadata and
/// hyperparameters as .pb, layers of Keras as .json. Of several contents in a row each has an index
/// (_1), of several rows of a step each a number (-2). All of it or nothing, open to those who may
/// read every file of the log. Errors:
/// kInvalidArgument when the folder exists and is not empty; kNotFound when nothing matches;
/// kUnsupported for more than kMostExportedFiles files; kCorrupt for contents that do not decode;
/// kIo, kCancelled.
[[nodiscard]] Result<ExportCounts> export_log(const events::EventLog& log, const LogWish& wish,
                                              const std::string& folder, Progress& progress);
inline constexpr std::int64_t kMostExportedFiles = 100'000;

/// `name` as the name of one file or folder: letters, digits and "_-.+=" stay, every other byte
/// becomes %XX, and so does a dot at the beginning. Different names stay different; a long one is
/// cut and gets its checksum.
[[nodiscard]] std::string safe_file_name(std::string_view name);

}  // namespace tideline::app
