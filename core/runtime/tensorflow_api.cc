#include "core/runtime/tensorflow_api.h"

#include <dlfcn.h>

#include "core/runtime/old_tensorflow.h"

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
  if (is_module_of_python(path)) TIDELINE_RETURN_IF_ERROR(give_python_symbols());
  // Local: both TensorFlow and this program carry a protobuf, which must not meet.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* said = ::dlerror();
    return fail(
        Code::kNotFound, "TensorFlow cannot be loaded: {}{}",
        said != nullptr ? said : "no reason given",
        is_module_of_python(path) ? "; expected TensorFlow 1.13 to 1.15, or 2.15 or newer" : "");
  }
  TensorflowApi api{};
  const char* missing = nullptr;
  const auto get = [&](const char* name, auto& function) {
    find(library, name, function, missing);
  };
  get("TF_Version", api.version);
  get("TF_NewStatus", api.new_status);
  get("TF_DeleteStatus", api.delete_status);
  get("TF_GetCode", api.get_code);
  get("TF_Message", api.message);
  get("TF_NewBuffer", api.new_buffer);
  get("TF_NewBufferFromString", api.new_buffer_from_string);
  get("TF_DeleteBuffer", api.delete_buffer);
  get("TF_LoadLibrary", api.load_library);
  get("TF_NewGraph", api.new_graph);
  get("TF_DeleteGraph", api.delete_graph);
  get("TF_NewImportGraphDefOptions", api.new_import_graph_def_options);
  get("TF_DeleteImportGraphDefOptions", api.delete_import_graph_def_options);
  get("TF_GraphImportGraphDef", api.graph_import_graph_def);
  get("TF_GraphOperationByName", api.graph_operation_by_name);
  get("TF_OperationNumOutputs", api.operation_num_outputs);
  get("TF_NewSessionOptions", api.new_session_options);
  get("TF_DeleteSessionOptions", api.delete_session_options);
  get("TF_SetConfig", api.set_config);
  get("TF_NewSession", api.new_session);
  get("TF_SetTarget", api.set_target);
  get("TF_CloseSession", api.close_session);
  get("TF_DeleteSession", api.delete_session);
  get("TF_SessionListDevices", api.session_list_devices);
  get("TF_DeleteDeviceList", api.delete_device_list);
  get("TF_DeviceListCount", api.device_list_count);
  get("TF_DeviceListName", api.device_list_name);
  get("TF_DeviceListMemoryBytes", api.device_list_memory_bytes);
  get("TF_SessionRun", api.session_run);
  get("TF_NewServer", api.new_server);
  get("TF_ServerStart", api.server_start);
  get("TF_AllocateTensor", api.allocate_tensor);
  get("TF_DeleteTensor", api.delete_tensor);
  get("TF_TensorType", api.tensor_type);
  get("TF_NumDims", api.num_dims);
  get("TF_Dim", api.dim);
  get("TF_TensorByteSize", api.tensor_byte_size);
  get("TF_TensorData", api.tensor_data);
  if (missing != nullptr) {
    return fail(Code::kUnsupported,
                "{}: lacks the function {}; expected TensorFlow 1.13 to 1.15, or 2.15 or newer",
                path, missing);
  }
  return api;
}

}  // namespace tideline::runtime
