// The part of TensorFlow's C interface that is used, declared here and resolved at run time.
// TensorFlow is not needed to build, and it is not linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace tideline::runtime {

// Opaque types.
struct TfGraph;
struct TfLibrary;
struct TfImportOptions;
struct TfOperation;
struct TfSession;
struct TfSessionOptions;
struct TfStatus;
struct TfTensor;
struct TfServer;
struct TfDeviceList;

// Structs with a layout that is part of the stable C interface.
struct TfBuffer {
  const void* data;
  std::size_t length;
  void (*data_deallocator)(void* data, std::size_t length);
};
struct TfOutput {
  TfOperation* operation;
  int index;
};

/// The functions, named as in the library but without its prefix and in snake_case. None is null
/// once loaded. Source: tensorflow/c/c_api.h, tf_tensor.h, tf_status.h, tf_buffer.h of
/// TensorFlow 2.15 (facts); TensorFlow 1.13 has them in c_api.h.
struct TensorflowApi {
  const char* (*version)();

  TfStatus* (*new_status)();
  void (*delete_status)(TfStatus*);
  int (*get_code)(const TfStatus*);
  const char* (*message)(const TfStatus*);

  TfBuffer* (*new_buffer)();
  TfBuffer* (*new_buffer_from_string)(const void* bytes, std::size_t size);
  void (*delete_buffer)(TfBuffer*);

  TfLibrary* (*load_library)(const char* path, TfStatus*);
  TfGraph* (*new_graph)();
  void (*delete_graph)(TfGraph*);
  TfImportOptions* (*new_import_graph_def_options)();
  void (*delete_import_graph_def_options)(TfImportOptions*);
  void (*graph_import_graph_def)(TfGraph*, const TfBuffer*, const TfImportOptions*, TfStatus*);
  TfOperation* (*graph_operation_by_name)(TfGraph*, const char* name);
  int (*operation_num_outputs)(TfOperation*);

  TfSessionOptions* (*new_session_options)();
  void (*delete_session_options)(TfSessionOptions*);
  void (*set_config)(TfSessionOptions*, const void* config, std::size_t size, TfStatus*);
  TfSession* (*new_session)(TfGraph*, const TfSessionOptions*, TfStatus*);
  void (*set_target)(TfSessionOptions*, const char* target);
  void (*close_session)(TfSession*, TfStatus*);
  void (*delete_session)(TfSession*, TfStatus*);
  TfDeviceList* (*session_list_devices)(TfSession*, TfStatus*);
  void (*delete_device_list)(TfDeviceList*);
  int (*device_list_count)(const TfDeviceList*);
  const char* (*device_list_name)(const TfDeviceList*, int index, TfStatus*);
  std::int64_t (*device_list_memory_bytes)(const TfDeviceList*, int index, TfStatus*);
  void (*session_run)(TfSession*, const TfBuffer* run_options, const TfOutput* inputs,
                      TfTensor* const* input_values, int input_count, const TfOutput* outputs,
                      TfTensor** output_values, int output_count, const TfOperation* const* targets,
                      int target_count, TfBuffer* run_metadata, TfStatus*);

  TfServer* (*new_server)(const void* server_def, std::size_t size, TfStatus*);
  void (*server_start)(TfServer*, TfStatus*);

  TfTensor* (*allocate_tensor)(int type, const std::int64_t* dims, int dim_count, std::size_t size);
  void (*delete_tensor)(TfTensor*);
  int (*tensor_type)(const TfTensor*);
  int (*num_dims)(const TfTensor*);
  std::int64_t (*dim)(const TfTensor*, int index);
  std::size_t (*tensor_byte_size)(const TfTensor*);
  void* (*tensor_data)(const TfTensor*);
};

/// Loads the library at `path`, with local symbols, until the process exits: TensorFlow cannot be
/// unloaded. Only for worker processes. Errors: kNotFound with the loader's message; kUnsupported
/// when a function is missing.
[[nodiscard]] Result<TensorflowApi> load_tensorflow(const std::string& path);

}  // namespace tideline::runtime
