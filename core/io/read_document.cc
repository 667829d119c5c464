#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/graph/collections.h"
#include "core/graph/saver_names.h"
#include "core/graph/verify.h"
#include "core/io/declared.h"
#include "core/io/document.h"
#include "core/io/envelope.h"
#include "core/io/foreign_files.h"
#include "core/io/graph_format.h"
#include "core/io/graph_scan.h"
#include "core/io/parse_message.h"
#include "core/io/proto/meta_graph.pb.h"
#include "core/io/wire.h"
#include "core/io/wire_codec.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

// Reads the collections of a MetaGraphDef, and what it says of its savers.

// Whether a collection of byte strings with this key holds VariableDef messages.
bool lists_variables(std::string_view key) {
  return key == "variables" || key.ends_with("_variables");
}

void read_saver(std::string_view bytes, Collections& collections) {
  wire::SaverDef saver;
  if (!parse_message(bytes, saver)) return;
  const auto add = [&](const char* key, const std::string& name) {
    auto& names = collections.names[key];
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  add(kSaverFilenames, saver.filename_tensor_name());
  add(kSaverSaveTensors, saver.save_tensor_name());
  add(kSaverRestoreOps, saver.restore_op_name());
}

void read_collection(const std::string& key, const wire::CollectionDef& collection,
                     Collections& collections) {
  Collections::Entry& entry = collections.entries[key];
  switch (collection.kind_case()) {
    case wire::CollectionDef::kNodeList: {
      entry = {"nodes", collection.node_list().value_size()};
      auto& names = collections.names[key];
      names.assign(collection.node_list().value().begin(), collection.node_list().value().end());
      break;
    }
    case wire::CollectionDef::kBytesList: {
      entry = {"bytes", collection.bytes_list().value_size()};
      if (key == "savers") {
        for (const std::string& bytes : collection.bytes_list().value()) {
          read_saver(bytes, collections);
        }
      }
      if (!lists_variables(key)) break;
      auto& variables = collections.variables[key];
      for (const std::string& bytes : collection.bytes_list().value()) {
        wire::VariableDef variable;
        if (!parse_message(bytes, variable)) continue;
        variables.push_back(
            {variable.variable_name(), variable.initializer_name(), variable.is_resource()});
      }
      break;
    }
    case wire::CollectionDef::kInt64List:
      entry = {"ints", collection.int64_list().value_size()};
      break;
    case wire::CollectionDef::kFloatList:
      entry = {"floats", collection.float_list().value_size()};
      break;
    case wire::CollectionDef::kAnyList: entry = {"any", collection.any_list().value_size()}; break;
    case wire::CollectionDef::KIND_NOT_SET: entry = {"empty", 0}; break;
  }
}

// Decodes the collections in the fields of a MetaGraphDef, and the names in its savers
// (saver_names.h). Precondition: the bytes passed the wire check. Cost: O(bytes).
void read_collections(std::string_view meta_graph_fields, Collections& collections) {
  FieldReader reader(meta_graph_fields);
  Field field;
  while (reader.next(field)) {
    if (field.is_bytes(meta_graph_def::kSaver)) read_saver(field.bytes, collections);
    if (!field.is_bytes(meta_graph_def::kCollection)) continue;
    std::string key;
    wire::CollectionDef collection;
    FieldReader entry(field.bytes);
    Field part;
    while (entry.next(part)) {
      if (part.is_bytes(map_entry::kKey)) key = part.bytes;
      if (!part.is_bytes(map_entry::kValue)) continue;
      if (!parse_message(part.bytes, collection)) collection.Clear();
    }
    read_collection(key, collection, collections);
  }
}

Result<Sniffed> kind_of(std::string_view bytes) {
  const std::string graph = "expected " + readable_graphs();
  const std::string expected = graph + ", a SavedModel or an event log";
  const Sniffed found = sniff(bytes);
  switch (found.kind) {
    case FileKind::kGraph: return found;
    case FileKind::kEmpty: return fail(Code::kCorrupt, "is empty; expected a graph");
    case FileKind::kEventLog:
      return fail(Code::kCorrupt, "is an event log; {} or a SavedModel", graph);
    case FileKind::kForeign:
      return fail(Code::kCorrupt, "{}", *foreign_file(bytes, bytes, FileUse::kGraph, expected));
    case FileKind::kOtherText: break;
    case FileKind::kUnknown:
      // Possibly a graph that is damaged near its beginning: report where.
      if (const auto problem = check_message(bytes, message_rules().graph_def, 0)) {
        return tl::unexpected(with_context(corrupt_at(bytes, *problem).value(), "is not a graph"));
      }
  }
  return fail(Code::kCorrupt, "is not a graph; {}", expected);
}

// Finds the GraphDef; the enclosing messages are checked and kept as envelopes.
Status find_envelopes(Document& document, const ReadOptions& options) {
  const std::string_view file = document.wire->bytes();
  document.graph_bytes = file;
  if (document.format != Format::kSavedModel && options.meta_graph > 1) {
    return fail(Code::kInvalidArgument,
                "is a {}, which is one graph; expected no {{meta-graph}} {}",
                format_name(document.format), options.meta_graph);
  }
  if (document.format == Format::kGraph) return {};
  int depth = 0;
  std::string_view meta_graph = file;
  if (document.format == Format::kSavedModel) {
    TIDELINE_TRY(const ChosenMetaGraph chosen, find_meta_graph(file, options));
    meta_graph = chosen.bytes;
    document.place = chosen.place;
    if (!chosen.others.empty()) {
      document.diagnostics.add(
          Severity::kNotice, "several graphs with the same tags, of which the first was taken",
          fmt::format("{}; {{meta-graph}} chooses another: {}", chosen.place, chosen.others));
    }
    document.envelopes.push_back(split_around(MessageKind::kSavedModel, file, meta_graph));
    ++depth;
  }
  TIDELINE_TRY(document.graph_bytes, find_graph(file, meta_graph, depth));
  document.envelopes.push_back(
      split_around(MessageKind::kMetaGraphDef, meta_graph, document.graph_bytes));
  return {};
}

// The version of the graph format in the fields of a GraphDef; 0 when they name none. TensorFlow
// ignores the older field `version`.
std::int32_t producer_of(const std::vector<GraphField>& fields) {
  std::int32_t producer = 0;
  for (const GraphField& entry : fields) {
    FieldReader reader(entry.whole);
    Field field;
    if (!reader.next(field) || !field.is_bytes(graph_def::kVersions)) continue;
    FieldReader versions(field.bytes);
    for (Field part; versions.next(part);) {
      if (part.is_varint(version_def::kProducer)) producer = static_cast<std::int32_t>(part.varint);
    }
  }
  return producer;
}

Status load(Document& document, Progress& progress, const ReadOptions& options) {
  TIDELINE_TRY(const Sniffed found, kind_of(document.source->bytes()));
  document.format = found.message;
  document.encoding = found.format;
  document.wire = document.source;
  if (const auto to_wire = document.encoding->to_wire) {
    TIDELINE_TRY(std::string wire, to_wire(document.source->bytes(), document.format));
    document.wire = own_bytes(std::move(wire));
  }
  TIDELINE_RETURN_IF_ERROR(find_envelopes(document, options));

  GraphBuilder builder(wire_codec(), document.wire);
  // The sizes of typical training graphs; only a first guess for the arrays. Large constants make
  // a file of the same size hold far fewer ops.
  constexpr std::size_t kBytesPerOp = 200;
  constexpr std::size_t kMaxGuess = std::size_t{1} << 21U;
  const std::size_t ops = std::min(document.graph_bytes.size() / kBytesPerOp, kMaxGuess);
  builder.reserve(ops, ops * 2);
  const ScanOutcome outcome =
      scan_graph(document, static_cast<int>(document.envelopes.size()), builder, progress);
  if (outcome.was_cancelled) return cancelled();
  if (outcome.problem) return corrupt_at(document.wire->bytes(), *outcome.problem);
  if (const Envelope* meta = document.envelope(MessageKind::kMetaGraphDef)) {
    for (const std::string_view part : {meta->before, meta->after}) {
      read_collections(part, document.collections);
    }
  }
  builder.declare(declared_signatures(document));
  builder.set_producer(producer_of(document.fields));
  TIDELINE_TRY(document.graph, builder.finish());
  return options.cycles == Cycles::kAllow ? Status() : verify_acyclic(document.graph);
}

}  // namespace

const char* format_name(Format format) {
  constexpr std::array kNames = {"graph", "metagraph", "savedmodel"};
  return kNames.at(static_cast<std::size_t>(format));
}

bool Document::has_functions() const {
  return !function.empty() ||
         std::any_of(fields.begin(), fields.end(), [](const GraphField& field) {
           FieldReader reader(field.whole);
           Field first;
           return reader.next(first) && first.is_bytes(graph_def::kLibrary) && !first.bytes.empty();
         });
}

const Envelope* Document::envelope(MessageKind kind) const {
  const auto found = std::find_if(envelopes.begin(), envelopes.end(),
                                  [kind](const Envelope& entry) { return entry.kind == kind; });
  return found == envelopes.end() ? nullptr : &*found;
}

Result<Document> read_document(const std::string& path, SharedBytes bytes, Progress& progress,
                               const ReadOptions& options) {
  Document document;
  document.path = path;
  document.source = std::move(bytes);
  if (Status status = load(document, progress, options); !status) {
    if (status.error().code == Code::kCancelled) return tl::unexpected(std::move(status).error());
    return tl::unexpected(with_context(std::move(status).error(), path));
  }
  return document;
}

Result<Document> read_document(const std::string& path, Progress& progress,
                               const ReadOptions& options) {
  TIDELINE_TRY(SharedBytes bytes, open_bytes(path, options.pipes));
  return read_document(path, std::move(bytes), progress, options);
}

}  // namespace tideline::io
