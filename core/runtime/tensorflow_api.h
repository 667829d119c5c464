// The part of TensorFlow's C interface that we use, declared by ourselves and found at run time.
// Nothing of TensorFlow is needed to build, and nothing is linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace tideline::runtime {

// Opaque on their side.
struct TfGraph;
struct TfImportOptions;
struct TfOperation;
struct TfSession;
struct TfSessionOptions;
struct TfStatus;
struct TfTensor;

// Passed by value or filled in by us: the layout is part of the stable C interface.
struct TfBuffer {
  const void* data;
  std::size_t length;
  void (*data_deallocator)(void* data, std::size_t length);
};
struct TfOutput {
  TfOperation* operation;
  int index;
};

/// The functions, named as in the library without their prefix. All are there once loaded.
/// Source: tensorflow/c/c_api.h, tf_tensor.h, tf_status.h, tf_buffer.h of TensorFlow 2.15 (facts).
struct TensorflowApi {
  const char* (*Version)();

  TfStatus* (*NewStatus)();
  void (*DeleteStatus)(TfStatus*);
  int (*GetCode)(const TfStatus*);
  const char* (*Message)(const TfStatus*);

  TfBuffer* (*NewBuffer)();
  TfBuffer* (*NewBufferFromString)(const void* bytes, std::size_t size);
  void (*DeleteBuffer)(TfBuffer*);

  TfGraph* (*NewGraph)();
  void (*DeleteGraph)(TfGraph*);
  TfImportOptions* (*NewImportGraphDefOptions)();
  void (*DeleteImportGraphDefOptions)(TfImportOptions*);
  void (*GraphImportGraphDef)(TfGraph*, const TfBuffer*, const TfImportOptions*, TfStatus*);
  TfOperation* (*GraphOperationByName)(TfGraph*, const char* name);
  int (*OperationNumOutputs)(TfOperation*);

  TfSessionOptions* (*NewSessionOptions)();
  void (*DeleteSessionOptions)(TfSessionOptions*);
  void (*SetConfig)(TfSessionOptions*, const void* config, std::size_t size, TfStatus*);
  TfSession* (*NewSession)(TfGraph*, const TfSessionOptions*, TfStatus*);
  void (*DeleteSession)(TfSession*, TfStatus*);
  void (*SessionRun)(TfSession*, const TfBuffer* run_options, const TfOutput* inputs,
                     TfTensor* const* input_values, int input_count, const TfOutput* outputs,
                     TfTensor** output_values, int output_count, const TfOperation* const* targets,
                     int target_count, TfBuffer* run_metadata, TfStatus*);

  TfTensor* (*AllocateTensor)(int type, const std::int64_t* dims, int dim_count, std::size_t size);
  void (*DeleteTensor)(TfTensor*);
  int (*TensorType)(const TfTensor*);
  int (*NumDims)(const TfTensor*);
  std::int64_t (*Dim)(const TfTensor*, int index);
  std::size_t (*TensorByteSize)(const TfTensor*);
  void* (*TensorData)(const TfTensor*);
};

/// Loads the library at `path` for good: TensorFlow cannot be unloaded. Its symbols stay apart from
/// ours. To be called in a worker process only. Errors: kNotFound with what the system said;
/// kUnsupported when a function is missing.
[[nodiscard]] Result<TensorflowApi> load_tensorflow(const std::string& path);

}  // namespace tideline::runtime
