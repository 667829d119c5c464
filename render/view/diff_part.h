// How the diff view shows two graphs, as plain values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/line_diff.h"

namespace tideline::render {

struct DiffPart {
  std::vector<std::string> open = {};  ///< paths of scopes whose contents are listed, sorted
  std::string op = {};                 ///< whose differences are shown; empty: none
  double scroll_rows = 0;              ///< of the tree
  double text_scroll_rows = 0;         ///< of the text of the op
  bool is_overlay = false;             ///< both graphs over one base, not on both sides of the axis
};

/// The NodeDef of an op in both graphs, line by line.
struct ChangedText {
  std::string op;
  std::vector<std::pair<DiffLine::Kind, std::string>> lines;
};

}  // namespace tideline::render
