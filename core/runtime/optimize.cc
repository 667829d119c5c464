// Tested by integration/optimize_test.py, and what happens without TensorFlow by the golden case
// optimize.
#include "core/runtime/optimize.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/io/write_document.h"
#include "core/runtime/spawn.h"
#include "core/runtime/worker.h"

namespace tideline::runtime {
namespace {

constexpr std::size_t kLongestMessage = 2000;
// TensorFlow counts a multiprocessor as 64 cores with a multiplication and an addition each.
constexpr double kFlopsOfMultiprocessor = 64 * 2 * 1e9;
constexpr VirtualGpu kV100{Bytes{16} << 30U, 900e9, 15.7e12};

std::string gpu_line(const VirtualGpu& gpu) {
  const auto known = [](auto figure, auto otherwise) { return figure > 0 ? figure : otherwise; };
  const double flops = known(gpu.flops_per_s, kV100.flops_per_s);
  return fmt::format(
      "{} {:.0f} {}\n", known(gpu.memory, kV100.memory),
      known(gpu.memory_bytes_per_s, kV100.memory_bytes_per_s) / 1e3,
      std::max<std::int64_t>(1, static_cast<std::int64_t>(flops / kFlopsOfMultiprocessor)));
}

Result<Answer> ask(const io::Document& document, const OptimizeRequest& request,
                   const std::string& python, Progress& progress) {
  std::string message;
  TIDELINE_RETURN_IF_ERROR(io::write_document(document, document.graph, {request.format},
                                              io::append_to(message), progress));
  std::string gpus;
  for (const VirtualGpu& gpu : request.gpus) gpus += gpu_line(gpu);
  WorkerOptions options;
  options.python = python;
  TIDELINE_TRY(Worker worker, Worker::start(options));
  if (!progress.report("optimizing by TensorFlow", 0, 0)) return cancelled();
  TIDELINE_TRY(Answer answer, worker.optimize({request.format == io::Format::kMetaGraph, message,
                                               request.fetches, std::move(gpus)},
                                              progress));
  if (answer.code == 0) return answer;
  const std::string said = one_line(worker.last_words(), kLongestMessage / 4);
  return fail(Code::kInvalidArgument, "TensorFlow cannot optimize it: {}{}{}",
              one_line(answer.message, kLongestMessage),
              said.empty() ? "" : "; its last output: ", said);
}

}  // namespace

Result<Optimized> optimize(const io::Document& document, const OptimizeRequest& request,
                           const std::string& python, Progress& progress) {
  if (!document.function.empty()) {
    return fail(Code::kUnsupported,
                "the function {} is no graph of its own; expected what 'convert --function' writes "
                "of it",
                printable(document.function));
  }
  TIDELINE_TRY(Answer answer, ask(document, request, python, progress));
  // What is made of a file is no more open than the file.
  TIDELINE_TRY(
      io::Document made,
      io::read_document(document.path,
                        own_bytes(std::move(answer.graph), document.source->readers()), progress));
  return Optimized{std::move(made), std::move(answer.version), std::move(answer.message)};
}

}  // namespace tideline::runtime
