// Tested by unit/rewrite/checkpoint/savers_test.cc and the golden case checkpoint_ops.
#include "core/rewrite/checkpoint/report_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/counted.h"
#include "core/base/text.h"

namespace tideline::checkpoint_ops {
namespace {

std::int64_t tensors_of(const std::vector<ReplacedOp>& ops) {
  std::int64_t sum = 0;
  for (const ReplacedOp& op : ops) sum += op.tensors;
  return sum;
}

}  // namespace

// An entry pairs the k-th save with the k-th restore of a saver; with shards, both are on one
// device.
void SaverReport::add_json(const Graph&, const GraphPlan&, const PlanPrediction*,
                           nlohmann::ordered_json& json) const {
  using Json = nlohmann::ordered_json;
  Json replaced = Json::array();
  for (const ReplacedSaver& saver : report_.savers) {
    for (std::size_t i = 0; i < std::max(saver.saves.size(), saver.restores.size()); ++i) {
      Json entry = {{"saver", saver.name}, {"filename", saver.filename}};
      if (i < saver.saves.size()) {
        entry["save_op"] = saver.saves[i].op;
        entry["saved_by"] = saver.saves[i].by;
      }
      if (i < saver.restores.size()) {
        entry["restore_op"] = saver.restores[i].op;
        entry["restored_by"] = saver.restores[i].by;
      }
      replaced.push_back(std::move(entry));
    }
  }
  json["replaced"] = std::move(replaced);
  json["tensors"] = report_.tensors;
}

std::vector<std::string> SaverReport::lines(const Graph&, const GraphPlan&) const {
  std::vector<std::string> lines;
  for (const ReplacedSaver& saver : report_.savers) {
    lines.push_back(fmt::format("saver '{}', whose prefix is {}:", printable(saver.name),
                                printable(saver.filename)));
    if (saver.is_merged) {
      lines.push_back(fmt::format(
          "  {} saves {} of {}, and nothing has to be merged", printable(saver.saves.front().by),
          counted(tensors_of(saver.saves), "tensor"), counted(saver.saves.size(), "shard")));
    } else {
      for (const ReplacedOp& save : saver.saves) {
        lines.push_back(fmt::format("  {} saves {} instead of {}", printable(save.by),
                                    counted(save.tensors, "tensor"), printable(save.op)));
      }
    }
    for (const ReplacedOp& restore : saver.restores) {
      lines.push_back(fmt::format("  {} restores {} instead of {}", printable(restore.by),
                                  counted(restore.tensors, "tensor"), printable(restore.op)));
    }
  }
  lines.push_back(fmt::format(
      "where the graph is imported, tideline.tmci and the backend '{}' have to be loaded before",
      report_.backend));
  return lines;
}

}  // namespace tideline::checkpoint_ops
