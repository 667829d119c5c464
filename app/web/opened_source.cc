// Tested by unit/web/routes_opening_test.cc.
#include "app/web/opened_source.h"

#include <nlohmann/json.hpp>

#include "app/engine/folder.h"
#include "app/web/document_sources.h"
#include "app/web/json_body.h"
#include "app/web/lessons.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostFunctions = 2000;  // that an answer lists

Result<std::string> text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return std::string();
  if (!found->is_string()) return fail(Code::kInvalidArgument, "{}: expected a text", name);
  return found->get<std::string>();
}

// The number of a MetaGraph; 0 when there is none.
Result<std::int64_t> number_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return 0;
  if (!found->is_number_unsigned() || *found > 999'999'999) {
    return fail(Code::kInvalidArgument, "{}: expected a number from 1 on", name);
  }
  return found->get<std::int64_t>();
}

Result<bool> switch_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return false;
  if (!found->is_boolean()) {
    return fail(Code::kInvalidArgument, "{}: expected true or false", name);
  }
  return found->get<bool>();
}

// What a query says of a source, as a session is opened with it.
json source_of_query(const Request& request) {
  json source = {{"document", "graph"}};
  for (const char* name : {"path", "upload", "run", "tag"}) {
    source[name] = std::string(request.parameter(name));
  }
  return source;
}

// Messages about an upload call it as the page does.
Error shown_for(const Upload* upload, Error error) {
  if (upload != nullptr && error.message.starts_with(upload->path())) {
    error.message.replace(0, upload->path().size(), upload->name());
  }
  return error;
}

}  // namespace

Result<OpenedSource> parse_opened_source(const json& object, Uploads& uploads,
                                         const AllowedPaths& paths) {
  OpenedSource source;
  if (!object.is_object()) {
    return fail(Code::kInvalidArgument, "source: expected a path, an upload or a lesson");
  }
  TIDELINE_TRY(const std::string word, text_of(object, "lesson"));
  TIDELINE_TRY(const std::string upload, text_of(object, "upload"));
  TIDELINE_TRY(const std::string path, text_of(object, "path"));
  TIDELINE_TRY(source.graph.run, text_of(object, "run"));
  TIDELINE_TRY(source.graph.tag, text_of(object, "tag"));
  TIDELINE_TRY(source.graph.function, text_of(object, "function"));
  TIDELINE_TRY(source.graph.meta_graph, number_of(object, "meta_graph"));
  TIDELINE_TRY(source.graph.inlines, switch_of(object, "inline"));
  if (static_cast<int>(upload.empty()) + static_cast<int>(path.empty()) +
          static_cast<int>(word.empty()) !=
      2) {
    return fail(Code::kInvalidArgument, "source: expected a path, an upload or a lesson");
  }
  if (!word.empty() || app::is_lesson_path(path)) {
    TIDELINE_TRY(source.lesson,
                 word.empty() ? lesson_of_file(path, paths) : shipped_lesson(word, paths));
    source.graph = {source.lesson->graph.text, {}, {}, {}};
    return source;
  }
  TIDELINE_TRY(const std::string kind, text_of(object, "document"));
  if (!kind.empty()) source.kind = app::find_document_kind(kind);
  if (source.kind == nullptr) {
    return fail(Code::kInvalidArgument, "document: invalid value '{}'; expected {}",
                printable(kind), app::document_kind_ids());
  }
  if (upload.empty()) {
    const bool is_graph = source.kind->id == "graph";
    TIDELINE_TRY(source.graph.path,
                 is_graph ? paths.for_reading(path) : document_for_reading(paths, path));
    return source;
  }
  source.upload = uploads.find(upload);
  if (!source.upload) {
    return fail(Code::kNotFound, "there is no upload '{}' any more", printable(upload));
  }
  source.graph.path = source.upload->path();
  if (kind.empty()) {
    TIDELINE_TRY(source.kind, kind_of_upload(source.upload->name(), source.graph.path));
  }
  return source;
}

Response functions_of_graph(Uploads& uploads, const AllowedPaths& paths, const Request& request) {
  const auto source = parse_opened_source(source_of_query(request), uploads, paths);
  if (!source) return error_response(source.error());
  if (source->lesson || source->kind->id != "graph") {
    return error_response(Error{Code::kInvalidArgument, "expected a graph, which has functions"});
  }
  const auto found = app::list_graph_functions(source->graph);
  if (!found) return error_response(shown_for(source->upload.get(), found.error()));
  ordered_json list = ordered_json::array();
  for (const ui::FileEntry& entry : *found) {
    if (list.size() == kMostFunctions) break;
    list.push_back({{"name", entry.name}, {"detail", entry.detail}});
  }
  return json_response({{"total", found->size()}, {"functions", std::move(list)}});
}

}  // namespace tideline::web
