// Encodes the contents of a log that TensorBoard's pages show.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/events/event_writer.h"
#include "core/graph/dtype.h"

namespace tideline::events {

/// A row of a histogram: how often a whole number occurs.
struct NumberCount {
  std::int64_t number = 0;
  std::int64_t count = 0;
};

/// A hyperparameter of a run.
struct Hparam {
  std::string name;
  std::variant<bool, double, std::string> value;
};

// Each returns an encoded event, to be framed as a record. Thread: pure.

/// A point of a curve. It is stored as a float, as TensorBoard stores it.
[[nodiscard]] std::string scalar_event(const EventTime& time, std::string_view tag, double value);
/// `counts` in the order of their numbers; each number has a bucket of width 1 around it.
[[nodiscard]] std::string histogram_event(const EventTime& time, std::string_view tag,
                                          std::span<const NumberCount> counts);
/// `png`: the bytes of a file.
[[nodiscard]] std::string image_event(const EventTime& time, std::string_view tag, int width,
                                      int height, std::string_view png);
/// `markdown` is shown on the Text page.
[[nodiscard]] std::string text_event(const EventTime& time, std::string_view tag,
                                     std::string_view markdown);
/// Begins the session of a run on the HParams page. The scalars of the run are its metrics.
[[nodiscard]] std::string hparams_start_event(const EventTime& time,
                                              std::span<const Hparam> hparams);
/// Ends it successfully.
[[nodiscard]] std::string hparams_end_event(const EventTime& time);
/// `run_metadata`: an encoded RunMetadata.
[[nodiscard]] std::string run_metadata_event(const EventTime& time, std::string_view tag,
                                             std::string_view run_metadata);

/// A tensor that an execution made.
struct WrittenOutput {
  DataType type = DataType::kInvalid;
  bool has_shape = false;
  std::vector<std::int64_t> dims;
  std::int64_t bytes = 0;
};
/// An execution of an op.
struct WrittenExecution {
  std::string_view op;
  std::string label;  ///< "conv1/Relu = Relu(conv1/add)"
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t bytes = 0;  ///< that it allocated
  std::string_view allocator;
  std::vector<WrittenOutput> outputs;  ///< by slot
};
/// The executions of a device, appended one by one.
class DeviceStatsWriter {
 public:
  explicit DeviceStatsWriter(std::string_view device);
  void add(const WrittenExecution& execution);
  /// The field of a RunMetadata's StepStats.
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};
/// A RunMetadata with these devices. Source: TensorFlow's step_stats.proto.
[[nodiscard]] std::string run_metadata_of(std::span<const DeviceStatsWriter> devices);

}  // namespace tideline::events
