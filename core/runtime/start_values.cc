// Tested by unit/runtime/start_values_test.cc and tests/integration/run_from_test.py.
#include "core/runtime/start_values.h"

#include "core/base/text.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/variable_names.h"

namespace tideline::runtime {
namespace {

// The tensor of the first name that is known; empty: none is.
std::string tensor_of(const WantedVariable& variable, const checkpoint::Checkpoint& checkpoint,
                      const std::map<std::string, std::string>& keys) {
  std::vector<std::string> names = variable.saved_as;
  names.push_back(variable.name);
  for (const std::string& name : names) {
    const auto key = keys.find(name);
    const std::string& tensor = key == keys.end() ? name : key->second;
    if (checkpoint.find(tensor) != nullptr) return tensor;
  }
  return {};
}

}  // namespace

Result<StartValues> find_start_values(const std::string& path,
                                      const std::vector<WantedVariable>& wanted) {
  TIDELINE_TRY(checkpoint::Checkpoint opened, checkpoint::open_checkpoint(path));
  StartValues values;
  values.checkpoint = std::make_shared<const checkpoint::Checkpoint>(std::move(opened));
  checkpoint::DataFiles files(*values.checkpoint);
  const auto keys = checkpoint::keys_by_variable(files);
  if (!keys) return tl::unexpected(with_context(keys.error(), path));
  for (const WantedVariable& variable : wanted) {
    std::string tensor = tensor_of(variable, *values.checkpoint, *keys);
    if (tensor.empty()) {
      values.missing.push_back(variable.name);
    } else {
      values.tensors.emplace(variable.name, std::move(tensor));
    }
  }
  if (values.tensors.empty() && !wanted.empty()) {
    return fail(Code::kNotFound,
                "{}: has none of the {} variables of the graph; expected tensors like '{}'", path,
                wanted.size(), printable(wanted.front().name));
  }
  return values;
}

Result<TensorValue> read_start_value(const StartValues& values, const std::string& variable,
                                     checkpoint::DataFiles& files) {
  const checkpoint::StoredTensor& tensor = *values.checkpoint->find(values.tensors.at(variable));
  TensorValue value;
  value.type = tensor.type;
  value.dims = tensor.dims;
  TIDELINE_TRY(value.content, checkpoint::read_tensor(files, tensor));
  return value;
}

}  // namespace tideline::runtime
