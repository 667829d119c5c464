#include "core/runtime/serve.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "core/base/confine.h"
#include "core/io/wire.h"
#include "core/runtime/listen_address.h"
#include "core/runtime/messages.h"
#include "core/runtime/optimize_text.h"
#include "core/runtime/request_ids.h"
#include "core/runtime/tensorflow_api.h"

namespace tideline::runtime {
namespace {

// One graph in one session of a loaded TensorFlow, in a worker process.

// Executes requests on TensorFlow. TensorFlow's objects are never freed: the process ends anyway,
// and shutting TensorFlow down takes time. Thread: not shared.
class TensorflowSession {
 public:
  explicit TensorflowSession(const TensorflowApi& api) : api_(api), status_(api.new_status()) {}

  /// Imports the graph and opens the session. The answer contains the version.
  [[nodiscard]] Answer load(const LoadRequest& request);
  /// Precondition: `load` succeeded.
  [[nodiscard]] Answer run(const RunRequest& request);
  /// Closes the session, so that a server forgets it.
  [[nodiscard]] Answer end();

 private:
  [[nodiscard]] bool failed() const { return api_.get_code(status_) != 0; }
  [[nodiscard]] Answer failure() const;
  void list_devices(Answer& answer);
  [[nodiscard]] bool find(const TensorName& name, TfOutput& output, Answer& answer) const;
  [[nodiscard]] bool fetch(const TensorName& name, TfTensor* tensor, Answer& answer) const;

  const TensorflowApi& api_;
  TfStatus* status_;
  TfGraph* graph_ = nullptr;
  TfSession* session_ = nullptr;
  std::int64_t run_limit_ms_ = 0;
};

// Of RunOptions.
constexpr std::uint32_t kTraceLevel = 1, kTimeoutInMs = 2;
constexpr std::uint64_t kFullTrace = 3;
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

Answer TensorflowSession::failure() const {
  return error(api_.get_code(status_), api_.message(status_));
}

Answer TensorflowSession::load(const LoadRequest& request) {
  run_limit_ms_ = request.run_limit_ms;
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
  if (!request.target.empty()) api_.set_target(options, request.target.c_str());
  if (!failed()) session_ = api_.new_session(graph_, options, status_);
  api_.delete_session_options(options);
  if (failed()) return failure();
  Answer answer;
  answer.version = api_.version();
  if (!request.target.empty()) list_devices(answer);
  return answer;
}

void TensorflowSession::list_devices(Answer& answer) {
  TfDeviceList* list = api_.session_list_devices(session_, status_);
  if (failed()) {
    answer = failure();
    return;
  }
  for (int i = 0; i < api_.device_list_count(list); ++i) {
    WorkerDevice device;
    device.name = api_.device_list_name(list, i, status_);
    device.memory = api_.device_list_memory_bytes(list, i, status_);
    answer.devices.push_back(std::move(device));
  }
  api_.delete_device_list(list);
}

Answer TensorflowSession::end() {
  api_.close_session(session_, status_);
  return failed() ? failure() : Answer();
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
  std::string run_options;
  if (request.trace) io::append_varint_field(run_options, kTraceLevel, kFullTrace);
  if (run_limit_ms_ > 0) {
    io::append_varint_field(run_options, kTimeoutInMs, static_cast<std::uint64_t>(run_limit_ms_));
  }
  TfBuffer* options = run_options.empty()
                          ? nullptr
                          : api_.new_buffer_from_string(run_options.data(), run_options.size());
  TfBuffer* metadata = request.trace ? api_.new_buffer() : nullptr;
  api_.session_run(session_, options, inputs.data(), fed.data(), static_cast<int>(inputs.size()),
                   outputs.data(), fetched.data(), static_cast<int>(outputs.size()), targets.data(),
                   static_cast<int>(targets.size()), metadata, status_);
  if (metadata != nullptr) {
    if (metadata->data != nullptr) {
      answer.run_metadata.assign(static_cast<const char*>(metadata->data), metadata->length);
    }
    api_.delete_buffer(metadata);
  }
  if (options != nullptr) api_.delete_buffer(options);
  if (failed()) return failure();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!fetch(request.fetches[i], fetched[i], answer)) return answer;
  }
  return answer;
}

// Grows with what arrives, not with what is announced.
constexpr std::size_t kReadBytes = std::size_t{1} << 20U;

bool read_exactly(std::string& out, std::uint64_t count) {
  out.clear();
  while (out.size() < count) {
    const std::size_t before = out.size();
    const std::size_t piece = std::min<std::uint64_t>(count - before, kReadBytes);
    out.resize(before + piece);
    const ssize_t got = ::read(kWorkerSocket, out.data() + before, piece);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    out.resize(before + static_cast<std::size_t>(got < 0 ? 0 : got));
  }
  return true;
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::send(kWorkerSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0 && errno != EINTR) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put < 0 ? 0 : put));
  }
  return true;
}

Answer worker_error(std::string message) {
  Answer answer;
  answer.code = Answer::kWorkerError;
  answer.message = std::move(message);
  return answer;
}

bool limit_memory(std::optional<Bytes> limit) {
  if (!limit) return true;
  const auto bytes = static_cast<rlim_t>(*limit);
  const rlimit both{bytes, bytes};
  return ::setrlimit(RLIMIT_AS, &both) == 0;
}

// A task of a cluster. TensorFlow's object is never freed, as those of a session.
Answer start_server(const TensorflowApi& api, const ServeRequest& request) {
  TfStatus* status = api.new_status();
  TfServer* server = api.new_server(request.server.data(), request.server.size(), status);
  if (api.get_code(status) == 0) api.server_start(server, status);
  if (api.get_code(status) != 0) return error(api.get_code(status), api.message(status));
  // Nobody who is not meant may reach it. Seldom: where a program was linked otherwise.
  if (const std::string wrong = listens_elsewhere(request.port, request.bind); !wrong.empty()) {
    return worker_error(wrong);
  }
  Answer answer;
  answer.version = api.version();
  return answer;
}

class Server {
 public:
  Answer answer(MessageKind kind, std::string_view content) {
    try {
      if (kind == MessageKind::kLoad) return load(content);
      if (kind == MessageKind::kServe) return serve(content);
      if (kind == MessageKind::kRun && session_) return run(content);
      if (kind == MessageKind::kEnd && session_) return session_->end();
      return worker_error("a request out of order");
    } catch (const std::bad_alloc&) {
      return worker_error("out of memory");
    } catch (const std::exception& error) {
      return worker_error(error.what());
    }
  }

 private:
  Answer load(std::string_view content) {
    auto request = decode_load(content);
    if (!request) return worker_error(request.error().message);
    if (session_) return worker_error("a second graph");
    if (!limit_memory(request->memory_limit)) return worker_error("cannot limit the memory");
    // Before there are other threads, which would not be denied it. An old kernel cannot deny it.
    if (!request->may_write && request->target.empty()) static_cast<void>(deny_writing());
    auto api = load_tensorflow(request->library);
    if (!api) return worker_error(api.error().message);
    api_ = *api;
    session_.emplace(api_);
    Answer answer = session_->load(*request);
    if (answer.code != 0) session_.reset();  // the caller may ask with another graph
    return answer;
  }

  Answer serve(std::string_view content) {
    auto request = decode_serve(content);
    if (!request) return worker_error(request.error().message);
    if (!limit_memory(request->memory_limit)) return worker_error("cannot limit the memory");
    if (!listen_on(request->bind)) return worker_error("no address to listen on");
    static_cast<void>(unique_request_id());  // which makes the program have it
    auto api = load_tensorflow(request->library);
    if (!api) return worker_error(api.error().message);
    return start_server(*api, *request);
  }

  Answer run(std::string_view content) {
    auto request = decode_run(content);
    if (!request) return worker_error(request.error().message);
    return session_->run(*request);
  }

  TensorflowApi api_{};
  std::optional<TensorflowSession> session_;
};

// The worker must not outlive its parent, and a crash must not leave a core file.
bool tie_to_parent(long parent) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return ::getppid() == parent;  // not so when it died before the call
}

int serve() {
  Server server;
  std::string content;
  while (read_exactly(content, kFrameHeadBytes)) {
    const auto head = read_frame_head(content);
    if (!head || !read_exactly(content, head->content_bytes)) return 1;
    const Answer answer = server.answer(head->kind, content);
    if (!write_all(frame(MessageKind::kAnswer, encode(answer)))) return 1;
  }
  return 0;
}

// What ties this process to its parent and what it is denied stays as it is. Returns on failure.
int become_python(char* python) {
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);  // the devices that count are in the request
  static_cast<void>(deny_writing());
  std::string script(kOptimizeText);
  std::string no_caches = "-B";
  std::string is_text = "-c";
  const std::array<char*, 5> words = {python, no_caches.data(), is_text.data(), script.data(),
                                      nullptr};
  ::execvp(python, words.data());
  return 1;
}

}  // namespace

std::optional<int> serve_if_asked(int argc, char** argv) {
  if (argc < 3 || argc > 4 || std::string_view(argv[1]) != kWorkerArgument) return std::nullopt;
  if (!tie_to_parent(std::strtol(argv[2], nullptr, 10))) return 1;
  // Read by TensorFlow when it is loaded. oneDNN changes the order of sums and, under a memory
  // limit, was seen to hang where the plain allocator fails at once.
  ::setenv("TF_ENABLE_ONEDNN_OPTS", "0", 1);
  ::setenv("TF_CPP_MIN_LOG_LEVEL", "2", 1);
  const int code = argc == 4 ? become_python(argv[3]) : serve();
  std::_Exit(code);  // destructors of TensorFlow only cost time
}

}  // namespace tideline::runtime
