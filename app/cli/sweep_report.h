// The output of `sweep`.
#pragma once

#include <string>
#include <vector>

#include "app/engine/sweep.h"
#include "core/rewrite/warning.h"

namespace tideline::cli {

struct SweepReport {
  std::string path;
  app::SweepRequest request;
  std::vector<const Parameter*> started;  ///< those that nobody gave, with starting values
  app::Sweep found;
  std::vector<Warning> warnings;  ///< of the best plan
};

/// Why which row is the best, or how much is missing: one sentence.
[[nodiscard]] std::string best_text(const SweepReport& report);

void print_sweep_json(const SweepReport& report);
void print_sweep_csv(const SweepReport& report);
/// With the sentence behind it, if there is a best row.
void print_sweep_table(const SweepReport& report);

}  // namespace tideline::cli
