#include "app/cli/applied_plan.h"

#include "core/base/mapped_file.h"
#include "core/io/digest.h"
#include "core/io/functions.h"
#include "core/io/write_document.h"
#include "core/rewrite/plan_json_reader.h"

namespace tideline::cli {

Result<io::Document> apply_plan_file(const io::Document& document, const std::string& path,
                                     Progress& progress) {
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(path));
  TIDELINE_TRY(const ReadPlan read, read_plan(path, bytes->bytes(), document.graph));
  if (read.function != document.function || read.digest != io::sha256_hex(document.graph_bytes)) {
    return fail(Code::kInvalidArgument, "{}: is a plan for another graph than {}", path,
                document.path);
  }
  auto rewritten = apply(document.graph, read.plan);
  if (!rewritten) return tl::unexpected(with_context(std::move(rewritten).error(), path));
  // A SavedModel may hold other graphs; the one that is meant is written alone.
  const io::OutputFormat format{
      document.format == io::Format::kGraph ? io::Format::kGraph : io::Format::kMetaGraph,
      io::Encoding::kBinary, false};
  std::string written;
  TIDELINE_RETURN_IF_ERROR(io::write_document(
      document, *rewritten, format,
      [&written](std::string_view piece) -> Status {
        written += piece;
        return {};
      },
      progress));
  TIDELINE_TRY(io::Document opened,
               io::read_document(document.path, own_bytes(std::move(written)), progress));
  if (document.function.empty()) return opened;
  return io::open_function(opened, document.function);
}

}  // namespace tideline::cli
