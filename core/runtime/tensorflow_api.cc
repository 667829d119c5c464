#include "core/runtime/tensorflow_api.h"

#include <dlfcn.h>

namespace tideline::runtime {
namespace {

template <typename Function>
void find(void* library, const char* name, Function& function, const char*& missing) {
  void* symbol = ::dlsym(library, name);
  if (symbol == nullptr && missing == nullptr) missing = name;
  function = reinterpret_cast<Function>(symbol);
}

}  // namespace

Result<TensorflowApi> load_tensorflow(const std::string& path) {
  // Local: both TensorFlow and this program carry a protobuf, which must not meet.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* said = ::dlerror();
    return fail(Code::kNotFound, "TensorFlow cannot be loaded: {}",
                said != nullptr ? said : "no reason is given");
  }
  TensorflowApi api{};
  const char* missing = nullptr;
  const auto get = [&](const char* name, auto& function) {
    find(library, name, function, missing);
  };
  get("TF_Version", api.Version);
  get("TF_NewStatus", api.NewStatus);
  get("TF_DeleteStatus", api.DeleteStatus);
  get("TF_GetCode", api.GetCode);
  get("TF_Message", api.Message);
  get("TF_NewBuffer", api.NewBuffer);
  get("TF_NewBufferFromString", api.NewBufferFromString);
  get("TF_DeleteBuffer", api.DeleteBuffer);
  get("TF_NewGraph", api.NewGraph);
  get("TF_DeleteGraph", api.DeleteGraph);
  get("TF_NewImportGraphDefOptions", api.NewImportGraphDefOptions);
  get("TF_DeleteImportGraphDefOptions", api.DeleteImportGraphDefOptions);
  get("TF_GraphImportGraphDef", api.GraphImportGraphDef);
  get("TF_GraphOperationByName", api.GraphOperationByName);
  get("TF_OperationNumOutputs", api.OperationNumOutputs);
  get("TF_NewSessionOptions", api.NewSessionOptions);
  get("TF_DeleteSessionOptions", api.DeleteSessionOptions);
  get("TF_SetConfig", api.SetConfig);
  get("TF_NewSession", api.NewSession);
  get("TF_DeleteSession", api.DeleteSession);
  get("TF_SessionRun", api.SessionRun);
  get("TF_AllocateTensor", api.AllocateTensor);
  get("TF_DeleteTensor", api.DeleteTensor);
  get("TF_TensorType", api.TensorType);
  get("TF_NumDims", api.NumDims);
  get("TF_Dim", api.Dim);
  get("TF_TensorByteSize", api.TensorByteSize);
  get("TF_TensorData", api.TensorData);
  if (missing != nullptr) {
    return fail(Code::kUnsupported, "{}: lacks the function {}; expected TensorFlow 2.15 or newer",
                path, missing);
  }
  return api;
}

}  // namespace tideline::runtime
