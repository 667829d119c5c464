#include "core/runtime/messages.h"

#include "core/base/bytes.h"
#include "core/io/wire.h"

namespace tideline::runtime {
namespace {

using io::append_bytes;
using io::append_varint_field;
using io::Field;
using io::FieldReader;

// More than the address space of any machine used for training.
constexpr std::uint64_t kMostFrameBytes = std::uint64_t{1} << 46U;

namespace name_field {
constexpr std::uint32_t kOp = 1, kSlot = 2;
}
namespace value_field {
constexpr std::uint32_t kType = 1, kDim = 2, kContent = 3;
}
namespace load_field {
constexpr std::uint32_t kLibrary = 1, kGraph = 2, kConfig = 3, kMemoryLimit = 4, kOpLibrary = 5,
                        kIsConfined = 6, kTarget = 7, kRunLimit = 8;
}
namespace run_field {
constexpr std::uint32_t kFeed = 1, kFetch = 2, kTarget = 3, kTrace = 4;
constexpr std::uint32_t kName = 1, kValue = 2;  // in a feed
}  // namespace run_field
namespace serve_field {
constexpr std::uint32_t kLibrary = 1, kServer = 2, kBind = 3, kPort = 4, kMemoryLimit = 5;
}
namespace device_field {
constexpr std::uint32_t kName = 1, kMemory = 2;
}
namespace answer_field {
constexpr std::uint32_t kCode = 1, kMessage = 2, kVersion = 3, kValue = 4, kRunMetadata = 5,
                        kGraph = 6, kDevice = 7;
}

tl::unexpected<Error> broken(const char* what) {
  return fail(Code::kCorrupt, "a message of the worker is broken ({})", what);
}

std::string encode_name(const TensorName& name) {
  std::string out;
  append_bytes(out, name_field::kOp, name.op);
  append_varint_field(out, name_field::kSlot, static_cast<std::uint32_t>(name.slot));
  return out;
}

TensorName decode_name(std::string_view bytes) {
  TensorName name;
  FieldReader reader(bytes);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(name_field::kOp)) name.op = field.bytes;
    if (field.is_varint(name_field::kSlot)) name.slot = static_cast<std::int32_t>(field.varint);
  }
  return name;
}

std::string encode_value(const TensorValue& value) {
  std::string out;
  append_varint_field(out, value_field::kType, static_cast<std::uint32_t>(value.type));
  for (const std::int64_t dim : value.dims) {
    append_varint_field(out, value_field::kDim, static_cast<std::uint64_t>(dim));
  }
  append_bytes(out, value_field::kContent, value.content);
  return out;
}

WorkerDevice decode_device(std::string_view bytes) {
  WorkerDevice device;
  FieldReader reader(bytes);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(device_field::kName)) device.name = field.bytes;
    if (field.is_varint(device_field::kMemory)) device.memory = static_cast<Bytes>(field.varint);
  }
  return device;
}

Result<TensorValue> decode_value(std::string_view bytes) {
  TensorValue value;
  FieldReader reader(bytes);
  for (Field field; reader.next(field);) {
    if (field.is_varint(value_field::kType)) {
      value.type = static_cast<DataType>(field.varint);
    } else if (field.is_varint(value_field::kDim)) {
      value.dims.push_back(static_cast<std::int64_t>(field.varint));
    } else if (field.is_bytes(value_field::kContent)) {
      value.content = field.bytes;
    }
  }
  const auto wanted = tensor_content_bytes(value.type, value.dims);
  if (reader.damaged() || !wanted || static_cast<std::uint64_t>(*wanted) != value.content.size()) {
    return broken("a value");
  }
  return value;
}

}  // namespace

std::string frame(MessageKind kind, std::string_view content) {
  std::string out;
  out.reserve(kFrameHeadBytes + content.size());
  append_little_endian(out, std::uint64_t{content.size()});
  out += static_cast<char>(kind);
  out += content;
  return out;
}

Result<FrameHead> read_frame_head(std::string_view head) {
  FrameHead result;
  if (head.size() < kFrameHeadBytes) return broken("its head");
  result.content_bytes = from_little_endian(head.substr(0, 8));
  result.kind = static_cast<MessageKind>(head[8]);
  if (result.kind < MessageKind::kLoad || result.kind > MessageKind::kEnd ||
      result.content_bytes > kMostFrameBytes) {
    return broken("its head");
  }
  return result;
}

std::string encode(const LoadRequest& request) {
  std::string out;
  append_bytes(out, load_field::kLibrary, request.library);
  append_bytes(out, load_field::kGraph, request.graph);
  append_bytes(out, load_field::kConfig, request.config);
  for (const std::string& path : request.op_libraries) {
    append_bytes(out, load_field::kOpLibrary, path);
  }
  if (request.memory_limit) {
    append_varint_field(out, load_field::kMemoryLimit,
                        static_cast<std::uint64_t>(*request.memory_limit));
  }
  if (!request.may_write) append_varint_field(out, load_field::kIsConfined, 1);
  if (!request.target.empty()) append_bytes(out, load_field::kTarget, request.target);
  if (request.run_limit_ms > 0) {
    append_varint_field(out, load_field::kRunLimit,
                        static_cast<std::uint64_t>(request.run_limit_ms));
  }
  return out;
}

Result<LoadRequest> decode_load(std::string_view content) {
  LoadRequest request;
  FieldReader reader(content);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(load_field::kLibrary)) request.library = field.bytes;
    if (field.is_bytes(load_field::kGraph)) request.graph = field.bytes;
    if (field.is_bytes(load_field::kConfig)) request.config = field.bytes;
    if (field.is_bytes(load_field::kOpLibrary)) request.op_libraries.emplace_back(field.bytes);
    if (field.is_varint(load_field::kMemoryLimit)) {
      request.memory_limit = static_cast<Bytes>(field.varint);
    }
    if (field.is_varint(load_field::kIsConfined)) request.may_write = field.varint == 0;
    if (field.is_bytes(load_field::kTarget)) request.target = field.bytes;
    if (field.is_varint(load_field::kRunLimit)) {
      request.run_limit_ms = static_cast<std::int64_t>(field.varint);
    }
  }
  if (reader.damaged()) return broken("a request to load");
  return request;
}

std::string encode(const RunRequest& request) {
  std::string out;
  for (const auto& [name, value] : request.feeds) {
    std::string feed;
    append_bytes(feed, run_field::kName, encode_name(name));
    append_bytes(feed, run_field::kValue, encode_value(value));
    append_bytes(out, run_field::kFeed, feed);
  }
  for (const TensorName& name : request.fetches) {
    append_bytes(out, run_field::kFetch, encode_name(name));
  }
  for (const std::string& target : request.targets) {
    append_bytes(out, run_field::kTarget, target);
  }
  if (request.trace) append_varint_field(out, run_field::kTrace, 1);
  return out;
}

Result<RunRequest> decode_run(std::string_view content) {
  RunRequest request;
  FieldReader reader(content);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(run_field::kFeed)) {
      std::pair<TensorName, TensorValue> feed;
      FieldReader parts(field.bytes);
      for (Field part; parts.next(part);) {
        if (part.is_bytes(run_field::kName)) feed.first = decode_name(part.bytes);
        if (!part.is_bytes(run_field::kValue)) continue;
        TIDELINE_TRY(feed.second, decode_value(part.bytes));
      }
      request.feeds.push_back(std::move(feed));
    }
    if (field.is_bytes(run_field::kFetch)) request.fetches.push_back(decode_name(field.bytes));
    if (field.is_bytes(run_field::kTarget)) request.targets.emplace_back(field.bytes);
    if (field.is_varint(run_field::kTrace)) request.trace = field.varint != 0;
  }
  if (reader.damaged()) return broken("a request to run");
  return request;
}

std::string encode(const ServeRequest& request) {
  std::string out;
  append_bytes(out, serve_field::kLibrary, request.library);
  append_bytes(out, serve_field::kServer, request.server);
  append_bytes(out, serve_field::kBind, request.bind);
  append_varint_field(out, serve_field::kPort, static_cast<std::uint32_t>(request.port));
  if (request.memory_limit) {
    append_varint_field(out, serve_field::kMemoryLimit,
                        static_cast<std::uint64_t>(*request.memory_limit));
  }
  return out;
}

Result<ServeRequest> decode_serve(std::string_view content) {
  ServeRequest request;
  FieldReader reader(content);
  for (Field field; reader.next(field);) {
    if (field.is_bytes(serve_field::kLibrary)) request.library = field.bytes;
    if (field.is_bytes(serve_field::kServer)) request.server = field.bytes;
    if (field.is_bytes(serve_field::kBind)) request.bind = field.bytes;
    if (field.is_varint(serve_field::kPort)) request.port = static_cast<std::int32_t>(field.varint);
    if (field.is_varint(serve_field::kMemoryLimit)) {
      request.memory_limit = static_cast<Bytes>(field.varint);
    }
  }
  if (reader.damaged()) return broken("a request to serve");
  return request;
}

std::string encode(const GraphToOptimize& request) {
  std::string fetches;
  for (const std::string& fetch : request.fetches) {
    if (!fetches.empty()) fetches += '\n';
    fetches += fetch;
  }
  std::string out;
  out.reserve(request.message.size() + fetches.size() + request.gpus.size() + 64);
  const std::string_view kind = request.is_meta_graph ? "MetaGraphDef" : "GraphDef";
  for (const std::string_view part :
       {kind, request.message, std::string_view(fetches), std::string_view(request.gpus)}) {
    append_little_endian(out, std::uint64_t{part.size()});
    out += part;
  }
  return out;
}

std::string encode(const Answer& answer) {
  std::string out;
  append_varint_field(out, answer_field::kCode, static_cast<std::uint32_t>(answer.code));
  append_bytes(out, answer_field::kMessage, answer.message);
  append_bytes(out, answer_field::kVersion, answer.version);
  for (const TensorValue& value : answer.values) {
    append_bytes(out, answer_field::kValue, encode_value(value));
  }
  append_bytes(out, answer_field::kRunMetadata, answer.run_metadata);
  append_bytes(out, answer_field::kGraph, answer.graph);
  for (const WorkerDevice& device : answer.devices) {
    std::string entry;
    append_bytes(entry, device_field::kName, device.name);
    append_varint_field(entry, device_field::kMemory, static_cast<std::uint64_t>(device.memory));
    append_bytes(out, answer_field::kDevice, entry);
  }
  return out;
}

Result<Answer> decode_answer(std::string_view content) {
  Answer answer;
  FieldReader reader(content);
  for (Field field; reader.next(field);) {
    if (field.is_varint(answer_field::kCode)) answer.code = static_cast<std::int32_t>(field.varint);
    if (field.is_bytes(answer_field::kMessage)) answer.message = field.bytes;
    if (field.is_bytes(answer_field::kVersion)) answer.version = field.bytes;
    if (field.is_bytes(answer_field::kRunMetadata)) answer.run_metadata = field.bytes;
    if (field.is_bytes(answer_field::kGraph)) answer.graph = field.bytes;
    if (field.is_bytes(answer_field::kDevice)) answer.devices.push_back(decode_device(field.bytes));
    if (!field.is_bytes(answer_field::kValue)) continue;
    TIDELINE_TRY(TensorValue value, decode_value(field.bytes));
    answer.values.push_back(std::move(value));
  }
  if (reader.damaged()) return broken("an answer");
  return answer;
}

}  // namespace tideline::runtime
