#include "tests/fuzz/written.h"

namespace tideline::fuzz {

Result<std::string> written(const io::Document& document, const Graph& graph,
                            io::OutputFormat format) {
  std::string bytes;
  Progress progress;
  TIDELINE_RETURN_IF_ERROR(io::write_document(
      document, graph, format,
      [&bytes](std::string_view piece) -> Status {
        bytes += piece;
        return {};
      },
      progress));
  return bytes;
}

}  // namespace tideline::fuzz
