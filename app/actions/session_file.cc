// Tested by unit/actions/session_file_test.cc.
#include "app/actions/session_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/actions/bookmarks.h"
#include "app/actions/commands.h"
#include "app/actions/script.h"
#include "app/actions/shown_boxes.h"
#include "app/session/resume.h"
#include "core/base/source_bytes.h"
#include "core/io/digest.h"
#include "render/view/scopes_loop.h"

namespace tideline::app {
namespace {

constexpr std::string_view kFirstLine = "# tideline session, sha256 ";
constexpr std::size_t kDigestLength = 64;
constexpr std::size_t kMostOpenBoxes = 200;

// As split_words reads it.
std::string quoted_word(std::string_view word) {
  const bool is_plain = !word.empty() && word.front() != '#' &&
                        word.find_first_of(" \t\r\"'\\") == std::string_view::npos;
  if (is_plain) return std::string(word);
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

void add_line(const ui::Intent& intent, std::string& text) {
  const bool breaks_line =
      std::any_of(intent.arguments.begin(), intent.arguments.end(),
                  [](const std::string& word) { return word.find('\n') != std::string::npos; });
  if (breaks_line) return;
  text += intent.action;
  for (const std::string& word : intent.arguments) text += ' ' + quoted_word(word);
  text += '\n';
}

// What of the graph is looked at, as far as it differs from a graph that was just opened. A stretch
// only of levels: the other axes depend on the plan, which is not there yet when it is taken up.
ui::Intents looks_of(Viewer& viewer) {
  ui::Intents looks;
  const render::Scene scene = viewer.graph().snapshot()->scene();
  const ui::ViewState& view = viewer.view;
  const ui::ViewState usual;
  if (view.tab != usual.tab) {
    looks.push_back({"view.tab", {std::string(ui::view_of(view.tab).word)}});
  }
  if (view.memory_axis != usual.memory_axis && view.memory_axis != ui::AxisKind::kMeasuredTime) {
    const auto axis = static_cast<std::size_t>(view.memory_axis);
    looks.push_back({"view.axis", {ui::kAxisWords[axis]}});
  }
  if (view.device > 0 && view.device < scene.devices.size()) {
    looks.push_back({"view.device", {std::to_string(view.device)}});
  }
  if (view.levels_color != usual.levels_color) {
    looks.push_back({"view.color", {render::word_of(view.levels_color)}});
  }
  if (view.boxes.color != usual.boxes.color) {
    looks.push_back({"scope.color", {render::word_of(view.boxes.color)}});
  }
  if (view.boxes.is_vertical) looks.push_back({"scope.direction", {"vertical"}});
  if (render::loop_of(scene, view.boxes.loop) != WhileFrame::kNone)
    looks.push_back({"scope.loop", {view.boxes.loop}});
  if (view.boxes.aside.size() <= kMostOpenBoxes) {
    for (const auto& [path, is_aside] : view.boxes.aside) {
      // What only the boxes of another loop are called cannot be taken up within this one.
      if (has_box(viewer, path)) looks.push_back({"scope.aside", {is_aside ? "on" : "off", path}});
    }
  }
  if (view.boxes.open.size() <= kMostOpenBoxes) {
    for (const std::string& path : view.boxes.open) looks.push_back({"scope.expand", {path}});
  }
  for (std::size_t i = 0; i < view.bookmarks.size(); ++i) {
    if (!view.bookmarks.at(i)) continue;
    const ui::Bookmark& bookmark = *view.bookmarks.at(i);
    looks.push_back({"bookmark.put", {std::to_string(i + 1), place_text(bookmark)}});
    if (!bookmark.op.empty()) looks.back().arguments.push_back(bookmark.op);
  }
  const bool shows_levels = view.tab == ui::Tab::kLevels ||
                            (view.tab == ui::Tab::kMemory && view.memory_axis == usual.memory_axis);
  if (shows_levels && view.axis.span > 0) {
    looks.push_back({"view.range",
                     {fmt::format("{}", view.axis.first),
                      fmt::format("{}", view.axis.first + view.axis.span - 1)}});
  }
  if (const auto op = selected_op(viewer)) {
    looks.push_back({"select.op", {std::string(scene.graph->name(*op))}});
  }
  return looks;
}

bool starts_tensorflow(std::string_view action, const std::vector<std::string>& words) {
  return action == "graph.as-run" && !words.empty() && words.front() == "exact";
}

// Of the actions that pages may run, too, those that concern this graph alone.
bool is_of_graph(const Action& action) {
  constexpr std::array<std::string_view, 8> kGroups = {
      "policy.", "graph.", "scope.", "tensor.", "view.", "select.", "profile.", "bookmark."};
  constexpr std::array<std::string_view, 4> kOthers = {"graph.copy-way", "view.font-size",
                                                       "view.font", "view.layout"};
  return std::any_of(kGroups.begin(), kGroups.end(),
                     [&](std::string_view group) { return action.id.starts_with(group); }) &&
         std::find(kOthers.begin(), kOthers.end(), action.id) == kOthers.end() &&
         action.fronts == Fronts::kAll && !action.is_slow();
}

}  // namespace

std::string session_path(const std::string& graph_path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(graph_path, error);
  std::string path = error ? graph_path : whole.lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path + ".tideline";
}

std::string session_digest(const GraphFile& file) {
  std::string digest = io::sha256_hex(file.document().graph_bytes);
  // The bytes of a graph whose calls are inlined are those of its file.
  return file.source->choice.inlines ? io::sha256_hex(digest + " inlined") : digest;
}

std::string session_wish(const GraphDocument& graph) {
  std::string lines;
  for (ui::Intent& intent :
       actions_for(graph.wish(), graph.snapshot()->graph->file->levels.count())) {
    if (starts_tensorflow(intent.action, intent.arguments)) intent.arguments.front() = "modelled";
    add_line(intent, lines);
  }
  return lines;
}

std::string session_looks(Viewer& viewer) {
  std::string lines;
  for (const ui::Intent& intent : looks_of(viewer)) add_line(intent, lines);
  return lines;
}

std::string session_text(std::string_view digest, std::string_view lines) {
  return lines.empty() ? std::string() : fmt::format("{}{}\n{}", kFirstLine, digest, lines);
}

std::string_view digest_of_session(std::string_view text) {
  if (!text.starts_with(kFirstLine)) return {};
  text = text.substr(kFirstLine.size(), kDigestLength);
  const bool is_digest =
      text.size() == kDigestLength && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      });
  return is_digest ? text : std::string_view();
}

Result<std::string> read_session(const std::string& path) {
  std::error_code error;
  // Only a file: a pipe could make the window wait for ever.
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(Code::kNotFound, "{}: there is no such file; expected a session file", path);
  }
  TIDELINE_TRY(const auto bytes, open_bytes(path));
  if (bytes->bytes().size() > kMostSessionBytes) {
    return fail(Code::kUnsupported, "{}: has {} bytes; a session file has at most {}", path,
                bytes->bytes().size(), kMostSessionBytes);
  }
  return std::string(bytes->bytes());
}

std::vector<std::string> take_up_session(Viewer& viewer, std::string_view text,
                                         const std::string& name) {
  std::vector<std::string> problems;
  viewer.graph().change(Wish());
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto run = [&]() -> Status {
      TIDELINE_TRY(const auto words, split_words(line));
      if (words.empty()) return {};
      TIDELINE_TRY(const Call call, parse_call(words.front(), {words.begin() + 1, words.end()}));
      if (!is_of_graph(*call.action) || starts_tensorflow(call.action->id, call.words)) {
        return fail(
            Code::kInvalidArgument,
            "{}: a session file cannot do this; expected an action of the graph, its policy "
            "or its view",
            words.front());
      }
      if (auto answer = run_call(viewer, call); !answer) {
        return tl::unexpected(std::move(answer).error());
      }
      return {};
    };
    if (const Status done = run(); !done) {
      problems.push_back(fmt::format("{}:{}: {}", name, number, done.error().message));
    }
  }
  viewer.graph().end_gesture();
  return problems;
}

}  // namespace tideline::app
