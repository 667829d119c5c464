// Assigns the ops of the level view to horizontal bands, mostly by scope or by the parts that a
// plan divides the step into, and bands to rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/structure/phases.h"
#include "render/view/scene.h"

namespace tideline::render {

inline constexpr std::size_t kMostBands = 16;

/// Index of Palette::scopes for the ops of a top-level scope. Cost: O(name). Thread: pure.
[[nodiscard]] std::uint32_t scope_hue(std::string_view top_level_scope);

/// Levels, both included.
struct LevelRange {
  std::int32_t from = 0, to = 0;
};

/// The ops of a top-level scope or a part, or of many small ones in the same phase; or the
/// variables, constants and inputs of all scopes; or all ops that no step runs.
struct Band {
  std::string name;             ///< "resnet", "31 more scopes: forward"
  std::uint32_t scope = 0;      ///< index of ScopeTree::scopes; 0: several scopes
  std::uint32_t hue = 0;        ///< index of Palette::scopes
  Phase phase = Phase::kOther;  ///< of most of its bytes
  bool is_side = false;         ///< not of a scope: drawn smaller, in a separate row
  bool is_part = false;         ///< a part of Scene::parts; `hue` is its colour
  std::uint32_t row = 0;
  Bytes bytes = 0;
  std::int32_t first_level = 0;  ///< of its large ops
  std::int32_t last_level = 0;   ///< of its large ops
  std::int64_t ops = 0;
  std::vector<LevelRange> ranges = {};  ///< of a part: where it has ops, ascending
};

/// Sum over the ops of one band at one level.
struct CellSum {
  std::int32_t level = 0;
  std::uint32_t band = 0;
  Bytes bytes = 0;
};

struct LevelBands {
  std::vector<Band> bands;
  std::uint32_t row_count = 0;
  std::vector<std::uint8_t> of_op;  ///< by op
  std::vector<Bytes> op_bytes;      ///< by op: its outputs
  std::vector<bool> unknown;        ///< by op: the size of an output is a guess
  std::vector<CellSum> cells;       ///< by level, then band; without empty ones
  Bytes largest_cell = 0;           ///< of bands of scopes
  Bytes largest_side_cell = 0;      ///< of the others
  Bytes largest_op = 0;
};

/// Finds at most kMostBands bands. Bands whose large ops are at different levels share a row.
/// Cost: O(ops + scopes). Thread: pure.
[[nodiscard]] LevelBands find_level_bands(const Scene& scene);

}  // namespace tideline::render
