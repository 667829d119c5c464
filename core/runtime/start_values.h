// Values that variables have before the first step, from a checkpoint.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/data_files.h"
#include "core/runtime/tensor_value.h"

namespace tideline::runtime {

/// Which tensor of a checkpoint is which variable. Empty: variables keep their initial values.
struct StartValues {
  std::shared_ptr<const checkpoint::Checkpoint> checkpoint;
  std::map<std::string, std::string> tensors;  ///< by the variable's name
  std::vector<std::string> missing;            ///< variables that the checkpoint does not have
};

/// A variable to look for.
struct WantedVariable {
  std::string name;
  std::vector<std::string> saved_as = {};  ///< other names, tried first, in this order
};

/// Finds variables in the checkpoint `path` (find_checkpoint.h): by their names, or by the names
/// that its object graph gives them. Errors: those of open_checkpoint; kNotFound when it has none
/// of them. Messages begin with the path.
[[nodiscard]] Result<StartValues> find_start_values(const std::string& path,
                                                    const std::vector<WantedVariable>& wanted);

/// The value of a variable that `values` has. Errors: those of read_tensor.
[[nodiscard]] Result<TensorValue> read_start_value(const StartValues& values,
                                                   const std::string& variable,
                                                   checkpoint::DataFiles& files);

}  // namespace tideline::runtime
