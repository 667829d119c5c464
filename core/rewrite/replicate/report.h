// What `replicate` did, for people and programs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/graph/graph_plan.h"

namespace tideline {

struct Tower {
  std::string device;  ///< that was asked for
  std::string prefix;  ///< of the names of its ops, "tower_1/"; empty for the first
  std::int64_t ops_on_device = 0;
  /// By device: how many ops are there because the graph names it.
  std::map<std::string, std::int64_t> kept;
  std::int64_t beside_variables = 0;  ///< ops that are where a variable is, and not on `device`
};

/// A device on which variables are spread.
struct VariableDevice {
  std::string device;
  std::int64_t variables = 0;
  Bytes bytes = 0;
};

/// Names are those in the new graph; tensors are "op:slot".
struct ReplicateReport {
  std::string loss;      ///< of all towers; empty when there is none
  std::string train_op;  ///< empty when there is none
  std::string parameter_device;
  std::vector<VariableDevice> variable_devices;  ///< empty: all are on the parameter device
  std::vector<Tower> towers;
  std::vector<std::pair<std::string, std::vector<std::string>>> split;  ///< by tensor: its parts
  std::map<std::string, std::string> aggregated;          ///< by variable: its gradient
  std::map<std::string, std::string> aggregated_indices;  ///< by variable, where rows are trained
  std::map<std::string, std::string> moving_averages;     ///< by variable: what moves it
  std::map<std::string, std::string> predictions;         ///< by key
  std::map<std::string, std::string> metric_values;       ///< by metric: its value
  std::string metric_update;                              ///< the update op of all metrics
  std::vector<std::string> init_ops;                      ///< of metrics, without the first tower's
  std::int64_t replicated_ops = 0;                        ///< of one tower
  std::int64_t update_ops = 0;                            ///< kept once
  std::vector<std::string> notices;
};

/// The edit, and what there is to say about it.
struct ReplicatePlan {
  GraphPlan edit;
  ReplicateReport report;
};

}  // namespace tideline
