// Tested by unit/web/routes_test.cc.
#include "app/web/state_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "app/session/resume.h"
#include "app/web/document_json.h"
#include "app/web/lessons.h"
#include "app/web/view_json.h"
#include "core/base/text.h"
#include "core/rewrite/parameter_names.h"
#include "core/rewrite/policy.h"
#include "render/model/levels_limit.h"
#include "render/model/policy_controls.h"
#include "render/model/result_lines.h"
#include "render/view/clock_curve.h"
#include "render/view/scopes_loop.h"

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostMessages = 50;
constexpr std::size_t kMostLinks = 100;

ordered_json texts_json(const std::vector<std::string>& texts) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < std::min(texts.size(), kMostLinks); ++i) list.push_back(texts[i]);
  return list;
}

// The traced steps of the log that the traced step is from, if there are several to choose from;
// not of a file that was sent, whose place is nobody's business.
ordered_json traced_json(const Served& served, const MeasuredRun* run) {
  if (run == nullptr || run->choices.size() < 2 || served.shown(run->path) != run->path) {
    return nullptr;
  }
  const std::span<const TracedStep> all = run->choices;
  const auto shown =
      static_cast<std::size_t>(std::find(all.begin(), all.end(), run->chosen) - all.begin());
  // Of many the last ones, or from the one that is shown on.
  const std::size_t first = std::min(shown, all.size() - std::min(all.size(), kMostLinks));
  ordered_json steps = ordered_json::array();
  for (const TracedStep& step : all.subspan(first, std::min(all.size() - first, kMostLinks))) {
    steps.push_back({{"run", step.run}, {"tag", step.tag}, {"step", step.step}});
  }
  return {{"path", run->path}, {"steps", steps}, {"shown", shown - first}};
}

ordered_json graph_json(const Served& served, const ui::UiModel& model) {
  if (!model.scene) return nullptr;
  const render::Scene& scene = *model.scene;
  const std::string path = served.shown(model.path);
  ordered_json graph;
  graph["path"] = path;
  graph["title"] = path.substr(path.find_last_of('/', path.size() < 2 ? 0 : path.size() - 2) + 1);
  graph["format"] = served.shown(model.format);
  graph["levels"] = scene.levels->count();
  graph["ops"] = scene.graph->op_count();
  ordered_json summary = ordered_json::array();
  if (const Summary* facts = model.summary) {
    summary.push_back({"ops", std::to_string(facts->vertices)});
    summary.push_back({"levels", std::to_string(facts->levels_complete)});
    summary.push_back({"trainable variables",
                       fmt::format("{} in {}", format_bytes(facts->learning_parameter_bytes),
                                   facts->trainable_variables)});
    if (facts->unknown_size_tensors > 0) {
      summary.push_back({"tensors of unknown size",
                         fmt::format("{} of {}", facts->unknown_size_tensors, facts->tensors)});
    }
  }
  graph["summary"] = std::move(summary);
  ordered_json diagnostics = ordered_json::array();
  for (const Diagnostic& entry : model.diagnostics->entries()) {
    if (entry.severity == Severity::kInfo) continue;
    diagnostics.push_back(served.shown(
        fmt::format("{} x {}: {}", entry.count, entry.kind,
                    printable(with_parameter_names(entry.example, Naming::kField), 2000))));
  }
  graph["diagnostics"] = std::move(diagnostics);
  ordered_json devices = ordered_json::array();
  for (const auto& device : scene.devices) devices.push_back(std::string(device.device));
  graph["devices"] = std::move(devices);
  graph["measured"] = scene.measured != nullptr;
  graph["traced"] = traced_json(served, scene.measured);
  graph["timed"] = render::has_clock(scene, 0);
  graph["swaps"] = model.swaps.size();
  graph["copies_in_file"] = scene.copies != nullptr ? scene.copies->copy_count() : 0;
  graph["scopes"] = scene.scopes->scopes.size() - 1;
  graph["function"] = model.function;
  graph["loops"] = render::loops_around(scene, served.viewer.view.boxes.loop);
  return graph;
}

ordered_json output_json(const ui::TensorCard& tensor) {
  ordered_json output;
  output["tensor"] = tensor.name;
  output["shape"] = tensor.shape;
  output["type"] = tensor.type;
  output["bytes"] = tensor.bytes;
  output["size"] = (tensor.unknown_size ? "at least " : "") + format_bytes(tensor.bytes);
  output["unknown_size"] = tensor.unknown_size;
  output["swapped"] = tensor.swapped;
  output["why"] = printable(tensor.why, 2000);
  output["memory"] = tensor.memory;
  output["user"] = override_name(tensor.user);
  output["own_ahead"] = tensor.own_ahead;
  return output;
}

ordered_json selected_json(const ui::UiModel& model) {
  if (!model.selected) return nullptr;
  const ui::OpCard& card = *model.selected;
  ordered_json selected;
  selected["op"] = card.name;
  selected["type"] = card.type;
  selected["device"] = card.device;
  selected["phase"] = card.phase;
  selected["scope"] = card.scope;
  selected["level"] = card.level;
  selected["line"] = nullptr;
  if (!card.line.file.empty()) {
    selected["line"] = {{"text", line_in_function(card.line)}, {"whole", whole_text(card.line)}};
  }
  selected["outputs"] = ordered_json::array();
  for (std::size_t i = 0; i < std::min(card.outputs.size(), kMostLinks); ++i) {
    selected["outputs"].push_back(output_json(card.outputs[i]));
  }
  selected["output_count"] = card.outputs.size();
  selected["inputs"] = texts_json(card.inputs);
  selected["input_count"] = card.inputs.size();
  selected["controls"] = texts_json(card.controls);
  selected["control_count"] = card.controls.size();
  selected["consumers"] = texts_json(card.consumers);
  selected["consumer_count"] = card.consumers.size();
  return selected;
}

ordered_json messages_json(const Served& served, const ui::UiModel& model) {
  ordered_json list = ordered_json::array();
  const std::size_t count = model.messages.size();
  for (std::size_t i = count - std::min(count, kMostMessages); i < count; ++i) {
    const ui::Message& message = model.messages[i];
    const char* kind = message.kind == ui::MessageKind::kError     ? "error"
                       : message.kind == ui::MessageKind::kWarning ? "warning"
                                                                   : "info";
    list.push_back({{"kind", kind}, {"text", served.shown(message.text)}});
  }
  return list;
}

ordered_json actions_json(const ui::UiModel& model) {
  ordered_json disabled = ordered_json::array();
  ordered_json checked = ordered_json::array();
  ordered_json titles = ordered_json::object();
  for (const ui::ActionInfo& info : model.actions) {
    if (!info.enabled) disabled.push_back(info.id);
    if (info.checked) checked.push_back(info.id);
    if (info.id == "edit.undo" || info.id == "edit.redo") titles[info.id] = info.title;
  }
  return {{"disabled", disabled}, {"checked", checked}, {"titles", titles}};
}

// What a session that is opened again is to do; null: to begin its lesson again.
ordered_json resume_json(const Served& served) {
  ordered_json list = ordered_json::array();
  if (served.viewer.lesson.lesson) return nullptr;
  if (!app::has_graph(served.viewer)) return list;
  for (const ui::Intent& intent :
       app::actions_for(served.viewer.graph().wish(), app::level_count(served.viewer))) {
    ordered_json words = {intent.action};
    for (const std::string& word : intent.arguments) words.push_back(word);
    list.push_back(std::move(words));
  }
  return list;
}

ordered_json control_json(const ui::Control& control) {
  ordered_json json_of;
  json_of["section"] = control.section;
  json_of["name"] = control.name;
  json_of["title"] = control.title;
  json_of["help"] = control.help;
  json_of["kind"] = ui::control_kind_name(control.kind);
  json_of["value"] = control.value;
  json_of["shown"] = control.shown;
  if (control.kind == ui::ControlKind::kSlider) {
    json_of["number"] = control.number;
    json_of["least"] = control.least;
    json_of["most"] = control.most;
    json_of["logarithmic"] = control.is_logarithmic;
    json_of["unit"] = control.unit;
    json_of["assumed"] = control.is_assumed;
  }
  json_of["none"] = control.none;
  if (control.kind == ui::ControlKind::kChoice || !control.choices.empty()) {
    json_of["choices"] = ordered_json::array();
    for (const ui::ControlChoice& choice : control.choices) {
      json_of["choices"].push_back({choice.value, choice.title});
    }
  }
  json_of["enabled"] = control.enabled;
  json_of["do"] = control.action;
  return json_of;
}

ordered_json result_json(const ui::ResultCard& card) {
  ordered_json result;
  result["title"] = card.title;
  result["hint"] = card.hint;
  result["lines"] = ordered_json::array();
  for (const ui::ResultLine& line : card.lines) {
    ordered_json shown;
    shown["name"] = line.name;
    shown["text"] = line.text;
    shown["tone"] = ui::tone_name(line.tone);
    shown["hint"] = line.hint;
    shown["small"] = line.is_small;
    shown["detail"] = line.is_detail;
    if (!line.label.empty()) {
      shown["label"] = line.label;
      shown["do"] = {line.action};
      for (const std::string& argument : line.arguments) shown["do"].push_back(argument);
    }
    result["lines"].push_back(std::move(shown));
  }
  return result;
}

ordered_json parts_json(const std::vector<ui::FitPart>& parts) {
  ordered_json list = ordered_json::array();
  for (const ui::FitPart& part : parts) {
    list.push_back({{"name", part.name},
                    {"bytes", part.bytes},
                    {"size", format_bytes(part.bytes)},
                    {"detail", part.detail}});
  }
  return list;
}

ordered_json fit_json(const Served& served, const ui::FitState& state) {
  ordered_json fit;
  fit["stale"] = state.is_stale;
  fit["running"] = state.is_running;
  fit["problem"] = served.shown(state.problem);
  fit["card"] = nullptr;
  if (state.card == nullptr) return fit;
  const ui::FitCard& card = *state.card;
  ordered_json shown;
  shown["fits"] = card.fits;
  shown["any_fits"] = card.any_fits;
  shown["verdict"] = card.verdict;
  shown["largest_batch"] = card.largest_batch ? ordered_json(*card.largest_batch) : nullptr;
  shown["largest"] = card.largest;
  shown["range"] = card.range;
  shown["kinds"] = parts_json(card.kinds);
  shown["layers"] = parts_json(card.layers);
  shown["ways"] = ordered_json::array();
  for (const ui::FitRow& way : card.ways) {
    shown["ways"].push_back({{"title", way.title},
                             {"fits", way.fits},
                             {"batch", way.batch},
                             {"peak", way.peak},
                             {"example", way.example},
                             {"cost", way.cost},
                             {"notes", way.notes},
                             {"command", served.shown(way.command)}});
  }
  shown["missing"] = ordered_json::array();
  for (const ui::FitMissing& way : card.missing) {
    shown["missing"].push_back({way.title, served.shown(way.reason)});
  }
  shown["warnings"] = texts_json(card.warnings);
  fit["card"] = std::move(shown);
  return fit;
}

ordered_json controls_json(const ui::UiModel& model) {
  ordered_json list = ordered_json::array();
  for (const ui::Control& control : ui::policy_controls(model)) {
    list.push_back(control_json(control));
  }
  return list;
}

}  // namespace

const char* override_name(Override user) {
  switch (user) {
    case Override::kNone: break;
    case Override::kKeep: return "keep";
    case Override::kSwap: return "swap";
  }
  return "none";
}

const ui::UiModel& update_model(Served& served) {
  const ui::UiModel& model = app::make_ui_model(served.viewer);
  served.cache.update(model, served.viewer.view);
  return model;
}

ordered_json state_json(Served& served) {
  const ui::UiModel& model = update_model(served);
  ordered_json state;
  state["revision"] = served.revision;
  state["busy"] = served.session.is_busy();
  state["job"] = nullptr;
  if (model.job) {
    state["job"] = {{"title", served.shown(model.job->title)},
                    {"stage", model.job->stage},
                    {"done_0_1", model.job->done_0_1}};
  }
  state["stale"] = model.is_stale;
  state["graph"] = graph_json(served, model);
  state["controls"] = controls_json(model);
  state["policy_error"] = served.shown(model.policy_error);
  state["outdated"] = model.policy_error.empty() ? "" : ui::kOutdatedPlan;
  state["tuned"] = model.tuned_text;
  state["result"] = {{"title", ""}, {"lines", ordered_json::array()}};
  if (model.scene) {
    const ui::ViewState& view = served.viewer.view;
    state["result"] = result_json(ui::result_card(model, view.device, ui::limit_of(view)));
  }
  if (model.scene && served.viewer.view.tab == ui::Tab::kFit) {
    state["fit"] = fit_json(served, model.fit);
  }
  state["selected"] = selected_json(model);
  state["lesson"] = lesson_json(model);
  state["view"] = view_json(served, model);
  state["undo"] = model.undo_title;
  state["redo"] = model.redo_title;
  state["unwritten"] = model.unwritten;
  state["messages"] = messages_json(served, model);
  state["actions"] = actions_json(model);
  state["resume"] = resume_json(served);
  add_document(served, model, state);
  return state;
}

ordered_json action_json(const ui::ActionInfo& info) {
  return {{"id", info.id},     {"title", info.title}, {"menu", info.menu},
          {"keys", info.keys}, {"help", info.help},   {"needs_arguments", info.needs_arguments}};
}

}  // namespace tideline::web
