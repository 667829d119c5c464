#include "core/runtime/session_config.h"

#include <cstdint>

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::runtime {
namespace {

// Field numbers of TensorFlow's public format.
namespace config_proto {
constexpr std::uint32_t kDeviceCount = 1, kIntraOpThreads = 2, kInterOpThreads = 5,
                        kSoftPlacement = 7, kGraphOptions = 10;
}
namespace graph_options {
constexpr std::uint32_t kOptimizerOptions = 3, kRewriteOptions = 10;
}
namespace optimizer_options {
constexpr std::uint32_t kLevel = 3;
constexpr std::int64_t kNone = -1;
}  // namespace optimizer_options
namespace rewriter_config {
constexpr std::uint32_t kMemoryOptimization = 4, kDisableMetaOptimizer = 19;
constexpr std::uint64_t kNoMemoryOptimization = 1;
}  // namespace rewriter_config

}  // namespace

std::string session_config(std::int32_t cpu_devices) {
  std::string optimizer;
  io::append_varint_field(optimizer, optimizer_options::kLevel,
                          static_cast<std::uint64_t>(optimizer_options::kNone));
  std::string rewriter;
  io::append_varint_field(rewriter, rewriter_config::kMemoryOptimization,
                          rewriter_config::kNoMemoryOptimization);
  io::append_varint_field(rewriter, rewriter_config::kDisableMetaOptimizer, 1);
  std::string graph;
  io::append_bytes(graph, graph_options::kOptimizerOptions, optimizer);
  io::append_bytes(graph, graph_options::kRewriteOptions, rewriter);
  std::string config;
  if (cpu_devices > 1) {
    std::string entry;
    io::append_bytes(entry, io::map_entry::kKey, "CPU");
    io::append_varint_field(entry, io::map_entry::kValue, static_cast<std::uint64_t>(cpu_devices));
    io::append_bytes(config, config_proto::kDeviceCount, entry);
  }
  io::append_varint_field(config, config_proto::kIntraOpThreads, 1);
  io::append_varint_field(config, config_proto::kInterOpThreads, 1);
  io::append_varint_field(config, config_proto::kSoftPlacement, 1);
  io::append_bytes(config, config_proto::kGraphOptions, graph);
  return config;
}

}  // namespace tideline::runtime
