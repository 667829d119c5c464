#include "core/runtime/session_config.h"

#include <cstdint>

#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::runtime {
namespace {

// Field numbers of TensorFlow's public format.
namespace config_proto {
constexpr std::uint32_t kDeviceCount = 1, kIntraOpThreads = 2, kDeviceFilters = 4,
                        kInterOpThreads = 5, kSoftPlacement = 7, kGraphOptions = 10,
                        kOperationTimeout = 11, kIsolateSessionState = 15;
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

std::string session_config(const SessionOptions& options) {
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
  if (options.cpu_devices > 1) {
    std::string entry;
    io::append_bytes(entry, io::map_entry::kKey, "CPU");
    io::append_varint_field(entry, io::map_entry::kValue,
                            static_cast<std::uint64_t>(options.cpu_devices));
    io::append_bytes(config, config_proto::kDeviceCount, entry);
  }
  const auto threads = static_cast<std::uint64_t>(options.threads);
  io::append_varint_field(config, config_proto::kIntraOpThreads, threads);
  for (const std::string& task : options.tasks) {
    io::append_bytes(config, config_proto::kDeviceFilters, task);
  }
  io::append_varint_field(config, config_proto::kInterOpThreads, threads);
  io::append_varint_field(config, config_proto::kSoftPlacement, 1);
  io::append_bytes(config, config_proto::kGraphOptions, graph);
  if (options.time_limit_ms > 0) {
    io::append_varint_field(config, config_proto::kOperationTimeout,
                            static_cast<std::uint64_t>(options.time_limit_ms));
  }
  if (options.is_isolated) {
    io::append_varint_field(config, config_proto::kIsolateSessionState, 1);
  }
  return config;
}

}  // namespace tideline::runtime
