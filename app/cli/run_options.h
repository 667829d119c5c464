// The options and helpers that `run` and `compare` share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/io/document.h"
#include "core/runtime/feeds.h"
#include "core/runtime/trainer.h"
#include "core/runtime/training.h"

namespace tideline::cli {

struct RunPlace;

struct RunOptions {
  std::string train;
  std::string loss;
  std::vector<std::string> inits;
  std::vector<std::string> feeds;  ///< each one checked
  std::string from;                ///< checkpoint; empty: none
  std::vector<std::string> op_libraries;
  std::optional<std::int64_t> seed;
  std::optional<std::int64_t> steps;
  std::optional<double> time_limit_s;
  std::string memory_limit;  ///< a SIZE, checked; empty: none
  std::string target;        ///< "grpc://HOST:PORT"; empty: no server
  std::string cluster;       ///< a file, or TF_CONFIG; empty: none
  std::optional<double> step_limit_s;
  bool allow_io = false;
  bool json = false;

  [[nodiscard]] runtime::TrainingRequest request() const;
  [[nodiscard]] runtime::WorkerOptions worker(const RunPlace& place) const;
};
void add_run_options(const Command& command, RunOptions& options);

/// Opens the feeds and decides on the number of steps: as given, else as many as the files have,
/// else ten. Errors: those of Feed; kInvalidArgument when a file has too few.
struct OpenedFeeds {
  std::vector<runtime::Feed> feeds;
  std::int64_t steps = 0;
};
[[nodiscard]] Result<OpenedFeeds> open_feeds(const RunOptions& options);

/// Refuses a training whose ops can touch files, the network or code (outside_effects.h), before
/// anything runs. With --allow-io they are named on standard error instead.
/// Errors: kInvalidArgument, naming file and ops.
[[nodiscard]] Status check_effects(const RunOptions& options, const io::Document& document,
                                   const runtime::Training& training,
                                   const std::vector<runtime::TensorName>& fed);

/// Says on standard error whose recorded shapes TensorFlow refused, so that they were not used, and
/// which variables the checkpoint of --from does not have.
void note_start(const runtime::Trainer& trainer);

/// The loss as text: a number, or the first elements if there are several.
[[nodiscard]] std::string loss_text(const runtime::TensorValue& loss);
/// The bits of the loss: "0x40135d8e", elements separated by blanks.
[[nodiscard]] std::string loss_bits(const runtime::TensorValue& loss);

/// Shows the steps. A worker also reports while it waits; the last line then stays as it is.
class RunProgress final : public Progress {
 public:
  explicit RunProgress(bool quiet) : terminal_(quiet) {}
  bool report(std::string_view stage, std::int64_t done, std::int64_t total) override;

 private:
  TerminalProgress terminal_;
  std::string stage_ = "starting";
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace tideline::cli
