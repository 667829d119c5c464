#include "core/runtime/tensorflow_session.h"

#include <fmt/format.h>

#include <cstring>

namespace tideline::runtime {
namespace {

// RunOptions.trace_level = FULL_TRACE: field 1, a varint.
constexpr std::string_view kFullTrace("\x08\x03", 2);
constexpr std::int32_t kNotFoundCode = 5;  // of TensorFlow's codes
constexpr std::int32_t kUnimplemented = 12;

Answer error(std::int32_t code, std::string message) {
  Answer answer;
  answer.code = code;
  answer.message = std::move(message);
  return answer;
}

// Tensors of one run, freed together.
class Tensors {
 public:
  Tensors(const TensorflowApi& api, std::size_t count) : api_(api), tensors_(count, nullptr) {}
  ~Tensors() {
    for (TfTensor* tensor : tensors_) {
      if (tensor != nullptr) api_.delete_tensor(tensor);
    }
  }
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;
  TfTensor*& operator[](std::size_t index) { return tensors_[index]; }
  TfTensor** data() { return tensors_.data(); }

 private:
  const TensorflowApi& api_;
  std::vector<TfTensor*> tensors_;
};

}  // namespace

Answer TensorflowSession::failure() const {
  return error(api_.get_code(status_), api_.message(status_));
}

Answer TensorflowSession::load(const LoadRequest& request) {
  for (const std::string& path : request.op_libraries) {
    api_.load_library(path.c_str(), status_);
    if (failed()) return error(api_.get_code(status_), "op library: " + failure().message);
  }
  graph_ = api_.new_graph();
  const TfBuffer graph{request.graph.data(), request.graph.size(), nullptr};
  TfImportOptions* import = api_.new_import_graph_def_options();
  api_.graph_import_graph_def(graph_, &graph, import, status_);
  api_.delete_import_graph_def_options(import);
  if (failed()) return failure();
  TfSessionOptions* options = api_.new_session_options();
  api_.set_config(options, request.config.data(), request.config.size(), status_);
  if (!failed()) session_ = api_.new_session(graph_, options, status_);
  api_.delete_session_options(options);
  if (failed()) return failure();
  Answer answer;
  answer.version = api_.version();
  return answer;
}

bool TensorflowSession::find(const TensorName& name, TfOutput& output, Answer& answer) const {
  output = {api_.graph_operation_by_name(graph_, name.op.c_str()), name.slot};
  if (output.operation != nullptr && name.slot >= 0 &&
      name.slot < api_.operation_num_outputs(output.operation)) {
    return true;
  }
  answer = error(kNotFoundCode, fmt::format("no tensor '{}:{}'", name.op, name.slot));
  return false;
}

bool TensorflowSession::fetch(const TensorName& name, TfTensor* tensor, Answer& answer) const {
  TensorValue value;
  value.type = static_cast<DataType>(api_.tensor_type(tensor));
  for (int i = 0; i < api_.num_dims(tensor); ++i) value.dims.push_back(api_.dim(tensor, i));
  const std::size_t size = api_.tensor_byte_size(tensor);
  const auto wanted = tensor_content_bytes(value.type, value.dims);
  if (!wanted || static_cast<std::size_t>(*wanted) != size) {
    answer =
        error(kUnimplemented, fmt::format("'{}:{}' is {}, which cannot be fetched", name.op,
                                          name.slot, describe(value.type, Shape::of(value.dims))));
    return false;
  }
  if (size > 0) value.content.assign(static_cast<const char*>(api_.tensor_data(tensor)), size);
  answer.values.push_back(std::move(value));
  return true;
}

Answer TensorflowSession::run(const RunRequest& request) {
  Answer answer;
  std::vector<TfOutput> inputs(request.feeds.size());
  std::vector<TfOutput> outputs(request.fetches.size());
  std::vector<const TfOperation*> targets;
  Tensors fed(api_, request.feeds.size());
  Tensors fetched(api_, request.fetches.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& [name, value] = request.feeds[i];
    if (!find(name, inputs[i], answer)) return answer;
    fed[i] = api_.allocate_tensor(static_cast<int>(value.type), value.dims.data(),
                                  static_cast<int>(value.dims.size()), value.content.size());
    if (fed[i] == nullptr) return error(Answer::kWorkerError, "out of memory for a feed");
    if (!value.content.empty()) {
      std::memcpy(api_.tensor_data(fed[i]), value.content.data(), value.content.size());
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!find(request.fetches[i], outputs[i], answer)) return answer;
  }
  for (const std::string& name : request.targets) {
    const TfOperation* target = api_.graph_operation_by_name(graph_, name.c_str());
    if (target == nullptr) return error(kNotFoundCode, fmt::format("no op '{}'", name));
    targets.push_back(target);
  }
  TfBuffer* options =
      request.trace ? api_.new_buffer_from_string(kFullTrace.data(), kFullTrace.size()) : nullptr;
  TfBuffer* metadata = request.trace ? api_.new_buffer() : nullptr;
  api_.session_run(session_, options, inputs.data(), fed.data(), static_cast<int>(inputs.size()),
                   outputs.data(), fetched.data(), static_cast<int>(outputs.size()), targets.data(),
                   static_cast<int>(targets.size()), metadata, status_);
  if (metadata != nullptr) {
    if (metadata->data != nullptr) {
      answer.run_metadata.assign(static_cast<const char*>(metadata->data), metadata->length);
    }
    api_.delete_buffer(metadata);
    api_.delete_buffer(options);
  }
  if (failed()) return failure();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!fetch(request.fetches[i], fetched[i], answer)) return answer;
  }
  return answer;
}

}  // namespace tideline::runtime
