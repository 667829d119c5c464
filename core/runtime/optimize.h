// TensorFlow's graph optimizer, Grappler, asked for a graph in a worker process that runs Python.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/io/document.h"

namespace tideline::runtime {

/// A GPU that need not exist. Figures that are not known are 0: those of a V100 are taken.
struct VirtualGpu {
  Bytes memory = 0;
  double memory_bytes_per_s = 0;
  double flops_per_s = 0;  ///< of 32-bit floating point
  friend bool operator==(const VirtualGpu&, const VirtualGpu&) = default;
};

struct OptimizeRequest {
  std::vector<std::string> fetches;  ///< names of ops; at least one
  /// Besides a CPU. Ops without a device count as being on the first, as in a session.
  std::vector<VirtualGpu> gpus;
  /// What the answer is: a GraphDef holds what the fetches need; a MetaGraphDef also what its
  /// variables, its saver and its signatures name.
  io::Format format = io::Format::kGraph;
  friend bool operator==(const OptimizeRequest&, const OptimizeRequest&) = default;
};

struct Optimized {
  io::Document document;   ///< with the path of the original
  std::string tensorflow;  ///< the version
  std::string lost;        ///< "cond_context, summaries": collections that name ops that are gone
};

/// What TensorFlow makes of the graph of `document` before its first step. Ops that stay keep their
/// names. `python` is an interpreter with TensorFlow (find_tensorflow_python); it can write nothing
/// where the kernel denies that. Errors: kUnsupported for the body of a function; kInvalidArgument,
/// with TensorFlow's message, for what it refuses; kIo when the process ended; kCancelled; those of
/// write_document and read_document. Cost: about 3 s to load TensorFlow, and about 1 s for 5,000
/// ops. Blocks.
[[nodiscard]] Result<Optimized> optimize(const io::Document& document,
                                         const OptimizeRequest& request, const std::string& python,
                                         Progress& progress);

}  // namespace tideline::runtime
