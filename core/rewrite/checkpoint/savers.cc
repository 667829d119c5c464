// A saver of TensorFlow 1 is no op but a habit: one string tensor, to which the prefix of a
// checkpoint is fed, and the ops whose prefix begins with it. SaveV2 and RestoreV2 read it directly
// or, with shards, through the ops that append the number of a shard; their first input is always
// what the new text begins with. So following first inputs from a prefix leads to the filename of
// its saver.
//
// A filename that a SaverDef names is a saver's. Any other one is, if the graph both saves and
// restores under it: an op that only restores reads a checkpoint that is there already
// (tf.train.init_from_checkpoint makes such), and no backend has that.
//
// Shards: SaveV2 writes each under a prefix of its own, and MergeV2Checkpoints, which reads a Pack
// of these prefixes, makes one checkpoint of their files.
// Tested by unit/rewrite/checkpoint/savers_test.cc and unit/rewrite/checkpoint/refusals_test.cc.
#include "core/rewrite/checkpoint/savers.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/graph/saver_names.h"
#include "core/graph/walks.h"

namespace tideline::checkpoint_ops {
namespace {

bool is_v1(std::string_view type) {
  return type == "Save" || type == "SaveSlices" || type == "Restore" || type == "RestoreSlice";
}
bool is_save(std::string_view type) {
  return type == "SaveV2" || type == "SaveSlices" || type == "Save";
}

std::string scope_of(const Graph& graph, OpId op) {
  const std::string_view name = graph.name(op);
  return std::string(name.substr(0, name.rfind('/')));
}

class SaverSearch {
 public:
  SaverSearch(const Graph& graph, const Collections& collections, const FunctionLibrary* functions)
      : graph_(graph), collections_(collections), functions_(functions) {}

  Result<FoundSavers> run() {
    if (graph_.is_function_body()) {
      return fail(Code::kUnsupported,
                  "the graph is the body of a function, which names ops as its control results; "
                  "expected the graph in which tf.compat.v1.train.Saver saves");
    }
    TIDELINE_RETURN_IF_ERROR(find_named());
    TIDELINE_RETURN_IF_ERROR(find_groups());
    FoundSavers found;
    for (const TensorId filename : order_) {
      const Group& group = groups_.at(filename);
      if (!is_saver(filename, group)) {
        found.others.insert(found.others.end(), group.ops.begin(), group.ops.end());
        continue;
      }
      TIDELINE_RETURN_IF_ERROR(check_format(group));
      TIDELINE_TRY(Saver saver, saver_of(filename, group));
      found.savers.push_back(std::move(saver));
    }
    std::sort(found.others.begin(), found.others.end());
    if (found.savers.empty()) return tl::unexpected(nothing_found(found));
    return found;
  }

 private:
  struct Group {
    std::vector<OpId> ops;  // all but merges, in file order
    std::vector<OpId> merges;
  };

  Status find_named() {
    const auto names = collections_.names.find(kSaverFilenames);
    if (names == collections_.names.end()) return {};
    for (const std::string& name : names->second) {
      const auto tensor = graph_.find_tensor(name);
      if (!tensor) {
        return fail(Code::kInvalidArgument,
                    "the MetaGraph's SaverDef names the filename '{}', which is not in the graph",
                    printable(name));
      }
      named_.insert(*tensor);
    }
    return {};
  }

  Status find_groups() {
    for (const OpId op : graph_.ops()) {
      const std::string_view type = graph_.type(op);
      const bool is_merge = type == "MergeV2Checkpoints";
      if (!is_merge && type != "RestoreV2" && !is_v1(type) && !is_save(type)) continue;
      const std::size_t least = is_merge || type == "Restore" || type == "Save" ? 2 : 3;
      if (graph_.inputs(op).size() < least) {
        return fail(Code::kInvalidArgument, "op {} has {} inputs; expected at least {}",
                    shown(graph_, op), graph_.inputs(op).size(), least);
      }
      const TensorId filename = begin_of(graph_.inputs(op)[is_merge ? 1 : 0]);
      const auto [entry, is_new] = groups_.try_emplace(filename);
      if (is_new) order_.push_back(filename);
      (is_merge ? entry->second.merges : entry->second.ops).push_back(op);
    }
    return {};
  }

  // The tensor that the text `prefix` begins with.
  [[nodiscard]] TensorId begin_of(TensorId prefix) const {
    for (std::uint32_t steps = 0; steps < graph_.op_count(); ++steps) {
      const std::string_view type = graph_.type(prefix.op);
      const bool goes_on = type == "Identity" || type == "StringJoin" ||
                           type == "ShardedFilename" || type == "ShardedFilespec";
      if (!goes_on || named_.count(prefix) != 0 || graph_.inputs(prefix.op).empty()) break;
      prefix = graph_.inputs(prefix.op)[0];
    }
    return prefix;
  }

  [[nodiscard]] bool is_saver(TensorId filename, const Group& group) const {
    if (group.ops.empty()) return false;
    if (named_.count(filename) != 0) return true;
    const auto saves = std::count_if(group.ops.begin(), group.ops.end(),
                                     [&](OpId op) { return is_save(graph_.type(op)); });
    return saves > 0 && static_cast<std::size_t>(saves) < group.ops.size();
  }

  [[nodiscard]] Status check_format(const Group& group) const {
    for (const OpId op : group.ops) {
      if (!is_v1(graph_.type(op))) continue;
      return fail(Code::kUnsupported,
                  "op {} is of a saver of format V1, which has no prefix; expected SaveV2 and "
                  "RestoreV2 (write_version=tf.compat.v1.train.SaverDef.V2)",
                  shown(graph_, op));
    }
    return {};
  }

  Result<Saver> saver_of(TensorId filename, const Group& group) const {
    Saver saver{scope_of(graph_, filename.op), filename, {}, {}};
    std::map<TensorId, std::vector<OpId>> saves;  // by what their prefix is
    for (const OpId op : group.ops) {
      if (graph_.type(op) == "SaveV2") saves[source(graph_.inputs(op)[0])].push_back(op);
    }
    std::set<OpId> merged;
    for (const OpId merge : group.merges) {
      TIDELINE_TRY(Save save, shards_of(merge, saves));
      for (const OpId shard : save.shards) {
        if (merged.insert(shard).second) continue;
        return fail(Code::kUnsupported, "op {} is merged twice; expected one merge for each shard",
                    shown(graph_, shard));
      }
      saver.saves.push_back(std::move(save));
    }
    for (const OpId op : group.ops) {
      if (graph_.type(op) == "RestoreV2") {
        saver.restores.push_back(op);
      } else if (merged.count(op) == 0) {
        saver.saves.push_back({{op}, {}});
      }
    }
    return saver;
  }

  Result<Save> shards_of(OpId merge, const std::map<TensorId, std::vector<OpId>>& saves) const {
    const OpId pack = source(graph_.inputs(merge)[0]).op;
    if (graph_.type(pack) != "Pack") {
      return fail(Code::kUnsupported,
                  "op {} merges the prefixes of {}; expected a Pack of the prefixes of its shards",
                  shown(graph_, merge), shown(graph_, pack));
    }
    Save save{{}, merge};
    for (const TensorId prefix : graph_.inputs(pack)) {
      const auto found = saves.find(source(prefix));
      if (found == saves.end() || found->second.size() != 1) {
        return fail(Code::kUnsupported,
                    "op {} merges what is saved under {}, which {} SaveV2 ops do; expected one",
                    shown(graph_, merge), printable(graph_.tensor_name(prefix)),
                    found == saves.end() ? 0 : found->second.size());
      }
      save.shards.push_back(found->second.front());
    }
    if (save.shards.empty()) {
      return fail(Code::kInvalidArgument, "op {} merges no shards", shown(graph_, merge));
    }
    return save;
  }

  [[nodiscard]] TensorId source(TensorId tensor) const {
    return source_of_value(graph_, tensor, graph_.op_count(),
                           [&](OpId op) { return graph_.type(op) == "Identity"; });
  }

  // Why, as far as it can be seen.
  [[nodiscard]] Error nothing_found(const FoundSavers& found) const {
    const std::string expected =
        "expected SaveV2 and RestoreV2 ops under one filename, as tf.compat.v1.train.Saver makes "
        "them";
    for (const OpId op : graph_.ops()) {
      const std::string_view type = graph_.type(op);
      if (type != "TmciSave" && type != "TmciLoad") continue;
      return {Code::kNotFound, fmt::format("op {} uses a checkpoint backend already; {}",
                                           shown(graph_, op), expected)};
    }
    if (!found.others.empty()) {
      const OpId op = found.others.front();
      return {Code::kNotFound,
              fmt::format("op {} is of no saver: under its prefix '{}' the graph only {}; {}",
                          shown(graph_, op), printable(graph_.tensor_name(graph_.inputs(op)[0])),
                          is_save(graph_.type(op)) ? "saves" : "restores", expected)};
    }
    if (functions_ != nullptr) {
      for (const auto& [name, function] : functions_->functions) {
        for (const OpId op : function.body.ops()) {
          const std::string_view type = function.body.type(op);
          if (type != "SaveV2" && type != "RestoreV2") continue;
          return {Code::kUnsupported,
                  fmt::format("op {} is in the function '{}', and bodies of functions stay; {}",
                              shown(function.body, op), printable(name), expected)};
        }
      }
    }
    return {Code::kNotFound, "the graph has no saver; " + expected};
  }

  const Graph& graph_;
  const Collections& collections_;
  const FunctionLibrary* functions_;
  std::set<TensorId> named_;
  std::map<TensorId, Group> groups_;  // by filename
  std::vector<TensorId> order_;
};

}  // namespace

std::string shown(const Graph& graph, OpId op) {
  return fmt::format("'{}' ({})", printable(graph.name(op)), printable(graph.type(op)));
}

Result<FoundSavers> find_savers(const Graph& graph, const Collections& collections,
                                const FunctionLibrary* functions) {
  return SaverSearch(graph, collections, functions).run();
}

}  // namespace tideline::checkpoint_ops
