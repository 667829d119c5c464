// Problem: a graph has one to thousands of top-level scopes; a picture has room for a dozen bands
// with names, and they should not waste its height.
// Idea: the scopes with the most bytes get bands of their own, the others share one for each phase.
// Variables, constants and inputs are all on level 0, far from their consumers; they share a small
// band at the bottom, and so do ops outside of the step (initial values, saving). Bands whose large
// ops are on different levels share a row: the forward pass and the backward pass of a network are
// then side by side instead of on top of each other. Where both have ops on a level they are
// stacked.
// With the parts of a plan these take the place of the scopes, in their order.
// Example: scopes net (levels 0 to 9) and loss (levels 10, 11) are bands in one row.
// Cost: O(ops + scopes + bands x cells).
// Source: own. Tested by tests/unit/view/op_layout_test.cc and tests/property/view_property.cc.
#include "render/view/level_bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/base/units.h"

#include "render/view/palette.h"

namespace tideline::render {
namespace {

constexpr std::size_t kOwnWhenFew = 11;  // so many scopes all have their own band
constexpr std::size_t kOwnWhenMany = 9;  // of more, so many do
constexpr double kLargeCell = 0.1;       // of the band's largest: what a row has to have room for
constexpr double kSharedLevels = 0.05;   // of a band's large cells may lie below those of others
constexpr std::uint32_t kUnassigned = 0xFF;
constexpr std::uint32_t kPartHues = 8;

bool is_copy(const Scene& scene, OpId op) {
  return scene.copies != nullptr && scene.copies->contains(op);
}

// There from the beginning: what has no inputs at all, and the ops that read it as it is.
bool is_source(const Scene& scene, OpId op) {
  const auto starts = [&](OpId which) {
    return scene.levels->level(which) == 0 && scene.graph->inputs(which).empty();
  };
  if (starts(op)) return true;
  const std::string_view type = scene.graph->type(op);
  return (type == "Identity" || type == "ReadVariableOp") && !scene.graph->inputs(op).empty() &&
         starts(scene.graph->inputs(op)[0].op);
}

// Sizes of ops, as the level view counts them.
void measure(const Scene& scene, LevelBands& result) {
  const std::uint32_t count = scene.graph->op_count();
  result.op_bytes.resize(count);
  result.unknown.resize(count);
  for (const OpId op : scene.graph->ops()) {
    Bytes bytes = 0;
    for (std::uint32_t slot = 0; slot < scene.tensors->output_count(op); ++slot) {
      bytes = saturating_add(bytes, scene.tensors->bytes({op, slot}));
      if (scene.tensors->is_unknown({op, slot})) result.unknown[op.index()] = true;
    }
    result.op_bytes[op.index()] = bytes;
    result.largest_op = std::max(result.largest_op, bytes);
  }
}

struct ScopeSum {
  std::array<Bytes, kPhaseCount> bytes{};  // by phase
  std::array<std::int64_t, kPhaseCount> ops{};
  [[nodiscard]] Bytes total() const {
    Bytes sum = 0;
    for (const Bytes part : bytes) sum = saturating_add(sum, part);
    return sum;
  }
  [[nodiscard]] std::int64_t count() const {
    std::int64_t sum = 0;
    for (const std::int64_t part : ops) sum += part;
    return sum;
  }
  [[nodiscard]] Phase phase() const {
    std::size_t most = 1;
    for (std::size_t i = 1; i < kPhaseCount; ++i) {
      if (bytes[i] > bytes[most] || (bytes[i] == bytes[most] && ops[i] > ops[most])) most = i;
    }
    return static_cast<Phase>(most);
  }
};

// By scope: the top-level scope that it lies in (0 for the root itself).
std::vector<std::uint32_t> top_scopes(const ScopeTree& tree) {
  std::vector<std::uint32_t> top(tree.scopes.size(), 0);
  for (std::size_t i = 1; i < tree.scopes.size(); ++i) {
    const Scope& scope = tree.scopes[i];
    top[i] = scope.depth <= 1 ? static_cast<std::uint32_t>(i) : top[scope.parent];
  }
  return top;
}

class BandMaker {
 public:
  BandMaker(const Scene& scene, LevelBands& result) : scene_(scene), result_(result) {
    if (scene.parts == nullptr) top_ = top_scopes(*scene.scopes);
  }

  void make() {
    sum_scopes();
    choose();
    assign();
    fill_cells();
    pack_rows();
  }

 private:
  // A top-level scope, or one more than the index of a part; 0: none of them.
  [[nodiscard]] std::uint32_t group_of(OpId op) const {
    if (scene_.parts == nullptr) return top_[scene_.scopes->scope_of[op.index()]];
    return static_cast<std::uint32_t>(scene_.parts->part_of[op.index()] + 1);
  }
  [[nodiscard]] std::size_t group_count() const {
    return scene_.parts == nullptr ? top_.size() : scene_.parts->parts.size() + 1;
  }

  void sum_scopes() {
    sums_.resize(group_count());
    for (const OpId op : scene_.graph->ops()) {
      const auto phase = static_cast<std::size_t>(scene_.phases->of(op));
      if (is_copy(scene_, op)) {
        ++copies_;
        continue;
      }
      if (scene_.phases->of(op) == Phase::kOther || is_source(scene_, op)) {
        ++(scene_.phases->of(op) == Phase::kOther ? outside_ : sources_);
        continue;
      }
      ScopeSum& sum = sums_[group_of(op)];
      sum.bytes[phase] = saturating_add(sum.bytes[phase], result_.op_bytes[op.index()]);
      ++sum.ops[phase];
    }
  }

  // Which scopes get a band of their own: own_[scope] = index of the band, and shared ones.
  void choose() {
    std::vector<std::uint32_t> used;
    for (std::uint32_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i].count() > 0) used.push_back(i);
    }
    std::vector<std::uint32_t> own = used;
    if (used.size() > kOwnWhenFew) {
      std::stable_sort(own.begin(), own.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sums_[a].total() > sums_[b].total();
      });
      own.resize(kOwnWhenMany);
      std::sort(own.begin(), own.end());
    }
    own_.assign(sums_.size(), kUnassigned);
    std::array<std::int64_t, kPhaseCount> more{};
    for (const std::uint32_t scope : used) {
      if (!std::binary_search(own.begin(), own.end(), scope)) {
        for (std::size_t i = 0; i < kPhaseCount; ++i) more[i] += sums_[scope].ops[i] > 0 ? 1 : 0;
      }
    }
    // Parts stay in their order, what belongs to none below them.
    if (scene_.parts != nullptr) {
      std::rotate(own.begin(), std::upper_bound(own.begin(), own.end(), 0U), own.end());
      for (const std::uint32_t part : own) add_part(part);
    }
    for (std::size_t phase = 1; phase < kPhaseCount; ++phase) {
      for (const std::uint32_t scope : own) {
        const bool is_new = own_[scope] == kUnassigned;
        if (is_new && sums_[scope].phase() == static_cast<Phase>(phase)) add_own(scope);
      }
      if (more[phase] > 0) add_shared(static_cast<Phase>(phase), more[phase]);
    }
    if (sources_ > 0) {
      sources_band_ = static_cast<std::uint32_t>(result_.bands.size());
      result_.bands.push_back({.name = "variables, constants, inputs (not to scale)",
                               .phase = Phase::kForward,
                               .is_side = true});
    }
    if (copies_ > 0) {
      copies_band_ = static_cast<std::uint32_t>(result_.bands.size());
      result_.bands.push_back({.name = "copies of swaps (not to scale)", .is_side = true});
    }
    if (outside_ > 0) {
      shared_[0] = static_cast<std::uint32_t>(result_.bands.size());
      result_.bands.push_back({.name = "outside the step (not to scale)", .is_side = true});
    }
  }

  void add_own(std::uint32_t scope) {
    own_[scope] = static_cast<std::uint32_t>(result_.bands.size());
    const std::string_view path = scene_.scopes->scopes[scope].path;
    result_.bands.push_back({.name = scope == 0 ? "(no scope)" : printable(path),
                             .scope = scope,
                             .hue = scope_hue(path),
                             .phase = sums_[scope].phase()});
  }

  void add_part(std::uint32_t group) {
    own_[group] = static_cast<std::uint32_t>(result_.bands.size());
    Band band = {.name = "other ops of the step", .phase = sums_[group].phase()};
    if (group > 0) {
      const StepPart& part = scene_.parts->parts[group - 1];
      band.name = printable(part.label);
      if (!part.note.empty()) band.name += ": " + part.note;
      band.hue = (group - 1) % kPartHues;
      band.is_part = true;
    }
    result_.bands.push_back(std::move(band));
  }

  void add_shared(Phase phase, std::int64_t scopes) {
    shared_[static_cast<std::size_t>(phase)] = static_cast<std::uint32_t>(result_.bands.size());
    const char* what = scene_.parts == nullptr ? "scopes" : "parts";
    result_.bands.push_back({.name = fmt::format("{} more {}: {}", scopes, what, phase_name(phase)),
                             .hue = static_cast<std::uint32_t>(phase),
                             .phase = phase});
  }

  void assign() {
    result_.of_op.resize(scene_.graph->op_count());
    for (const OpId op : scene_.graph->ops()) {
      const Phase phase = scene_.phases->of(op);
      const std::uint32_t own = own_[group_of(op)];
      std::uint32_t band = shared_[static_cast<std::size_t>(phase)];
      if (is_copy(scene_, op)) {
        band = copies_band_;
      } else if (phase != Phase::kOther) {
        if (is_source(scene_, op)) {
          band = sources_band_;
        } else if (own != kUnassigned) {
          band = own;
        }
      }
      result_.of_op[op.index()] = static_cast<std::uint8_t>(band);
      Band& into = result_.bands[band];
      into.bytes = saturating_add(into.bytes, result_.op_bytes[op.index()]);
      ++into.ops;
    }
  }

  void fill_cells() {
    for (std::int32_t level = 0; level < scene_.levels->count(); ++level) {
      std::array<Bytes, kMostBands> bytes{};
      std::array<bool, kMostBands> any{};
      for (const OpId op : scene_.levels->ops(level)) {
        const std::uint8_t band = result_.of_op[op.index()];
        bytes[band] = saturating_add(bytes[band], result_.op_bytes[op.index()]);
        any[band] = true;
      }
      for (std::uint32_t band = 0; band < result_.bands.size(); ++band) {
        if (!any[band]) continue;
        result_.cells.push_back({level, band, bytes[band]});
        if (result_.bands[band].is_part) add_range(result_.bands[band], level);
        Bytes& largest =
            result_.bands[band].is_side ? result_.largest_side_cell : result_.largest_cell;
        largest = std::max(largest, bytes[band]);
      }
    }
  }

  // Parts go on over a few levels at which they have no op.
  void add_range(Band& band, std::int32_t level) const {
    const std::int32_t gap = std::max(2, scene_.levels->count() / 50);
    if (band.ranges.empty() || level - band.ranges.back().to > gap) {
      band.ranges.push_back({level, level});
    }
    band.ranges.back().to = level;
  }

  void pack_rows() {
    const std::size_t count = result_.bands.size();
    std::vector<Bytes> largest(count, 0);
    for (const CellSum& cell : result_.cells) {
      largest[cell.band] = std::max(largest[cell.band], cell.bytes);
    }
    std::vector<std::vector<std::int32_t>> large(count);
    for (const CellSum& cell : result_.cells) {
      if (static_cast<double>(cell.bytes) >= kLargeCell * static_cast<double>(largest[cell.band])) {
        large[cell.band].push_back(cell.level);
      }
    }
    std::vector<std::vector<bool>> taken;  // by row and level
    for (std::size_t band = 0; band < count; ++band) {
      const std::size_t row = free_row(taken, large[band], result_.bands[band].is_side);
      if (row == taken.size()) {
        taken.emplace_back(static_cast<std::size_t>(scene_.levels->count()));
      }
      for (const std::int32_t level : large[band])
        taken[row][static_cast<std::size_t>(level)] = true;
      result_.bands[band].row = static_cast<std::uint32_t>(row);
      if (large[band].empty()) continue;
      result_.bands[band].first_level = large[band].front();
      result_.bands[band].last_level = large[band].back();
    }
    result_.row_count = static_cast<std::uint32_t>(taken.size());
  }

  static std::size_t free_row(const std::vector<std::vector<bool>>& taken,
                              const std::vector<std::int32_t>& levels, bool is_side) {
    if (is_side) return taken.size();
    for (std::size_t row = 0; row < taken.size(); ++row) {
      const auto shared = std::count_if(levels.begin(), levels.end(), [&](std::int32_t level) {
        return taken[row][static_cast<std::size_t>(level)];
      });
      if (static_cast<double>(shared) <= kSharedLevels * static_cast<double>(levels.size())) {
        return row;
      }
    }
    return taken.size();
  }

  const Scene& scene_;
  LevelBands& result_;
  std::vector<std::uint32_t> top_;                   // by scope; empty when there are parts
  std::vector<ScopeSum> sums_;                       // by group
  std::vector<std::uint32_t> own_;                   // by group: its band
  std::array<std::uint32_t, kPhaseCount> shared_{};  // by phase
  std::uint32_t sources_band_ = 0, copies_band_ = 0;
  std::int64_t sources_ = 0, copies_ = 0, outside_ = 0;  // ops
};

}  // namespace

std::uint32_t scope_hue(std::string_view top_level_scope) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char letter : top_level_scope)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return hash % kScopeHues;
}

LevelBands find_level_bands(const Scene& scene) {
  LevelBands result;
  measure(scene, result);
  BandMaker(scene, result).make();
  return result;
}

}  // namespace tideline::render
