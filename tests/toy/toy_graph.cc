// A format of graphs that no product has: a line for each op, with its name, its type and its
// inputs.
#include "core/base/text.h"
#include "core/io/graph_format.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"
#include "tests/toy/toy_formats.h"

namespace tideline::toy {
namespace {

constexpr std::string_view kHead = "toygraph\n";

std::optional<io::Format> sniff(std::string_view bytes) {
  if (!bytes.starts_with(kHead)) return std::nullopt;
  return io::Format::kGraph;
}

Result<std::string> to_wire(std::string_view bytes, io::Format /*message*/) {
  std::string graph;
  for (const std::string& line : split_list(bytes.substr(kHead.size()), '\n')) {
    const std::vector<std::string> words = split_list(line, ' ');
    if (words.size() < 2) return fail(Code::kCorrupt, "'{}': expected a name and a type", line);
    std::string op;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint32_t field = i == 0   ? io::node_def::kName
                                  : i == 1 ? io::node_def::kOp
                                           : io::node_def::kInput;
      io::append_bytes(op, field, words[i]);
    }
    io::append_bytes(graph, io::graph_def::kNode, op);
  }
  return graph;
}

Status write(const io::Document& /*document*/, const Graph& graph, io::Format /*message*/,
             const io::Sink& out, Progress& /*progress*/) {
  TIDELINE_RETURN_IF_ERROR(out(kHead));
  for (const OpId op : graph.ops()) {
    std::string line;
    io::FieldReader reader(graph.encoded(op));
    for (io::Field field; reader.next(field);) {
      if (!field.is_bytes(field.number) || field.number > io::node_def::kInput) continue;
      line += (line.empty() ? "" : " ") + std::string(field.bytes);
    }
    TIDELINE_RETURN_IF_ERROR(out(line + "\n"));
  }
  return {};
}

}  // namespace

constinit const io::GraphFormat kGraphFormat = {
    .word = "toygraph",
    .names = {{{".toygraph", io::Format::kGraph}}},
    .loss = "A toy graph holds names, types and inputs: everything else is not in the output.",
    .sniff = sniff,
    .to_wire = to_wire,
    .write = write,
};

}  // namespace tideline::toy
