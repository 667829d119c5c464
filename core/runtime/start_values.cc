// Tested by unit/runtime/start_values_test.cc and tests/integration/run_from_test.py.
#include "core/runtime/start_values.h"

#include "core/base/text.h"
#include "core/checkpoint/find_checkpoint.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/variable_names.h"

namespace tideline::runtime {

Result<StartValues> find_start_values(const std::string& path,
                                      const std::vector<std::string>& names) {
  TIDELINE_TRY(checkpoint::Checkpoint opened, checkpoint::open_checkpoint(path));
  StartValues values;
  values.checkpoint = std::make_shared<const checkpoint::Checkpoint>(std::move(opened));
  checkpoint::DataFiles files(*values.checkpoint);
  const auto keys = checkpoint::keys_by_variable(files);
  if (!keys) return tl::unexpected(with_context(keys.error(), path));
  for (const std::string& name : names) {
    const auto key = keys->find(name);
    const std::string& tensor = key == keys->end() ? name : key->second;
    if (values.checkpoint->find(tensor) != nullptr) {
      values.tensors.emplace(name, tensor);
    } else {
      values.missing.push_back(name);
    }
  }
  if (values.tensors.empty() && !names.empty()) {
    return fail(Code::kNotFound,
                "{}: has none of the {} variables of the graph; expected tensors like '{}'", path,
                names.size(), printable(names.front()));
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
