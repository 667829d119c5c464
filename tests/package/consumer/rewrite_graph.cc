// Rewrites a graph so that a step fits a budget: the library as the command line uses it.
//
//   rewrite_graph GRAPH BATCH_SIZE BUDGET_MIB OUT
#include <cstdio>
#include <cstdlib>

#include "core/graph/graph_edit.h"
#include "core/io/document.h"
#include "core/io/functions.h"
#include "core/io/graph_format.h"
#include "core/io/write_document.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/predict.h"

namespace {

tideline::Status rewrite(char** arguments) {
  tideline::Progress progress;
  TIDELINE_TRY(const tideline::io::Document document,
               tideline::io::read_document(arguments[1], progress));
  tideline::Diagnostics unreadable;
  const tideline::FunctionLibrary functions = tideline::io::read_functions(document, unreadable);
  tideline::TensorOptions sizes;
  sizes.batch_size = std::atoi(arguments[2]);
  sizes.functions = &functions;

  tideline::Policy policy;
  policy.rewriter = "lms2";
  for (const char* searched : {"swapout-threshold", "swapin-ahead", "swapin-groupby"}) {
    set_value(policy, searched, std::int64_t{-1});
  }
  policy.budget = tideline::MemoryBudget{tideline::Bytes{std::atoi(arguments[3])} << 20};
  TIDELINE_TRY(const tideline::Outcome made,
               make_plan(document.graph, document.collections, sizes, policy,
                         /*explain=*/false, progress));

  TIDELINE_TRY(const tideline::PlanPrediction predicted,
               predict(document.graph, document.collections, sizes,
                       step_options(policy, {}, &functions), made.plan));
  std::printf("%s\n", prediction_text(predicted).c_str());
  for (const tideline::Warning& warning : made.plan.warnings) {
    std::printf("warning: %s\n", warning_text(warning, tideline::Naming::kOption).c_str());
  }

  TIDELINE_TRY(const tideline::Graph rewritten, apply(document.graph, made.plan));
  TIDELINE_TRY(const tideline::io::OutputFormat format,
               tideline::io::output_format_of(arguments[4], document));
  TIDELINE_TRY(tideline::OutputFile out,
               tideline::OutputFile::create(arguments[4], /*replace=*/false));
  TIDELINE_RETURN_IF_ERROR(
      tideline::io::write_document(document, rewritten, format, out, progress));
  return out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const tideline::Status done = rewrite(argv);
  if (done) return 0;
  std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return 1;
}
