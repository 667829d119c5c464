// What a front shows of a fit (does a step fit a device, and if not, what then), as plain texts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "render/view/fit_curve.h"

namespace tideline::ui {

/// A part of the peak: a kind of memory, or a layer.
struct FitPart {
  std::string name;
  Bytes bytes = 0;
  std::string detail;  ///< of a layer: "variables 1.00 GiB, activations 3.10 GiB"
};

/// A way to train, as a row of a table.
struct FitRow {
  std::string title;  ///< "LMS v2"
  bool fits = false;
  std::string batch;    ///< "64", "64 on 2 devices"
  std::string peak;     ///< "14.20 GiB"; what does not fit says so
  std::string example;  ///< time: "3.1 ms"
  std::string cost;     ///< "1.40 x the time, link busy 60 %"
  std::string notes;    ///< confidence and warnings, one a line
  std::string command;  ///< that writes it; empty if there is nothing to write
};

struct FitMissing {
  std::string title;
  std::string reason;
};

struct FitCard {
  bool any_fits = false;  ///< the step as it is, or one of the ways
  bool fits = false;      ///< the step as it is
  /// "batch size 64 fits v100: 9.14 of 16.00 GiB".
  std::string verdict;
  /// As LargestBatch::batch.
  std::optional<std::int64_t> largest_batch;
  std::string largest;  ///< "largest batch size that fits as it is: 156 (15.98 GiB)"
  std::string range;    ///< what is not certain of the peak; empty: nothing
  std::vector<FitPart> kinds;
  std::vector<FitPart> layers;  ///< largest first
  std::vector<FitRow> ways;     ///< best first
  std::vector<FitMissing> missing;
  std::vector<std::string> warnings;
  render::FitCurve curve;
  std::string why_no_curve;
};

/// Whether there is a card, and what to do about it.
struct FitState {
  std::shared_ptr<const FitCard> card;  ///< null: none was asked for, or none could be made
  bool is_stale = false;    ///< it belongs to an earlier graph, batch size, budget or profile
  bool is_running = false;  ///< a new one is being made
  std::string problem;      ///< why there is none, or which field to fill in
};

}  // namespace tideline::ui
