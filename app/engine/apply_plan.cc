// Tested by the golden cases plan_files and chain.
#include "app/engine/apply_plan.h"

#include <optional>

#include "core/base/source_bytes.h"
#include "core/graph/graph_edit.h"
#include "core/io/declared.h"
#include "core/io/digest.h"
#include "core/io/functions.h"
#include "core/io/write_document.h"
#include "core/rewrite/plan/plan_json_reader.h"

namespace tideline::app {

namespace {

Result<PlanFile> read_plan_file(const std::string& path) {
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(path, Pipes::kRead));
  return PlanFile::parse(path, bytes->bytes());
}

Result<Graph> apply_plans(const PlanFile& file, const io::Document& document,
                          const std::string& path, Progress& progress) {
  std::string digest = io::sha256_hex(document.graph_bytes);
  const auto declared = io::declared_signatures(document);
  Graph made;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Graph& graph = i == 0 ? document.graph : made;
    TIDELINE_RETURN_IF_ERROR(file.check_graph(i, digest, document.function, document.path));
    TIDELINE_TRY(const GraphPlan plan, file.read(i, graph));
    auto changed = apply(graph, plan, declared.get());
    if (!changed) return tl::unexpected(with_context(std::move(changed).error(), path));
    made = *std::move(changed);
    if (i + 1 == file.size()) break;
    TIDELINE_TRY(const io::Document link, reopened(document, made, progress));
    digest = io::sha256_hex(link.graph_bytes);
  }
  return made;
}

}  // namespace

Result<AppliedPlan> apply_plan_file(const io::Document& document, const std::string& path,
                                    Progress& progress) {
  TIDELINE_TRY(const PlanFile file, read_plan_file(path));
  AppliedPlan applied;
  TIDELINE_TRY(applied.graph, apply_plans(file, document, path, progress));
  // The sets of the reference are no cycle, and no reason not to apply what else is there.
  applied.cycle = file.cycle().value_or(std::nullopt);
  return applied;
}

Result<PlannedDocument> open_planned(const io::Document& document, const std::string& path,
                                     Progress& progress) {
  TIDELINE_TRY(const PlanFile file, read_plan_file(path));
  PlannedDocument planned;
  TIDELINE_TRY(planned.cycle, file.cycle());
  if (file.written_digest() == io::sha256_hex(document.graph_bytes)) return planned;
  TIDELINE_TRY(const Graph changed, apply_plans(file, document, path, progress));
  TIDELINE_TRY(planned.document, reopened(document, changed, progress));
  return planned;
}

Result<WrittenGraph> written_graph(const io::Document& document, const Graph& graph,
                                   Progress& progress) {
  std::string written;
  TIDELINE_RETURN_IF_ERROR(
      io::write_graph_message(document, graph, io::append_to(written), progress));
  return WrittenGraph{graph.op_count(), io::sha256_hex(written)};
}

Result<io::Document> reopened(const io::Document& document, const Graph& graph,
                              Progress& progress) {
  const io::OutputFormat format{document.format == io::Format::kGraph ? io::Format::kGraph
                                                                      : io::Format::kMetaGraph};
  std::string written;
  TIDELINE_RETURN_IF_ERROR(
      io::write_document(document, graph, format, io::append_to(written), progress));
  TIDELINE_TRY(
      io::Document opened,
      io::read_document(document.path, own_bytes(std::move(written), document.source->readers()),
                        progress));
  if (document.function.empty()) return opened;
  return io::open_function(opened, document.function);
}

}  // namespace tideline::app
