// The edit while it is made: new ops with unique names, and the towers' copies by number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/graph/graph_plan.h"
#include "core/rewrite/replicate/regions.h"
#include "core/rewrite/replicate/tower_devices.h"
#include "core/rewrite/unique_names.h"

namespace tideline::replicate {

/// Everything passed in must outlive it. Thread: not shared.
class TowerPlan {
 public:
  TowerPlan(const Context& context, const Regions& regions, const ReplicateOptions& options);

  [[nodiscard]] std::size_t towers() const { return prefixes_.size(); }
  /// "" for the first tower, else a scope that the graph does not have, with a slash.
  [[nodiscard]] const std::string& prefix(std::size_t tower) const { return prefixes_[tower]; }

  struct New {
    std::string_view type;
    std::string wanted;  ///< its name unless that is taken
    std::string device;
    std::vector<TensorId> inputs = {};
    std::vector<OpId> control_inputs = {};
    Attributes attributes = {};
  };
  OpId add(const New& op);
  /// A scalar constant.
  OpId add_int32(const std::string& wanted, const std::string& device, std::int32_t value);

  /// Places the variables, splits the tensors and copies the towers. Errors: kCorrupt for
  /// attributes; kCancelled.
  [[nodiscard]] Status add_towers(const Targets& targets, const ReplicateOptions& options,
                                  Progress& progress);
  /// `op` in tower `tower`: itself where it is shared, and in the first tower.
  [[nodiscard]] OpId copy_of(OpId op, std::size_t tower) const;
  [[nodiscard]] TensorId copy_of(TensorId tensor, std::size_t tower) const;
  /// The tensor of every tower.
  [[nodiscard]] std::vector<TensorId> copies_of(TensorId tensor) const;

  /// One tensor of all towers'. The last op is called `wanted` unless that is taken.
  struct Combined {
    TensorId tensor;
    CutKind kind = CutKind::kSum;
    std::string wanted;
    std::string device;
    bool is_mean = false;  ///< has no effect on row numbers
  };
  /// Errors: kUnsupported for a tensor of unknown type.
  [[nodiscard]] Result<TensorId> combine(const Combined& combined);

  [[nodiscard]] std::string name(OpId op) const {
    return std::string(plan_.name(context_.graph, op));
  }
  [[nodiscard]] std::string name(TensorId tensor) const {
    return plan_.tensor_name(context_.graph, tensor);
  }
  [[nodiscard]] const TowerDevices& devices() const { return devices_; }
  /// A tensor that is split: output `first_slot` + i of `op` is the part of tower i.
  struct Split {
    TensorId tensor;
    OpId op;
    std::uint32_t first_slot = 0;

    [[nodiscard]] TensorId part(std::size_t tower) const {
      return {op, first_slot + static_cast<std::uint32_t>(tower)};
    }
  };
  [[nodiscard]] const std::vector<Split>& splits() const { return splits_; }
  GraphPlan& plan() { return plan_; }

 private:
  void find_prefixes(std::size_t towers);
  void add_splits(const Targets& targets);
  void add_split(TensorId tensor);
  void add_sparse_split(const SplitInput& input);
  [[nodiscard]] std::string copy_name(OpId op, std::size_t tower) const {
    return prefixes_[tower] + std::string(context_.graph.name(op));
  }
  Status add_copy(OpId op, std::size_t tower);
  Status change_attributes(OpId op, OpId copy, std::size_t tower);
  [[nodiscard]] Result<DataType> type_of(TensorId tensor) const;
  TensorId tower_count(DataType type);

  const Context& context_;
  const Regions& regions_;
  TowerDevices devices_;
  UniqueNames names_;
  std::vector<std::string> prefixes_;
  GraphPlan plan_;
  std::vector<Split> splits_;
  std::vector<std::uint32_t> rank_;  // by op: among those that are replicated
  std::uint32_t first_copy_ = 0;
  OpId count_;                                         // of the towers, as an integer
  std::vector<std::pair<DataType, TensorId>> counts_;  // the same in other types
};

}  // namespace tideline::replicate
