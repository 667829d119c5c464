#include <algorithm>

#include "core/graph/verify.h"
#include "core/io/document.h"
#include "core/io/graph_scan.h"
#include "core/io/meta_facts.h"
#include "core/io/sniff.h"
#include "core/io/text_format.h"
#include "core/io/wire.h"
#include "core/io/wire_codec.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

tl::unexpected<Error> corrupt_at(std::string_view all, const WireProblem& problem) {
  return fail(Code::kCorrupt, "byte {}: {}", problem.at - all.data(), problem.what);
}

// Splits a MetaGraphDef around its GraphDef and checks the rest of it.
Status split_meta_graph(std::string_view bytes, Document& document) {
  FieldReader reader(bytes);
  Field field;
  bool found = false;
  const char* start_of_field = reader.at();
  for (; reader.next(field); start_of_field = reader.at()) {
    if (!field.is_bytes(meta_graph_def::kGraph)) {
      if (const auto problem = check_message(field.whole, meta_graph_def_rules(), 0)) {
        return corrupt_at(bytes, *problem);
      }
      continue;
    }
    if (found) return fail(Code::kUnsupported, "holds two graph_def fields; expected one");
    found = true;
    const auto start = static_cast<std::size_t>(field.whole.data() - bytes.data());
    document.before_graph = bytes.substr(0, start);
    document.graph_bytes = field.bytes;
    document.graph_header = field.whole.substr(0, field.whole.size() - field.bytes.size());
    document.after_graph = bytes.substr(start + field.whole.size());
  }
  if (reader.damaged()) {
    const std::string_view rest =
        bytes.substr(static_cast<std::size_t>(start_of_field - bytes.data()));
    if (const auto problem = check_message(rest, meta_graph_def_rules(), 0)) {
      return corrupt_at(bytes, *problem);
    }
    return fail(Code::kCorrupt, "byte {}: damaged", rest.data() - bytes.data());
  }
  if (!found) return fail(Code::kCorrupt, "a MetaGraphDef without a graph_def; expected one");
  return {};
}

const char* refusal(FileKind kind) {
  switch (kind) {
    case FileKind::kEmpty: return "is empty; expected a graph";
    case FileKind::kSavedModel:
      return "is a SavedModel, which cannot be opened yet; expected a GraphDef (.pb, .pbtxt) or a "
             "MetaGraphDef (.meta)";
    case FileKind::kEventLog:
      return "is an event log, which cannot be opened yet; expected a GraphDef (.pb, .pbtxt) or a "
             "MetaGraphDef (.meta)";
    default: return "is no graph; expected a GraphDef (.pb, .pbtxt) or a MetaGraphDef (.meta)";
  }
}

Result<FileKind> kind_of(std::string_view bytes) {
  FileKind kind = sniff(bytes);
  if (kind == FileKind::kUnknown) {
    // Perhaps a graph with damage right at its beginning: then say where.
    if (const auto problem = check_message(bytes, graph_def_rules(), 0)) {
      return tl::unexpected(with_context(corrupt_at(bytes, *problem).value(), "is no graph"));
    }
  }
  switch (kind) {
    case FileKind::kGraph:
    case FileKind::kMetaGraph:
    case FileKind::kGraphText:
    case FileKind::kMetaGraphText: return kind;
    default: return fail(Code::kCorrupt, "{}", refusal(kind));
  }
}

Status load(Document& document, Progress& progress, Cycles cycles) {
  TIDELINE_TRY(const FileKind kind, kind_of(document.source->bytes()));
  const bool is_text = kind == FileKind::kGraphText || kind == FileKind::kMetaGraphText;
  const bool is_meta = kind == FileKind::kMetaGraph || kind == FileKind::kMetaGraphText;
  document.format = is_meta ? Format::kMetaGraph : Format::kGraph;
  document.encoding = is_text ? Encoding::kText : Encoding::kBinary;
  document.wire = document.source;
  if (is_text) {
    TIDELINE_TRY(std::string wire,
                 text_to_wire(document.source->bytes(),
                              is_meta ? TextMessage::kMetaGraphDef : TextMessage::kGraphDef));
    document.wire = own_bytes(std::move(wire));
  }
  const std::string_view bytes = document.wire->bytes();
  document.graph_bytes = bytes;
  if (is_meta) TIDELINE_RETURN_IF_ERROR(split_meta_graph(bytes, document));

  GraphBuilder builder(wire_codec(), document.wire);
  // The sizes of typical training graphs; only a first guess for the arrays.
  constexpr std::size_t kBytesPerOp = 200;
  const std::size_t ops = document.graph_bytes.size() / kBytesPerOp;
  builder.reserve(ops, ops * 2);
  const ScanOutcome outcome = scan_graph(document, is_meta ? 1 : 0, builder, progress);
  if (outcome.was_cancelled) return cancelled();
  if (outcome.problem) return corrupt_at(bytes, *outcome.problem);
  for (const std::string_view part : {document.before_graph, document.after_graph}) {
    read_collections(part, document.collections);
    for (OpSignature& signature : read_declared_ops(part)) builder.declare(std::move(signature));
  }
  for (const GraphField& field : document.fields) {
    FieldReader reader(field.whole);
    Field library;
    if (!reader.next(library) || !library.is_bytes(graph_def::kLibrary)) continue;
    for (OpSignature& signature : read_function_signatures(library.bytes)) {
      builder.declare(std::move(signature));
    }
  }
  TIDELINE_TRY(document.graph, builder.finish());
  return cycles == Cycles::kAllow ? Status() : verify_acyclic(document.graph);
}

}  // namespace

const char* format_name(Format format) {
  return format == Format::kGraph ? "graph" : "metagraph";
}

bool Document::has_functions() const {
  return std::any_of(fields.begin(), fields.end(), [](const GraphField& field) {
    FieldReader reader(field.whole);
    Field first;
    return reader.next(first) && first.is_bytes(graph_def::kLibrary) && !first.bytes.empty();
  });
}

Result<Document> read_document(const std::string& path, SharedBytes bytes, Progress& progress,
                               Cycles cycles) {
  Document document;
  document.path = path;
  document.source = std::move(bytes);
  if (Status status = load(document, progress, cycles); !status) {
    if (status.error().code == Code::kCancelled) return tl::unexpected(std::move(status).error());
    return tl::unexpected(with_context(std::move(status).error(), path));
  }
  return document;
}

Result<Document> read_document(const std::string& path, Progress& progress, Cycles cycles) {
  TIDELINE_TRY(SharedBytes bytes, open_bytes(path));
  return read_document(path, std::move(bytes), progress, cycles);
}

}  // namespace tideline::io
