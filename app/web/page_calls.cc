// Tested by unit/web/page_calls_test.cc.
#include "app/web/page_calls.h"

#include <nlohmann/json.hpp>

namespace tideline::web {
namespace {

Status check_for_pages(const app::Call& call) {
  if (call.action->fronts == app::Fronts::kAll) return {};
  const std::string_view id = call.action->id;
  const auto refuse = [&](std::string_view why) {
    return fail(Code::kUnsupported, "{}: {}", id, why);
  };
  if (id == "file.quit") {
    return refuse("a page does not end the server; expected Ctrl+C where tideline serve runs");
  }
  if (id.starts_with("lesson.")) {
    return refuse("a lesson has a session of its own; expected one opened with it as source");
  }
  if (id == "file.open" || id == "file.drop" || id.starts_with("document.")) {
    return refuse("a session in a browser has one document; expected a session for each");
  }
  if (id == "log.open-graph" || id == "log.open-trace") {
    return refuse("expected a session of its own with the graph as source");
  }
  if (id == "view.font-size") return refuse("expected the zoom of the browser instead");
  if (id == "file.browse") return refuse("expected the list of sources instead");
  return refuse("it is not for pages; expected the desktop app or the command line");
}

}  // namespace

Result<app::Words> parse_words(const nlohmann::json& list, std::string_view member) {
  app::Words words;
  if (list.is_array()) {
    for (const nlohmann::json& word : list) {
      if (word.is_string()) words.push_back(word.get<std::string>());
    }
  }
  if (words.empty() || words.size() != list.size()) {
    return fail(Code::kInvalidArgument,
                "{}: expected a list of actions, each a list of texts such as [\"view.tab\", "
                "\"memory\"]",
                member);
  }
  return words;
}

Result<app::Call> parse_page_call(const app::Words& words) {
  TIDELINE_TRY(app::Call call, app::parse_call(words.front(), {words.begin() + 1, words.end()}));
  TIDELINE_RETURN_IF_ERROR(check_for_pages(call));
  return call;
}

Result<ui::Intents> parse_resume(const nlohmann::json& list) {
  ui::Intents intents;
  if (!list.is_array()) return fail(Code::kInvalidArgument, "resume: expected a list of actions");
  for (const nlohmann::json& entry : list) {
    TIDELINE_TRY(const app::Words words, parse_words(entry, "resume"));
    TIDELINE_TRY(app::Call call, parse_page_call(words));
    // Only wishes, so that opening a page again writes nothing.
    if (call.action->is_slow()) {
      return fail(Code::kInvalidArgument, "resume: '{}' is no action that changes a wish",
                  call.action->id);
    }
    intents.push_back({std::string(call.action->id), std::move(call.words)});
  }
  return intents;
}

}  // namespace tideline::web
