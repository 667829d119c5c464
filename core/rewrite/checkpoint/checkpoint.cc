// Every SaveV2 that writes under its saver's filename gets a TmciSave with the same inputs, every
// RestoreV2 a TmciLoad. Shards that TensorFlow merges are different: their files lie under
// temporary prefixes, of which only MergeV2Checkpoints knows, and what a backend writes are no
// files that could be merged. All shards together are what the merge publishes, so one TmciSave
// takes the tensors of all, in the order of the merge, and the prefix and device of the merge. It
// runs when the merge would have: after everything that the shards, the merge and the removed ops
// between them waited for. Restoring needs no merge: each shard's RestoreV2 reads the final prefix.
//
// Ops that waited for a replaced op, or for a removed one behind a shard, wait for the new op.
// Tested by unit/rewrite/checkpoint/savers_test.cc, unit/rewrite/checkpoint/shards_test.cc and
// integration/rewrite_checkpoint_test.py.
#include "core/rewrite/checkpoint/checkpoint.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/graph/consumers.h"
#include "core/rewrite/checkpoint/needless_ops.h"
#include "core/rewrite/checkpoint/saved_tensors.h"
#include "core/rewrite/checkpoint/savers.h"
#include "core/rewrite/unique_names.h"

namespace tideline::checkpoint_ops {
namespace {

AttrValue text_value(const std::string& text) {
  AttrValue value;
  value.kind = AttrValue::Kind::kString;
  value.string = text;
  return value;
}

AttrValue types_value(std::vector<DataType> types) {
  AttrValue value;
  value.kind = AttrValue::Kind::kList;
  value.types = std::move(types);
  return value;
}

// "save/SaveV2_1" becomes "save/TmciSave_1".
std::string renamed(std::string_view name, std::string_view from, std::string_view to) {
  const std::size_t slash = name.rfind('/');
  const std::size_t at = slash == std::string_view::npos ? 0 : slash + 1;
  if (!name.substr(at).starts_with(from)) return fmt::format("{}/{}", name, to);
  return fmt::format("{}{}{}", name.substr(0, at), to, name.substr(at + from.size()));
}

class Replacement {
 public:
  Replacement(const Graph& graph, const Collections& collections, const FoundSavers& found,
              const CheckpointOptions& options)
      : graph_(graph),
        collections_(collections),
        found_(found),
        options_(options),
        consumers_(graph),
        names_(graph) {}

  Result<CheckpointPlan> run() {
    number_new_ops();
    TIDELINE_RETURN_IF_ERROR(check_collections());
    TIDELINE_TRY(colocations_, find_colocations(graph_));
    find_removed();
    made_.report.backend = options_.backend;
    for (const Saver& saver : found_.savers) TIDELINE_RETURN_IF_ERROR(add(saver));
    for (const auto& replaced : new_of_) made_.edit.removed.push_back(replaced.first);
    made_.edit.removed.insert(made_.edit.removed.end(), dropped_.begin(), dropped_.end());
    std::sort(made_.edit.removed.begin(), made_.edit.removed.end());
    reroute_readers();
    reroute_waiters();
    TIDELINE_RETURN_IF_ERROR(change_colocations());
    finish_report();
    return std::move(made_);
  }

 private:
  static bool is_joined(const Save& save) { return save.shards.size() > 1; }

  // Ids first: an op may read or wait for one that is added after it.
  void number_new_ops() {
    std::uint32_t next = graph_.op_count();
    for (const Saver& saver : found_.savers) {
      for (const Save& save : saver.saves) {
        if (is_joined(save)) next += kJoiningOps;
        const OpId id{next++};
        for (const OpId shard : save.shards) new_of_[shard] = id;
        if (save.merge.valid()) new_of_[save.merge] = id;
        new_names_[id] =
            names_.make(renamed(graph_.name(save.shards.front()), "SaveV2", "TmciSave"));
      }
      for (const OpId restore : saver.restores) {
        const OpId id{next++};
        new_of_[restore] = id;
        new_names_[id] = names_.make(renamed(graph_.name(restore), "RestoreV2", "TmciLoad"));
      }
    }
  }

  // A program that loads the MetaGraph looks up what its collections name.
  [[nodiscard]] Status check_collections() const {
    for (const auto& [key, names] : collections_.names) {
      for (const std::string& name : names) {
        const auto tensor = graph_.find_tensor(name);
        if (!tensor || new_of_.count(tensor->op) == 0) continue;
        return fail(Code::kInvalidArgument,
                    "op {} would be replaced, but the collection '{}' names it; expected "
                    "collections without ops that save or restore",
                    shown(graph_, tensor->op), printable(key));
      }
    }
    return {};
  }

  void find_removed() {
    std::vector<const Save*> merged;
    for (const Saver& saver : found_.savers) {
      for (const Save& save : saver.saves) {
        if (save.merge.valid()) merged.push_back(&save);
      }
    }
    std::vector<Needless> needless =
        find_needless(graph_, consumers_, collections_, colocations_, merged);
    for (std::size_t i = 0; i < merged.size(); ++i) {
      const OpId by = new_of_.at(merged[i]->merge);
      dropped_.insert(needless[i].removed.begin(), needless[i].removed.end());
      for (const OpId op : needless[i].after_save) stands_for_.emplace(op, by);
      between_[by] = std::move(needless[i].between);
    }
  }

  [[nodiscard]] bool is_removed(OpId op) const {
    return new_of_.count(op) != 0 || dropped_.count(op) != 0;
  }
  // The new op that does what `op` did, or that runs before `op`; invalid if there is none.
  [[nodiscard]] OpId successor(OpId op) const {
    if (const auto found = new_of_.find(op); found != new_of_.end()) return found->second;
    const auto found = stands_for_.find(op);
    return found == stands_for_.end() ? OpId{} : found->second;
  }
  [[nodiscard]] TensorId now(TensorId tensor) const {
    const auto found = new_of_.find(tensor.op);
    return found == new_of_.end() ? tensor : TensorId{found->second, tensor.slot};
  }
  [[nodiscard]] std::string name_of(OpId op) const { return std::string(graph_.name(op)); }

  Status add(const Saver& saver) {
    ReplacedSaver& report = made_.report.savers.emplace_back();
    report.name = saver.name;
    report.filename = graph_.tensor_name(saver.filename);
    for (const Save& save : saver.saves) {
      report.is_merged = report.is_merged || save.merge.valid();
      TIDELINE_RETURN_IF_ERROR(add_save(save, report));
    }
    for (const OpId restore : saver.restores) {
      TIDELINE_TRY(const std::vector<DataType> types, tensor_types(graph_, restore));
      NewOp op;
      const OpId self = new_of_.at(restore);
      const std::string& name = new_names_.at(self);
      op.name = name;
      op.type = "TmciLoad";
      op.device = graph_.device(restore);
      for (const TensorId input : graph_.inputs(restore)) op.inputs.push_back(now(input));
      wait_for(restore, self, op);
      TIDELINE_TRY(op.attributes, attributes(restore));
      op.attributes.emplace_back("dtypes", types_value(types));
      made_.edit.add_op(graph_, op);
      report.restores.push_back({name_of(restore), name, static_cast<std::int64_t>(types.size())});
      TIDELINE_RETURN_IF_ERROR(add_tensor_names(graph_, restore, made_.report.tensors));
    }
    return {};
  }

  Status add_save(const Save& save, ReplacedSaver& report) {
    const OpId first = save.shards.front();
    const OpId like = save.merge.valid() ? save.merge : first;
    const OpId self = new_of_.at(first);
    const std::string& name = new_names_.at(self);
    NewOp op;
    op.name = name;
    op.type = "TmciSave";
    op.device = graph_.device(like);
    const TensorId prefix =
        save.merge.valid() ? graph_.inputs(save.merge)[1] : graph_.inputs(first)[kPrefix];
    std::vector<DataType> types;
    std::vector<TensorId> tensors;
    for (const OpId shard : save.shards) {
      TIDELINE_TRY(const std::vector<DataType> of_shard, tensor_types(graph_, shard));
      types.insert(types.end(), of_shard.begin(), of_shard.end());
      for (const TensorId input : graph_.inputs(shard).subspan(kFirstTensor)) {
        tensors.push_back(now(input));
      }
      report.saves.push_back({name_of(shard), name, static_cast<std::int64_t>(of_shard.size())});
      TIDELINE_RETURN_IF_ERROR(add_tensor_names(graph_, shard, made_.report.tensors));
    }
    op.inputs = {now(prefix), now(graph_.inputs(first)[kNames]),
                 now(graph_.inputs(first)[kSlices])};
    if (is_joined(save)) {
      const TensorId axis = add_axis(name, op.device);
      op.inputs[kNames] = add_joined(save, kNames, axis, name + "/tensor_names", op.device);
      op.inputs[kSlices] = add_joined(save, kSlices, axis, name + "/shape_and_slices", op.device);
    }
    op.inputs.insert(op.inputs.end(), tensors.begin(), tensors.end());
    for (const OpId shard : save.shards) wait_for(shard, self, op);
    if (save.merge.valid()) {
      wait_for(save.merge, self, op);
      for (const OpId between : between_.at(self)) wait_for(between, self, op);
    }
    TIDELINE_TRY(op.attributes, attributes(like));
    op.attributes.emplace_back("T", types_value(std::move(types)));
    made_.edit.add_op(graph_, op);
    note_devices(save, op);
    return {};
  }

  static constexpr std::uint32_t kJoiningOps = 3;
  TensorId add_axis(const std::string& name, std::string_view device) {
    const std::string axis = names_.make(name + "/axis");
    return {made_.edit.add_op(graph_, {axis,
                                       "Const",
                                       device,
                                       {},
                                       {},
                                       {{"dtype", AttrValue::of_type(DataType::kInt32)},
                                        {"value", AttrValue::of_int32_scalar(0)}}}),
            0};
  }
  TensorId add_joined(const Save& save, std::uint32_t slot, TensorId axis,
                      const std::string& wanted, std::string_view device) {
    const std::string name = names_.make(wanted);
    std::vector<TensorId> parts;
    for (const OpId shard : save.shards) parts.push_back(now(graph_.inputs(shard)[slot]));
    parts.push_back(axis);
    const auto count = static_cast<std::int64_t>(save.shards.size());
    return {made_.edit.add_op(graph_, {name,
                                       "ConcatV2",
                                       device,
                                       std::move(parts),
                                       {},
                                       {{"N", AttrValue::of_int(count)},
                                        {"T", AttrValue::of_type(DataType::kString)},
                                        {"Tidx", AttrValue::of_type(DataType::kInt32)}}}),
            0};
  }

  // `op`, whose id will be `self`, waits for what `old` waited for.
  void wait_for(OpId old, OpId self, NewOp& op) const {
    for (const OpId after : graph_.control_inputs(old)) {
      // One that stays behind a shard waits for this op itself.
      const OpId by = successor(after);
      const OpId now = is_removed(after) || by == self ? by : after;
      const bool is_known = std::find(op.control_inputs.begin(), op.control_inputs.end(), now) !=
                            op.control_inputs.end();
      if (now.valid() && now != self && !is_known) op.control_inputs.push_back(now);
    }
  }

  // Backend and configuration, and the attributes of `old` that any op may have.
  Result<Attributes> attributes(OpId old) const {
    Attributes found;
    graph_.codec().for_each_attribute(graph_.encoded(old),
                                      [&](std::string_view key, std::string_view encoded) {
                                        if (!key.starts_with('_') || key == "_class") return;
                                        AttrValue value;
                                        value.encoded = encoded;
                                        found.emplace_back(key, std::move(value));
                                      });
    TIDELINE_TRY(const auto placed, graph_.attribute(old, "_class"));
    if (placed) {
      AttrValue value = with_new_names(*placed);
      if (!value.strings.empty()) found.emplace_back("_class", std::move(value));
    }
    found.emplace_back("backend", text_value(options_.backend));
    found.emplace_back("config", text_value(options_.config));
    return found;
  }

  // `_class` with the names of new ops for those that are gone.
  [[nodiscard]] AttrValue with_new_names(const AttrValue& value) const {
    constexpr std::string_view kPlaced = "loc:@";
    AttrValue changed = value;
    changed.strings.clear();
    for (const std::string& text : value.strings) {
      const OpId op = text.starts_with(kPlaced)
                          ? graph_.find(std::string_view(text).substr(kPlaced.size()))
                          : OpId{};
      if (!op.valid() || !is_removed(op)) {
        changed.strings.push_back(text);
      } else if (const auto by = new_of_.find(op); by != new_of_.end()) {
        changed.strings.push_back(fmt::format("{}{}", kPlaced, new_names_.at(by->second)));
      }
    }
    return changed;
  }

  void reroute_readers() {
    for (const Saver& saver : found_.savers) {
      for (const OpId restore : saver.restores) {
        for (const Use use : consumers_.data(restore)) {
          if (is_removed(use.consumer)) continue;
          const TensorId from = graph_.inputs(use.consumer)[use.slot];
          made_.edit.rerouted.push_back({use.consumer, use.slot, from, now(from)});
        }
      }
    }
  }

  void reroute_waiters() {
    for (const OpId op : graph_.ops()) {
      if (is_removed(op)) continue;
      std::set<OpId> gone;
      std::set<OpId> added;
      for (const OpId after : graph_.control_inputs(op)) {
        if (!is_removed(after) || !gone.insert(after).second) continue;
        made_.edit.removed_control.push_back({op, after});
        const OpId by = successor(after);
        if (by.valid() && added.insert(by).second) made_.edit.control.push_back({op, by});
      }
    }
  }

  Status change_colocations() {
    OpId last;
    for (const Colocation& place : colocations_) {
      if (!is_removed(place.with) || is_removed(place.op) || place.op == last) continue;
      last = place.op;
      TIDELINE_TRY(const auto value, graph_.attribute(place.op, "_class"));
      made_.edit.set_attribute(graph_, place.op, "_class", with_new_names(*value));
    }
    return {};
  }

  void note_devices(const Save& save, const NewOp& op) {
    std::set<std::string_view> others;
    for (const OpId shard : save.shards) {
      if (graph_.device(shard) != op.device) others.insert(graph_.device(shard));
    }
    if (others.empty()) return;
    made_.report.notices.push_back(fmt::format(
        "'{}' saves on '{}' for all shards: tensors of {} are sent there", printable(op.name),
        printable(op.device), counted(others.size(), "other device")));
  }

  void finish_report() {
    std::vector<std::string>& tensors = made_.report.tensors;
    std::sort(tensors.begin(), tensors.end());
    tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
    for (const OpId op : found_.others) {
      made_.report.notices.push_back(
          fmt::format("{} stays: its prefix '{}' is no saver's", shown(graph_, op),
                      printable(graph_.tensor_name(graph_.inputs(op)[kPrefix]))));
    }
  }

  const Graph& graph_;
  const Collections& collections_;
  const FoundSavers& found_;
  const CheckpointOptions& options_;
  Consumers consumers_;
  UniqueNames names_;
  CheckpointPlan made_;
  std::map<OpId, OpId> new_of_;                // by replaced op
  std::map<OpId, std::string> new_names_;      // by new op
  std::map<OpId, OpId> stands_for_;            // by op behind a shard
  std::map<OpId, std::vector<OpId>> between_;  // by new op: what lay before it and the merge
  std::set<OpId> dropped_;                     // the ones that are removed
  std::vector<Colocation> colocations_;
};

}  // namespace
}  // namespace tideline::checkpoint_ops

namespace tideline {

Result<CheckpointPlan> plan_checkpoint(const Graph& graph, const Collections& collections,
                                       const FunctionLibrary* functions,
                                       const CheckpointOptions& options) {
  TIDELINE_RETURN_IF_ERROR(validate(options));
  TIDELINE_TRY(const checkpoint_ops::FoundSavers found,
               checkpoint_ops::find_savers(graph, collections, functions));
  return checkpoint_ops::Replacement(graph, collections, found, options).run();
}

}  // namespace tideline
