// Names of an open graph that parameters ask for, so that they are picked and not typed.
#pragma once

#include "core/analysis/levels.h"
#include "core/graph/graph.h"
#include "render/model/ui_model.h"

namespace tideline::ui {

inline constexpr std::size_t kMostPicks = 20;

/// At most kMostPicks of each. Losses: outputs of ops below a name with "loss" that end a sum or a
/// mean, the last by level first. Train ops: what runs ops that apply gradients, those that no
/// other op waits for first. Inputs: placeholders and iterators, in file order. Cost: O(ops +
/// edges). Thread: pure.
[[nodiscard]] FilePicks file_picks(const Graph& graph, const LevelMap& levels);

}  // namespace tideline::ui
