// A library that looks like TensorFlow from outside and does what the names of ops say, so that
// crashes, hangs and limits can be tested where there is no TensorFlow.
//
// Every op exists unless its name has "missing" in it, and has one output. Fetching "echo" gives
// the first feed, "text" a string, any other op a float: 1 at the first run of the session, 2 at
// the second. Targets act: see act() below. A graph of the bytes "broken" cannot be imported, nor
// one in which an op of type RefusedShapes, which must be called "refused", records shapes.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#define FAKE_API extern "C" __attribute__((visibility("default")))

struct TF_Status {
  int code = 0;
  std::string message;
};
struct TF_Buffer {
  const void* data;
  std::size_t length;
  void (*deallocator)(void*, std::size_t);
};
struct TF_Operation {
  std::string name;
};
struct TF_Graph {
  bool differs = false;
  std::vector<TF_Operation*> operations;
};
struct TF_Session {
  bool differs = false;
  int runs = 0;
};
struct TF_Tensor {
  int type = 1;
  std::vector<std::int64_t> dims;
  std::string bytes;
};
struct TF_Output {
  TF_Operation* operation;
  int index;
};
struct TF_SessionOptions {};
struct TF_DeviceList {};
struct TF_Server {};
struct TF_ImportGraphDefOptions {};

namespace {

constexpr int kInvalidArgument = 3;
constexpr int kNotFound = 5;
constexpr int kResourceExhausted = 8;
constexpr int kFailedPrecondition = 9;
constexpr int kString = 7;

void set(TF_Status* status, int code, const char* message) {
  status->code = code;
  status->message = message;
}

void allocate_for_ever() {
  std::vector<std::string> blocks;
  while (true) blocks.emplace_back(std::size_t{1} << 24U, 'x');
}

// What a target does.
void act(const std::string& name, TF_Status* status) {
  if (name == "abort") {
    std::fprintf(stderr, "the last words\nof a library\n");
    std::abort();
  }
  if (name == "segfault") std::raise(SIGSEGV);
  if (name == "exit") std::_Exit(41);
  if (name == "orphan") {
    // The child has the worker's socket and its output, and waits.
    if (::fork() == 0) {
      while (true) ::pause();
    }
    std::_Exit(41);
  }
  if (name == "hang") {
    // Whoever waits for that moment names a file that appears then.
    const char* mark = std::getenv("FAKE_TENSORFLOW_HANGS");
    if (FILE* file = mark == nullptr ? nullptr : std::fopen(mark, "w")) std::fclose(file);
    while (true) ::pause();
  }
  if (name == "spin") {
    while (true) ::getppid();
  }
  if (name == "allocate") allocate_for_ever();
  if (name == "allocate and catch") {
    try {
      allocate_for_ever();
    } catch (const std::bad_alloc&) {
      set(status, kResourceExhausted, "no memory left");
    }
  }
  if (name == "chatter") {
    for (int i = 0; i < 100000; ++i) std::printf("line %d of very many\n", i);
    std::fflush(stdout);
  }
  if (name == "close the socket") ::close(3);
  if (name.starts_with("write ")) {
    FILE* file = std::fopen(name.c_str() + 6, "w");
    if (file == nullptr) set(status, kFailedPrecondition, "cannot write");
    if (file != nullptr) std::fclose(file);
  }
  if (name == "refuse") set(status, kInvalidArgument, "it is\n  not to be\n\t [[{{node x}}]]");
  if (name == "uninitialised") set(status, kFailedPrecondition, "w has no value");
}

}  // namespace

FAKE_API const char* TF_Version() {
  return "0.0.0-fake";
}

FAKE_API TF_Status* TF_NewStatus() {
  return new TF_Status;
}
FAKE_API void TF_DeleteStatus(TF_Status* status) {
  delete status;
}
FAKE_API int TF_GetCode(const TF_Status* status) {
  return status->code;
}
FAKE_API const char* TF_Message(const TF_Status* status) {
  return status->message.c_str();
}

FAKE_API TF_Buffer* TF_NewBuffer() {
  return new TF_Buffer{nullptr, 0, nullptr};
}
FAKE_API TF_Buffer* TF_NewBufferFromString(const void* data, std::size_t length) {
  return new TF_Buffer{data, length, nullptr};
}
FAKE_API void TF_DeleteBuffer(TF_Buffer* buffer) {
  delete buffer;
}

// One whose name has "missing" in it is not there.
FAKE_API void* TF_LoadLibrary(const char* path, TF_Status* status) {
  if (std::strstr(path, "missing") != nullptr) set(status, kNotFound, "cannot open it");
  return nullptr;
}

FAKE_API TF_Graph* TF_NewGraph() {
  return new TF_Graph;
}
FAKE_API void TF_DeleteGraph(TF_Graph* graph) {
  delete graph;
}
FAKE_API TF_ImportGraphDefOptions* TF_NewImportGraphDefOptions() {
  return new TF_ImportGraphDefOptions;
}
FAKE_API void TF_DeleteImportGraphDefOptions(TF_ImportGraphDefOptions* options) {
  delete options;
}
FAKE_API void TF_GraphImportGraphDef(TF_Graph* graph, const TF_Buffer* bytes,
                                     const TF_ImportGraphDefOptions*, TF_Status* status) {
  const std::string text(static_cast<const char*>(bytes->data), bytes->length);
  graph->differs = text.find("differs") != std::string::npos;
  set(status, text == "broken" ? kInvalidArgument : 0, text == "broken" ? "no graph" : "");
  const std::size_t type = text.find("RefusedShapes");
  if (type != std::string::npos && text.find("_output_shapes", type) != std::string::npos) {
    set(status, kInvalidArgument,
        "Node 'refused' has an _output_shapes attribute inconsistent with the GraphDef for output "
        "#3: Dimension 0 in both shapes must be equal, but are 0 and 8.");
  }
}
FAKE_API TF_Operation* TF_GraphOperationByName(TF_Graph* graph, const char* name) {
  if (std::strstr(name, "missing") != nullptr) return nullptr;
  graph->operations.push_back(new TF_Operation{name});
  return graph->operations.back();
}
FAKE_API int TF_OperationNumOutputs(TF_Operation*) {
  return 1;
}

FAKE_API TF_SessionOptions* TF_NewSessionOptions() {
  return new TF_SessionOptions;
}
FAKE_API void TF_DeleteSessionOptions(TF_SessionOptions* options) {
  delete options;
}
FAKE_API void TF_SetConfig(TF_SessionOptions*, const void*, std::size_t, TF_Status* status) {
  set(status, 0, "");
}
FAKE_API TF_Session* TF_NewSession(TF_Graph* graph, const TF_SessionOptions*, TF_Status* status) {
  set(status, 0, "");
  return new TF_Session{graph->differs};
}
FAKE_API void TF_SetTarget(TF_SessionOptions*, const char*) {}
FAKE_API void TF_CloseSession(TF_Session*, TF_Status* status) {
  set(status, 0, "");
  // Whoever waits for that names a file that appears then.
  const char* mark = std::getenv("FAKE_TENSORFLOW_CLOSES");
  if (FILE* file = mark == nullptr ? nullptr : std::fopen(mark, "w")) std::fclose(file);
}
// One device.
FAKE_API TF_DeviceList* TF_SessionListDevices(TF_Session*, TF_Status* status) {
  set(status, 0, "");
  return nullptr;
}
FAKE_API void TF_DeleteDeviceList(TF_DeviceList*) {}
FAKE_API int TF_DeviceListCount(const TF_DeviceList*) {
  return 1;
}
FAKE_API const char* TF_DeviceListName(const TF_DeviceList*, int, TF_Status*) {
  return "/job:worker/replica:0/task:0/device:CPU:0";
}
FAKE_API std::int64_t TF_DeviceListMemoryBytes(const TF_DeviceList*, int, TF_Status*) {
  return 1 << 20;
}
// Listens on all addresses, on a port that the environment names. A definition with "no" in it is
// refused.
FAKE_API TF_Server* TF_NewServer(const void* definition, std::size_t size, TF_Status* status) {
  const std::string text(static_cast<const char*>(definition), size);
  set(status, text.find("no") != std::string::npos ? kInvalidArgument : 0, "no server");
  return nullptr;
}
FAKE_API void TF_ServerStart(TF_Server*, TF_Status* status) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  const char* port = std::getenv("FAKE_TENSORFLOW_PORT");
  address.sin_port = htons(static_cast<std::uint16_t>(port == nullptr ? 0 : std::atoi(port)));
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket, 1) != 0) {
    set(status, kFailedPrecondition, "cannot listen");
  }
}
FAKE_API void TF_DeleteSession(TF_Session* session, TF_Status*) {
  delete session;
}

FAKE_API TF_Tensor* TF_AllocateTensor(int type, const std::int64_t* dims, int count,
                                      std::size_t size) {
  return new TF_Tensor{type, {dims, dims + count}, std::string(size, '\0')};
}
FAKE_API void TF_DeleteTensor(TF_Tensor* tensor) {
  delete tensor;
}
FAKE_API int TF_TensorType(const TF_Tensor* tensor) {
  return tensor->type;
}
FAKE_API int TF_NumDims(const TF_Tensor* tensor) {
  return static_cast<int>(tensor->dims.size());
}
FAKE_API std::int64_t TF_Dim(const TF_Tensor* tensor, int index) {
  return tensor->dims[static_cast<std::size_t>(index)];
}
FAKE_API std::size_t TF_TensorByteSize(const TF_Tensor* tensor) {
  return tensor->bytes.size();
}
FAKE_API void* TF_TensorData(const TF_Tensor* tensor) {
  return const_cast<char*>(tensor->bytes.data());
}

FAKE_API void TF_SessionRun(TF_Session* session, const TF_Buffer* options, const TF_Output*,
                            TF_Tensor* const* inputs, int input_count, const TF_Output* outputs,
                            TF_Tensor** values, int output_count,
                            const TF_Operation* const* targets, int target_count,
                            TF_Buffer* metadata, TF_Status* status) {
  static const char kMetadata[] = "a trace";
  set(status, 0, "");
  ++session->runs;
  const float count =
      static_cast<float>(session->runs) + (session->differs && session->runs > 2 ? 0.5F : 0.0F);
  for (int i = 0; i < target_count; ++i) act(targets[i]->name, status);
  if (status->code != 0) return;
  for (int i = 0; i < output_count; ++i) {
    const std::string& name = outputs[i].operation->name;
    values[i] = new TF_Tensor;
    if (name == "echo" && input_count > 0) {
      *values[i] = *inputs[0];
    } else if (name == "text") {
      values[i]->type = kString;
      values[i]->bytes.assign(24, '\0');
    } else {
      values[i]->bytes.assign(reinterpret_cast<const char*>(&count), sizeof count);
    }
  }
  if (options != nullptr && metadata != nullptr) {
    metadata->data = kMetadata;
    metadata->length = sizeof kMetadata - 1;
  }
}
