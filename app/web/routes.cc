// Tested by unit/web/routes_test.cc.
#include "app/web/routes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/actions/lesson_player.h"
#include "app/web/document_sources.h"
#include "app/web/framing.h"
#include "app/web/front.h"
#include "app/web/json_body.h"
#include "app/web/lessons.h"
#include "app/web/opened_source.h"
#include "app/web/page_calls.h"
#include "app/web/session_routes.h"
#include "app/web/state_json.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/graph_format.h"
#include "render/view/color_by.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kApi = "/api/v1/";
constexpr std::size_t kMostNameBytes = 255;

Response no_such_route() {
  return error_response(404, "not_found", "there is nothing of this name");
}

Response no_content() {
  Response response;
  response.status = 204;
  return response;
}

// The page and its files; nullopt for other paths.
std::optional<Response> front(const Request& request) {
  std::string_view name = request.path;
  if (name == "/") name = "/front/index.html";
  if (request.path == "/favicon.ico") return no_such_route();
  if (!name.starts_with("/front/")) return std::nullopt;
  name.remove_prefix(std::string_view("/front/").size());
  for (const FrontFile& file : front_files()) {
    if (file.name != name) continue;
    Response response;
    response.type = content_type(file.name);
    response.is_kept_by_browser = true;
    const std::string tag = fmt::format("\"{}\"", file.hash);
    response.fields.emplace_back("ETag", tag);
    if (request.field("if-none-match") == tag) {
      response.status = 304;
    } else {
      response.body = file.content;
    }
    return response;
  }
  return no_such_route();
}

// The name as a browser may save it.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    plain += is_plain ? c : '_';
  }
  return plain;
}

}  // namespace

Routes::Routes(Gate gate, AllowedPaths& paths, const RoutesOptions& options)
    : gate_(std::move(gate)),
      paths_(paths),
      options_(options),
      upload_room_{2 * options.upload_limit, 0, [this] { return uploads_.give_up_one(); }},
      sessions_(options.sessions,
                [this](const Served& served) {
                  for (const auto& upload : served.uploads) uploads_.take_back(upload);
                }),
      downloads_(options.spool),
      sources_(paths) {
  allow_shipped_lessons(paths);
}

std::variant<ExpectedBody, Response> Routes::begin(const Request& request) {
  const bool is_file = request.path.starts_with("/api/v1/files/");
  const bool needs_token = request.path.starts_with("/api/") && !is_file;
  if (auto refusal = gate_.refuse(request, needs_token)) return *std::move(refusal);
  const bool is_upload = request.method == "POST" && request.path == "/api/v1/uploads";
  ExpectedBody plan = is_upload ? begin_upload(request) : ExpectedBody{kMostBodyBytes};
  plan.is_known = needs_token;
  return plan;
}

ExpectedBody Routes::begin_upload(const Request& request) {
  std::string name(request.parameter("name"));
  const std::size_t slash = name.find_last_of("/\\");
  if (slash != std::string::npos) name.erase(0, slash + 1);
  if (name.empty()) name = "upload";
  if (name.size() > kMostNameBytes) name.resize(kMostNameBytes);
  auto made = Upload::create(printable(name), paths_, upload_room_);
  ExpectedBody plan;
  plan.most_bytes = options_.upload_limit;
  if (!made) {
    plan.finish = [error = made.error()] { return error_response(error); };
    return plan;
  }
  const auto upload = *std::move(made);
  plan.take = [upload](std::string_view bytes) -> std::optional<Response> {
    const Status done = upload->append(bytes);
    if (done) return std::nullopt;
    if (done.error().code != Code::kOverBudget) return error_response(done.error());
    return error_response(413, "too_large", done.error().message);
  };
  plan.finish = [this, upload] {
    if (Status done = upload->finish(); !done) return error_response(done.error());
    return json_response({{"upload", uploads_.add(upload)},
                          {"bytes", upload->bytes()},
                          {"sha256", upload->sha256()}},
                         201);
  };
  return plan;
}

Response Routes::answer(const Request& request) {
  try {
    return route(request);
  } catch (const std::bad_alloc&) {
    return error_response(500, "internal", "there is not enough memory");
  } catch (const std::exception& error) {
    return error_response(500, "internal", error.what());
  }
}

Response Routes::route(const Request& request) {
  if (request.method == "GET" || request.method == "HEAD") {
    if (auto file = front(request)) {
      let_frame(*file, options_.frame_origin);
      return *std::move(file);
    }
  }
  if (!request.path.starts_with(kApi)) return no_such_route();
  const std::string rest = request.path.substr(kApi.size());
  const bool is_get = request.method == "GET";
  if (is_get && rest == "about") return about();
  if (is_get && rest == "sources") {
    const auto list = sources_.list(std::string(request.parameter("folder")));
    return list ? json_response(*list) : error_response(list.error());
  }
  if (is_get && rest == "functions") return functions_of_graph(uploads_, paths_, request);
  if (request.method == "POST" && rest == "sessions") return open_session(request);
  if (rest.starts_with("sessions/")) return of_session(request, rest);
  if (is_get && rest.starts_with("files/")) {
    auto download = downloads_.take(rest.substr(std::string_view("files/").size()));
    if (!download) return error_response(404, "not_found", "there is no such file any more");
    Response response;
    response.type = "application/octet-stream";
    response.file = download->file;
    response.fields.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"",
                                                                    plain_name(download->name)));
    return response;
  }
  return no_such_route();
}

Response Routes::about() const {
  app::Session none;
  const app::Viewer viewer(none);
  ordered_json actions = ordered_json::array();
  for (const ui::ActionInfo& info : app::action_infos(viewer)) {
    const auto call = app::parse_call(info.id);
    if (call && call->action->fronts == app::Fronts::kAll) actions.push_back(action_json(info));
  }
  ordered_json views = ordered_json::array();
  for (const render::View& view : render::views()) {
    views.push_back(
        {{"word", view.word}, {"title", view.title}, {"needs_trace", view.needs_trace}});
  }
  return json_response({{"tideline", kVersion},
                        {"api", kApiVersion},
                        {"may_write", paths_.may_write()},
                        {"upload_limit", options_.upload_limit},
                        {"sessions", options_.sessions},
                        {"views", views},
                        {"themes", {"dark", "light", "color-blind-safe"}},
                        {"colors", render::kColorByWords},
                        {"graph_files", io::written_endings()},
                        {"lessons", shipped_lessons_json(paths_)},
                        {"actions", actions},
                        {"plugin", false}});
}

Response Routes::open_session(const Request& request) {
  const auto body = parse_body(request.body);
  if (!body) return error_response(400, "bad_request", body.error().message);
  const auto find = [&](const char* name) {
    const auto found = body->find(name);
    return found == body->end() ? json() : *found;
  };
  auto source = parse_opened_source(find("source"), uploads_, paths_);
  if (!source) return error_response(source.error());
  std::shared_ptr<Upload> trace_upload;
  app::OpenRequest open;
  open.graph = source->graph;
  if (const json trace = find("trace"); !trace.is_null()) {
    const auto chosen = parse_opened_source(trace, uploads_, paths_);
    if (!chosen) return error_response(chosen.error());
    open.trace = events::TraceChoice{chosen->graph.path, chosen->graph.run, chosen->graph.tag, {}};
    trace_upload = chosen->upload;
  }
  ui::Intents resume;
  if (const json list = find("resume"); !list.is_null()) {
    auto parsed = parse_resume(list);
    if (!parsed) return error_response(parsed.error());
    resume = *std::move(parsed);
    source->lesson.reset();  // it is over, and its graph is left
  }
  std::vector<std::shared_ptr<Upload>> uploads;
  for (const auto& upload : {source->upload, trace_upload}) {
    if (upload) uploads.push_back(upload);
  }
  const auto served = sessions_.add(uploads);
  if (!served) {
    return error_response(
        429, "too_many",
        fmt::format("all {} sessions are at work; expected one of them to have answered",
                    sessions_.most()));
  }
  try {
    const std::scoped_lock lock(served->mutex);
    served->resume = std::move(resume);
    const bool is_graph = source->kind->id == "graph";
    served->viewer.resolve_path = [this, is_graph, sent = served->uploads](
                                      const std::string& path,
                                      app::PathUse use) -> Result<std::string> {
      if (use == app::PathUse::kWrite) return paths_.for_writing(path);
      // The page knows what it sent by its name.
      for (const auto& upload : sent) {
        if (upload->name() == path) return upload->path();
      }
      return is_graph ? paths_.for_reading(path) : document_for_reading(paths_, path);
    };
    if (source->lesson) {
      if (Status started = app::start_lesson(served->viewer, *std::move(source->lesson));
          !started) {
        sessions_.remove(served->id);
        return error_response(started.error());
      }
    } else {
      app::open_document(served->viewer, *source->kind, std::move(open),
                         app::first_wish(served->viewer));
    }
  } catch (...) {
    // Without memory or a thread for its jobs it would only take a place.
    sessions_.remove(served->id);
    throw;
  }
  for (const auto& upload : uploads) uploads_.note_opened(*upload);
  return json_response({{"id", served->id}}, 201);
}

Response Routes::of_session(const Request& request, const std::string& rest) {
  const std::vector<std::string> parts = split_list(rest, '/');
  const std::string verb = parts.size() > 2 ? parts[2] : "";
  if (parts.size() < 2 || parts.size() > 3) return no_such_route();
  if (request.method == "DELETE" && verb.empty()) {
    if (!sessions_.remove(parts[1])) {
      return error_response(404, "no_session", "there is no such session any more");
    }
    return no_content();
  }
  const bool is_get = request.method == "GET";
  const bool is_post = request.method == "POST";
  // A page that closes says so. Its session stays for a while, in case the page comes back.
  if (is_post && verb == "leave" && sessions_.leave(parts[1])) return no_content();
  const auto served = sessions_.find(parts[1]);
  if (!served) return error_response(404, "no_session", "there is no such session any more");
  const Visits::Visit visit(served->visits, request.has_hung_up);
  if (is_post && verb == "act") return act(*served, paths_, request);
  if (is_get && verb == "state") return state(*served, request);
  if (is_get && verb == "picture") return picture(*served, request);
  if (is_get && verb == "hit") return hit(*served, request);
  if (is_get && verb == "rows") return rows(*served, request);
  if (is_post && verb == "files") return make_file(*served, downloads_, request);
  return no_such_route();
}

}  // namespace tideline::web
