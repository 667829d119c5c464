// Tested by unit/web/routes_test.cc.
#include "app/web/session_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/session/json_text.h"
#include "app/web/json_body.h"
#include "app/web/made_files.h"
#include "app/web/page_calls.h"
#include "app/web/pictures.h"
#include "app/web/rows.h"
#include "app/web/state_json.h"
#include "app/web/view_json.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostActions = 200;
constexpr std::size_t kMostPictures = 8;
constexpr std::int64_t kMostWaitMs = 30'000;

struct Act {
  json view;  // null: not given
  std::vector<session::Words> actions;
  bool ends_gesture = true;
  std::int64_t wait_ms = 0;
  std::vector<PictureWish> pictures;
};

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
        TIDELINE_TRY(session::Words words, parse_words(action, "do"));
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
      wish.wait_ms = static_cast<std::int64_t>(
          std::min<std::uint64_t>(value.get<std::uint64_t>(), kMostWaitMs));
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

// A file that exists is only replaced by who says so; found out before anything begins.
std::optional<Response> refuse_existing(const AllowedPaths& paths, const session::Call& call) {
  const session::Words& words = call.words;
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
  response.body = session::json_text(answer, -1);
  return response;
}

// Lets go of the mutex while it waits, so that others get the state meanwhile.
template <typename IsDone>
void wait_until(Served& served, std::unique_lock<std::mutex>& lock, std::int64_t wait_ms,
                const IsDone& is_done) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(wait_ms);
  while (true) {
    const std::uint64_t count = served.signal.count();
    served.poll();
    if (is_done() || Clock::now() >= deadline) return;
    lock.unlock();
    const bool was_given = served.signal.wait(count, deadline);
    lock.lock();
    if (!was_given) {
      served.poll();
      return;
    }
  }
}

// The answer where an action fails; those before it stay done.
std::optional<Response> run_actions(Served& served, const AllowedPaths& paths, const Act& wish) {
  for (const session::Words& words : wish.actions) {
    const auto call = parse_page_call(words);
    if (!call) return error_response(call.error());
    if (auto refusal = refuse_existing(paths, *call)) return refusal;
    const auto answer = session::run_call(served.viewer, *call);
    ++served.revision;
    if (!answer) return error_response(answer.error());
  }
  return std::nullopt;
}

}  // namespace

Response act(Served& served, const AllowedPaths& paths, const Request& request) {
  const auto body = parse_body(request.body);
  if (!body) return error_response(400, "bad_request", body.error().message);
  const auto wish = parse_act(*body);
  if (!wish) return error_response(wish.error());
  std::unique_lock lock(served.mutex);
  served.poll();
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
  wait_until(served, lock, wish->wait_ms, [&] { return !served.viewer.graph().is_working(); });
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
  const std::string since_text(request.parameter("since"));
  const std::string wait_text(request.parameter("wait"));
  const auto number = [](const std::string& text) -> std::optional<std::uint64_t> {
    if (text.empty()) return 0;
    if (text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) {
      return std::nullopt;
    }
    return std::stoull(text);
  };
  const auto since = number(since_text);
  const auto wait = number(wait_text);
  if (!since || !wait) {
    return error_response(422, "invalid_argument", "since, wait: expected numbers of at least 0");
  }
  std::unique_lock lock(served.mutex);
  const auto wait_ms =
      static_cast<std::int64_t>(std::min<std::uint64_t>(*wait, std::uint64_t{kMostWaitMs}));
  wait_until(served, lock, wait_ms, [&] { return served.revision > *since; });
  return json_response(state_json(served));
}

Response picture(Served& served, const Request& request) {
  const auto wish = parse_picture([&](std::string_view name) -> std::optional<std::string> {
    const auto found = request.query.find(name);
    if (found == request.query.end()) return std::nullopt;
    return found->second;
  });
  if (!wish) return error_response(wish.error());
  const std::string_view format = request.parameter("format");
  if (!format.empty() && format != "json" && format != "svg") {
    return error_response(422, "invalid_argument", "format: expected json or svg");
  }
  const std::scoped_lock lock(served.mutex);
  served.poll();
  auto text = format == "svg" ? picture_svg(served, *wish) : picture_json(served, *wish);
  if (!text) return error_response(text.error());
  Response response;
  if (format == "svg") response.type = "image/svg+xml";
  response.body = *std::move(text);
  return response;
}

Response hit(Served& served, const Request& request) {
  const auto wish = parse_picture([&](std::string_view name) -> std::optional<std::string> {
    const auto found = request.query.find(name);
    if (found == request.query.end()) return std::nullopt;
    return found->second;
  });
  if (!wish) return error_response(wish.error());
  const std::scoped_lock lock(served.mutex);
  served.poll();
  const auto found = hit_json(served, *wish);
  return found ? json_response(*found) : error_response(found.error());
}

Response rows(Served& served, const Request& request) {
  const std::scoped_lock lock(served.mutex);
  served.poll();
  const auto list = rows_json(served, request);
  return list ? json_response(*list) : error_response(list.error());
}

Response make_file(Served& served, Downloads& downloads, const Request& request) {
  const auto body = parse_body(request.body);
  if (!body) return error_response(400, "bad_request", body.error().message);
  auto made = made_file(served, *body, downloads.folder());
  if (!made) {
    const std::scoped_lock lock(served.mutex);
    return error_response({made.error().code, served.shown(made.error().message)});
  }
  const std::uint64_t bytes = made->file->bytes();
  const std::string name = made->name;
  return json_response(
      {{"file", downloads.add(*std::move(made))}, {"name", name}, {"bytes", bytes}}, 201);
}

}  // namespace tideline::web
