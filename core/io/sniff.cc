// The wire format does not say what a message is: a GraphDef and a MetaGraphDef both begin with a
// length-delimited field 1. They differ in its content. An entry is taken for an op (NodeDef) if
// its fields have the numbers and wire types of one and its op type looks like a name; a
// MetaGraphDef is recognised by a field 2 that contains such ops, or by its fields 3 and up.

#include <algorithm>
#include <array>

#include "core/base/bytes.h"
#include "core/base/text.h"
#include "core/io/foreign_files.h"
#include "core/io/graph_format.h"
#include "core/io/wire.h"
#include "core/io/wire_numbers.h"

namespace tideline::io {
namespace {

constexpr int kFieldsLookedAt = 64;
// Collections may stand before the graph, one field each.
constexpr int kTopFieldsLookedAt = 1 << 16;

bool is_identifier_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '>' || c == '.' || c == '-' || c == '/' || c == '[' || c == ']' || c == '=' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool looks_like_op(std::string_view entry) {
  FieldReader reader(entry);
  Field field;
  bool has_type = false;
  for (int i = 0; i < kFieldsLookedAt && next_or_cut(reader, entry, field); ++i) {
    if (field.type != WireType::kBytes && field.number <= node_def::kAttr) return false;
    if (field.is_bytes(node_def::kOp)) {
      has_type = !field.bytes.empty() &&
                 std::all_of(field.bytes.begin(), field.bytes.end(), is_identifier_character);
      if (!has_type) return false;
    }
    if (field.is_bytes(node_def::kAttr) && !field.bytes.starts_with('\x0a')) return false;
    if (reader.damaged()) break;
  }
  return has_type;
}

bool belongs_to_graph(const Field& field) {
  return field.is_bytes(graph_def::kLibrary) || field.is_varint(graph_def::kVersion) ||
         field.is_bytes(graph_def::kVersions);
}

// A GraphDef that says only its versions.
bool is_graph_without_ops(std::string_view graph) {
  FieldReader reader(graph);
  Field field;
  bool any = false;
  while (reader.next(field)) {
    if (!belongs_to_graph(field) || field.is_bytes(graph_def::kLibrary)) return false;
    any = true;
  }
  return any && !reader.damaged();
}

bool holds_ops(std::string_view graph) {
  FieldReader reader(graph);
  Field field;
  for (int i = 0; i < kFieldsLookedAt && next_or_cut(reader, graph, field); ++i) {
    if (field.is_bytes(graph_def::kNode) && looks_like_op(field.bytes)) return true;
    if (reader.damaged()) break;
  }
  return false;
}

// Whether `meta_graph` has a graph with ops in it, as the entries of a SavedModel do.
bool holds_graph(std::string_view meta_graph) {
  FieldReader reader(meta_graph);
  Field field;
  for (int i = 0; i < kTopFieldsLookedAt && next_or_cut(reader, meta_graph, field); ++i) {
    if (field.is_bytes(meta_graph_def::kGraph)) return holds_ops(field.bytes);
    if (reader.damaged()) break;
  }
  return false;
}

// TFRecord: length (8 bytes), its checksum (4), data, checksum (4). The record begins an Event with
// its time stamp, field 1 as a double.
bool looks_like_event_log(std::string_view bytes) {
  constexpr std::size_t kHeader = 12;
  if (bytes.size() <= kHeader) return false;
  const std::uint64_t length = from_little_endian(bytes.substr(0, 8));
  constexpr std::uint64_t kPlausible = 1ULL << 40U;
  return length > 0 && length < kPlausible && bytes[kHeader] == '\x09';
}

bool looks_like_text(std::string_view bytes) {
  constexpr std::size_t kHead = 4096;
  std::string_view head = bytes.substr(0, kHead);
  // The cut may fall into a character; the last bytes of a long head are not asked.
  if (head.size() == kHead) head.remove_suffix(4);
  while (head.size() < bytes.size() &&
         (static_cast<unsigned char>(bytes[head.size()]) & 0xc0U) == 0x80U) {
    head = bytes.substr(0, head.size() + 1);
  }
  return is_utf8(head) && std::none_of(head.begin(), head.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte < 0x20 && c != '\n' && c != '\r' && c != '\t';
         });
}

}  // namespace

std::optional<Format> sniff_wire(std::string_view bytes) {
  FieldReader reader(bytes);
  Field field;
  bool graph_fields_only = true;
  bool any = false;
  for (int i = 0; i < kTopFieldsLookedAt && next_or_cut(reader, bytes, field); ++i) {
    if (field.is_bytes(graph_def::kNode) && looks_like_op(field.bytes)) return Format::kGraph;
    if (field.is_varint(saved_model::kSchemaVersion)) return Format::kSavedModel;
    if (field.is_bytes(meta_graph_def::kGraph) &&
        (holds_ops(field.bytes) || is_graph_without_ops(field.bytes))) {
      return Format::kMetaGraph;
    }
    if (field.is_bytes(saved_model::kMetaGraphs) && holds_graph(field.bytes)) {
      return Format::kSavedModel;
    }
    any = true;
    graph_fields_only = graph_fields_only && belongs_to_graph(field);
    if (reader.damaged()) break;
  }
  // A graph without ops is one only when nothing in it belongs to something else.
  if (any && graph_fields_only && !reader.damaged()) return Format::kGraph;
  return std::nullopt;
}

std::optional<Format> sniff_text(std::string_view text) {
  if (!looks_like_text(text)) return std::nullopt;
  text = without_byte_order_mark(text);
  constexpr std::array<std::string_view, 5> kGraphFields = {"node", "library", "versions",
                                                            "version", "debug_info"};
  constexpr std::array<std::string_view, 7> kMetaFields = {
      "meta_info_def", "graph_def",      "saver_def",       "collection_def",
      "signature_def", "asset_file_def", "object_graph_def"};
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return std::nullopt;
    text.remove_prefix(start);
    if (text.front() != '#') break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  const std::size_t end = std::min(text.find_first_of(" \t\r\n:{<"), text.size());
  const std::string_view word = text.substr(0, end);
  const auto among = [&](const auto& fields) {
    return std::find(fields.begin(), fields.end(), word) != fields.end();
  };
  if (word == "saved_model_schema_version" || word == "meta_graphs") {
    return Format::kSavedModel;
  }
  if (among(kGraphFields)) return Format::kGraph;
  if (among(kMetaFields)) return Format::kMetaGraph;
  return std::nullopt;
}

Sniffed sniff(std::string_view bytes) {
  if (bytes.empty()) return {FileKind::kEmpty};
  if (foreign_file(bytes, bytes, FileUse::kGraph)) return {FileKind::kForeign};
  for (const GraphFormat* format : graph_formats()) {
    if (const auto message = format->sniff(bytes)) return {FileKind::kGraph, format, *message};
  }
  if (looks_like_event_log(bytes)) return {FileKind::kEventLog};
  return {looks_like_text(bytes) ? FileKind::kOtherText : FileKind::kUnknown};
}

}  // namespace tideline::io
