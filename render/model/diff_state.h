// What the diff view is about, and what was found.
#pragma once

#include <memory>
#include <string>

#include "render/view/diff_part.h"
#include "render/view/graph_changes.h"

namespace tideline::ui {

struct DiffState {
  std::shared_ptr<const render::GraphChanges> changes;  ///< null: there are none, or not yet
  std::shared_ptr<const render::ChangedText> text;      ///< of the op that is picked, if any
  std::string why_none;                                 ///< what is said without changes
  std::string before, after;                            ///< as in the action that chose them
  bool is_stale = false;                                ///< of an earlier question
};

}  // namespace tideline::ui
