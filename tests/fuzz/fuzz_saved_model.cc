// Fuzz target: SavedModels and functions. What opens is a message for protobuf, too; unedited it is
// written back byte for byte, with a function opened as well; a body can be rewritten, and then
// nothing else in the file has changed; a body stands alone as a graph.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/graph/verify.h"
#include "core/io/compare_surroundings.h"
#include "core/io/functions.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan/diff.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/written.h"

namespace tideline::fuzz {
namespace {

constexpr std::size_t kMaxInput = 1U << 16U;
constexpr std::size_t kMaxFunctions = 6;
constexpr const char* kName = "fuzz.pb";

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  }
  return hash;
}

Lms2Options options_for(std::string_view bytes) {
  const std::uint64_t choice = hash_of(bytes);
  Lms2Options options;
  options.swapout_threshold = 1 + static_cast<std::int32_t>(choice & 3U);
  options.swapin_ahead = 1 + static_cast<std::int32_t>(choice >> 2U & 3U);
  options.swapin_groupby = static_cast<std::int32_t>(choice >> 4U & 3U);
  options.sync_mode = static_cast<std::int32_t>(choice >> 6U & 3U);
  return options;
}

io::OutputFormat same_format(const io::Document& document) {
  return {document.format, document.encoding, false};
}

Result<io::Document> read(std::string bytes, io::Cycles cycles = io::Cycles::kRefuse) {
  Progress silent;
  // Without a choice a SavedModel of several graphs is refused; "t" is a tag in the corpus.
  auto document = io::read_document(kName, own_bytes(std::string(bytes)), silent, {cycles, ""});
  if (document) return document;
  return io::read_document(kName, own_bytes(std::move(bytes)), silent, {cycles, "t"});
}

void check_is_message(const io::Document& document) {
  const std::string_view bytes = document.wire->bytes();
  wire::SavedModel model;
  wire::MetaGraphDef meta;
  wire::GraphDef graph;
  google::protobuf::MessageLite* message = &graph;
  if (document.format == io::Format::kMetaGraph) message = &meta;
  if (document.format == io::Format::kSavedModel) message = &model;
  require(message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())),
          "what opens is a message for protobuf, too");
}

void check_rewriting(const io::Document& body, std::string_view bytes) {
  Progress silent;
  const auto plan = plan_lms2(body.graph, body.collections, options_for(bytes), silent);
  if (!plan) return require_readable(plan.error());
  const auto rewritten = apply(body.graph, plan->edit);
  if (!rewritten) {
    // An output that nobody named cannot be read by a copy.
    return require(rewritten.error().message.find("by a name") != std::string::npos,
                   "a plan can be applied", rewritten.error().message);
  }
  auto file = written(body, *rewritten, {body.format, &io::kBinaryFormat, false});
  require(file.has_value(), "a rewritten body can be written");
  const auto again = read(*std::move(file), io::Cycles::kAllow);
  require(again.has_value(), "a rewritten file opens", again ? "" : again.error().message);
  const auto reopened = io::open_function(*again, body.function);
  require(reopened.has_value(), "a rewritten function opens",
          reopened ? "" : reopened.error().message);
  const GraphDiff diff = diff_graphs(body.graph, reopened->graph);
  require(diff.violations.empty(), "a rewritten body computes the same",
          diff.violations.empty() ? "" : diff.violations.front());
  const io::SurroundingsDiff around = io::compare_surroundings(body, *reopened);
  require(around.violations.empty(), "nothing else in the file changed",
          around.violations.empty() ? "" : around.violations.front());
}

void check_function(const io::Document& document, const std::string& name, std::string_view bytes) {
  const auto body = io::open_function(document, name);
  if (!body) return require_readable(body.error());
  if (document.encoding == &io::kBinaryFormat) {
    const auto same = written(*body, body->graph, same_format(*body));
    require(same && *same == bytes, "an unedited body is written byte for byte", name);
  }
  Progress silent;
  const auto alone = io::standalone_graph(*body, body->graph, silent);
  require(alone.has_value(), "a body can stand alone");
  const auto reread = read(*alone);
  require(reread.has_value() ? reread->graph.op_count() == body->graph.op_count()
                             : alone->empty() || body->graph.op_count() == 0,
          "a body that stands alone is a graph", reread ? "" : reread.error().message);
  check_rewriting(*body, bytes);
}

void run(std::string_view bytes) {
  const auto document = read(std::string(bytes));
  if (!document) return require_readable(document.error());
  if (document->encoding == &io::kBinaryFormat) {
    check_is_message(*document);
    const auto same = written(*document, document->graph, same_format(*document));
    require(same && *same == bytes, "an unedited file is written byte for byte");
    (void)written(*document, document->graph, {document->format, &io::kTextFormat, false});
  }
  const auto model =
      written(*document, document->graph, {io::Format::kSavedModel, &io::kBinaryFormat, false});
  require(model && read(*model).has_value(), "every graph can become a SavedModel");
  Diagnostics diagnostics;
  const FunctionLibrary library = io::read_functions(*document, diagnostics);
  std::size_t opened = 0;
  for (const io::FunctionInfo& function : io::list_functions(*document)) {
    if (++opened > kMaxFunctions) break;
    check_function(*document, function.name, bytes);
  }
}

}  // namespace
}  // namespace tideline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > tideline::fuzz::kMaxInput) return 0;
  tideline::fuzz::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
