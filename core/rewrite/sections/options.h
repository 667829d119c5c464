// How a training step is cut into sections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/memory/run_model.h"

namespace tideline {

struct SectionsOptions {
  std::vector<std::string> scopes = {};  ///< name scopes of the sections, in forward order
  /// Ranges of complete levels, "0:40,40:80", or the borders alone, "40".
  std::vector<std::string> levels = {};
  /// Borders are searched for, for this many sections; -1: for as many as a memory budget needs.
  int count = -1;
  std::string train_op = {};
  std::string loss = {};
  std::vector<std::string> update_ops = {};
  std::string gradient_scope = {};          ///< empty: gradients are found from edges and op types
  bool compat = false;                      ///< the sets of the reference, errors included
  std::vector<std::string> train_ops = {};  ///< with compat: one for each section
  std::vector<std::string> fetches = {};    ///< with compat: what is fetched beside, in this order
  std::optional<std::int64_t> batch_size = {};
  RunModel run = kAsInFile;  ///< of the steps whose peaks are reported
};

}  // namespace tideline
