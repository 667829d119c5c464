// A traced step written as text, measured and compared with the model.
#pragma once

#include <catch2/catch.hpp>
#include <string_view>

#include "core/io/document.h"
#include "core/memory/measured/compare_measured.h"
#include "core/memory/measured/measured_run.h"
#include "tests/support/trace_text.h"

namespace tideline::test {

/// Fails the test when the step cannot be measured.
inline MeasuredRun compared_run(const io::Document& document, std::string_view trace) {
  auto measured = measure_run(document.graph, read_trace(trace), {});
  REQUIRE(measured);
  const auto tensors = TensorTable::build(
      document.graph, {.model = SizeModel::kFaithful, .measured = &measured->sizes});
  REQUIRE(tensors);
  const auto step = build_step_graph(document.graph, *tensors, document.collections, {});
  REQUIRE(step);
  compare(document.graph, *step, nullptr, complete_levels(document.graph), *measured);
  return *std::move(measured);
}

}  // namespace tideline::test
