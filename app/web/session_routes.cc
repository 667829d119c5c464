// Tested by unit/web/routes_test.cc.
#include "app/web/session_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/actions/lesson_player.h"
#include "app/engine/json_text.h"
#include "app/web/document_json.h"
#include "app/web/json_body.h"
#include "app/web/made_files.h"
#include "app/web/page_calls.h"
#include "app/web/pictures.h"
#include "app/web/rows.h"
#include "app/web/state_json.h"
#include "app/web/view_json.h"
#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostActions = 200;
constexpr std::size_t kMostPictures = 8;
constexpr std::uint64_t kMostWaitMs = 30'000;

struct Act {
  json view;  // null: not given
  std::vector<app::Words> actions;
  bool ends_gesture = true;
  std::uint64_t wait_ms = 0;
  std::vector<PictureWish> pictures;
};

// Nullopt for what is no number; `otherwise` for nothing.
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t otherwise) {
  return text.empty() ? otherwise : parse_as<std::uint64_t>(text);
}

Clock::time_point deadline_in(std::uint64_t wait_ms) {
  return Clock::now() + std::chrono::milliseconds(std::min(wait_ms, kMostWaitMs));
}

Result<Act> parse_act(const json& body) {
  Act wish;
  for (const auto& [name, value] : body.items()) {
    if (name == "view") {
      wish.view = value;
    } else if (name == "do") {
      if (!value.is_array() || value.size() > kMostActions) {
        return fail(Code::kInvalidArgument, "do: expected a list of at most {} actions",
                    kMostActions);
      }
      for (const json& action : value) {
        TIDELINE_TRY(app::Words words, parse_words(action, "do"));
        wish.actions.push_back(std::move(words));
      }
    } else if (name == "gesture_end") {
      if (!value.is_boolean())
        return fail(Code::kInvalidArgument, "gesture_end: expected a switch");
      wish.ends_gesture = value.get<bool>();
    } else if (name == "wait_ms") {
      if (!value.is_number_unsigned()) {
        return fail(Code::kInvalidArgument, "wait_ms: expected a number of at least 0");
      }
      wish.wait_ms = value.get<std::uint64_t>();
    } else if (name == "pictures") {
      if (!value.is_array() || value.size() > kMostPictures) {
        return fail(Code::kInvalidArgument, "pictures: expected a list of at most {}",
                    kMostPictures);
      }
      for (const json& entry : value) {
        TIDELINE_TRY(PictureWish chart, parse_picture(entry));
        wish.pictures.push_back(chart);
      }
    } else {
      return fail(Code::kInvalidArgument, "there is no member '{}'", printable(name));
    }
  }
  return wish;
}

// Nobody waits for what is to be stopped.
bool stops_jobs(const Act& wish) {
  return std::any_of(wish.actions.begin(), wish.actions.end(), [](const app::Words& words) {
    const auto call = parse_page_call(words);
    return call && call->action->id == "job.cancel";
  });
}

// An existing file is replaced only with "force"; this is checked before anything begins.
std::optional<Response> refuse_existing(const AllowedPaths& paths, const app::Call& call) {
  const app::Words& words = call.words;
  if (!call.action->needs_results() || words.empty()) return std::nullopt;
  if (std::find(words.begin() + 1, words.end(), "force") != words.end()) return std::nullopt;
  const auto path = paths.for_writing(words[0]);
  std::error_code error;
  if (!path || !std::filesystem::exists(std::filesystem::symlink_status(*path, error))) {
    return std::nullopt;
  }
  return error_response(
      409, "exists",
      fmt::format("{}: the file exists; expected force to replace it", printable(words[0], 2000)));
}

Response with_state(Response response, Served& served) {
  ordered_json answer = ordered_json::parse(response.body);
  answer["error"]["message"] = served.shown(answer["error"]["message"].get<std::string>());
  answer["state"] = state_json(served);
  response.body = app::json_text(answer, -1);
  return response;
}

// The answer to what failed, perhaps because the file is still being read.
Response refused(const Served& served, const Error& error) {
  if (!served.is_opening()) return error_response(error);
  return error_response(422, "busy",
                        fmt::format("{}; the file is still being read: expected to ask again",
                                    served.shown(error.message)));
}

// The answer where an action fails; those before it stay done.
std::optional<Response> run_actions(Served& served, const AllowedPaths& paths, const Act& wish) {
  for (const app::Words& words : wish.actions) {
    const auto call = parse_page_call(words);
    if (!call) return error_response(call.error());
    if (auto refusal = refuse_existing(paths, *call)) return refusal;
    const auto answer = app::run_call(served.viewer, *call);
    ++served.revision;
    if (!answer) return refused(served, answer.error());
  }
  return std::nullopt;
}

}  // namespace

Response act(Served& served, const AllowedPaths& paths, const Request& request) {
  const auto body = parse_body(request.body);
  if (!body) return error_response(400, "bad_request", body.error().message);
  const auto wish = parse_act(*body);
  if (!wish) return error_response(wish.error());
  const auto deadline = deadline_in(wish->wait_ms);
  std::unique_lock lock(served.mutex);
  // A step of a lesson that is being set up would be asked for what it does not have yet.
  served.wait_until(lock, stops_jobs(*wish) ? Clock::now() : deadline,
                    [&] { return !served.is_opening() && !app::is_setting_up(served.viewer); });
  if (!wish->view.is_null()) {
    if (Status set = set_view(served, wish->view); !set) {
      return with_state(error_response(set.error()), served);
    }
    ++served.revision;
  }
  served.viewer.clipboard.reset();
  (void)served.session.journal().take_failure();  // of what somebody asked before
  const auto refusal = run_actions(served, paths, *wish);
  if (wish->ends_gesture) served.viewer.graph().end_gesture();
  if (refusal) return with_state(*refusal, served);
  // While a slider is dragged nobody asks which swaps are idle.
  served.wait_until(lock, deadline, [&] {
    const app::GraphDocument& graph = served.viewer.graph();
    return !graph.is_working() && !app::is_setting_up(served.viewer) &&
           !is_document_at_work(served) && !(wish->ends_gesture && graph.is_confirming());
  });
  if (!wish->actions.empty()) {
    if (const auto error = served.session.journal().take_failure()) {
      return with_state(error_response(*error), served);
    }
  }
  // First the pictures: the size of a chart limits how far the rows of the view are scrolled.
  std::string pictures;
  for (const PictureWish& chart : wish->pictures) {
    const auto drawn = picture_json(served, chart);
    pictures += (pictures.empty() ? "" : ",") + (drawn ? *drawn : std::string("null"));
  }
  ordered_json answer = state_json(served);
  if (served.viewer.clipboard) answer["clipboard"] = served.shown(*served.viewer.clipboard);
  Response response = json_response(answer);
  if (!wish->pictures.empty()) {
    response.body.pop_back();
    response.body += ",\"pictures\":[" + pictures + "]}";
  }
  return response;
}

Response state(Served& served, const Request& request) {
  const auto since = parse_count(request.parameter("since"), 0);
  const auto wait = parse_count(request.parameter("wait"), 0);
  if (!since || !wait) {
    return error_response(422, "invalid_argument", "since, wait: expected numbers of at least 0");
  }
  std::unique_lock lock(served.mutex);
  served.wait_until(lock, deadline_in(*wait), [&] { return served.revision > *since; });
  return json_response(state_json(served));
}

namespace {

Result<PictureWish> picture_of(const Request& request) {
  return parse_picture([&](std::string_view name) -> std::optional<std::string> {
    const auto found = request.query.find(name);
    if (found == request.query.end()) return std::nullopt;
    return found->second;
  });
}

// Waits for the file, and answers what `make` gives of the session.
template <typename Make>
Response answer_of(Served& served, const Request& request, const Make& make) {
  const auto wait = parse_count(request.parameter("wait_ms"), kMostWaitMs);
  if (!wait) {
    return error_response(422, "invalid_argument", "wait_ms: expected a number of at least 0");
  }
  std::unique_lock lock(served.mutex);
  served.wait_until_read(lock, deadline_in(*wait));
  const auto made = make();
  return made ? *made : refused(served, made.error());
}

}  // namespace

Response picture(Served& served, const Request& request) {
  const auto wish = picture_of(request);
  if (!wish) return error_response(wish.error());
  const std::string_view format = request.parameter("format");
  if (!format.empty() && format != "json" && format != "svg") {
    return error_response(422, "invalid_argument", "format: expected json or svg");
  }
  return answer_of(served, request, [&]() -> Result<Response> {
    Response response;
    if (format == "svg") response.type = "image/svg+xml";
    TIDELINE_TRY(response.body,
                 format == "svg" ? picture_svg(served, *wish) : picture_json(served, *wish));
    return response;
  });
}

Response hit(Served& served, const Request& request) {
  const auto wish = picture_of(request);
  if (!wish) return error_response(wish.error());
  return answer_of(served, request, [&]() -> Result<Response> {
    TIDELINE_TRY(const ordered_json found, hit_json(served, *wish));
    return json_response(found);
  });
}

Response rows(Served& served, const Request& request) {
  return answer_of(served, request, [&]() -> Result<Response> {
    TIDELINE_TRY(const ordered_json list, rows_json(served, request));
    return json_response(list);
  });
}

Response make_file(Served& served, Downloads& downloads, const Request& request) {
  const auto body = parse_body(request.body);
  if (!body) return error_response(400, "bad_request", body.error().message);
  const auto found = body->find("wait_ms");
  if (found != body->end() && !found->is_number_unsigned()) {
    return error_response(422, "invalid_argument", "wait_ms: expected a number of at least 0");
  }
  const auto deadline =
      deadline_in(found == body->end() ? kMostWaitMs : found->get<std::uint64_t>());
  auto made = made_file(served, *body, downloads.folder(), deadline);
  if (!made) {
    const std::scoped_lock lock(served.mutex);
    return refused(served, {made.error().code, served.shown(made.error().message)});
  }
  const std::uint64_t bytes = made->file->bytes();
  const std::string name = made->name;
  return json_response(
      {{"file", downloads.add(*std::move(made))}, {"name", name}, {"bytes", bytes}}, 201);
}

}  // namespace tideline::web
