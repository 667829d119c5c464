// Collections of a MetaGraph: named lists of variables and ops.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tideline {

/// An entry of a variable collection.
struct VariableEntry {
  std::string name;  ///< of the variable's tensor, "conv1/kernel:0"
  std::string initializer;
  bool is_resource = false;
};

/// Collections by key ("trainable_variables", "train_op", "metric_variables", ...). Those that list
/// variables are decoded; those that list names are kept as names; of all others only the kind and
/// the number of entries are known.
struct Collections {
  struct Entry {
    std::string kind;  ///< "nodes", "bytes", "ints", "floats", "any", "empty"
    std::int64_t count = 0;
  };
  std::map<std::string, Entry> entries;
  std::map<std::string, std::vector<VariableEntry>> variables;
  std::map<std::string, std::vector<std::string>> names;

  [[nodiscard]] bool has_variables(const std::string& key) const {
    return variables.find(key) != variables.end();
  }
};

}  // namespace tideline
