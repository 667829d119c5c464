// Tested by unit/web/routes_log_test.cc and unit/web/routes_checkpoint_test.cc.
#include "app/web/document_json.h"

#include <nlohmann/json.hpp>

#include "app/web/checkpoint_json.h"
#include "app/web/log_json.h"
#include "app/web/state_json.h"

namespace tideline::web {
namespace {

using nlohmann::ordered_json;

// Null for graphs, and without any.
const app::Session::Entry* shown_document(const Served& served) {
  const app::Session::Entry* entry = served.viewer.session.find(served.viewer.shown);
  return entry == nullptr || entry->kind->id == "graph" ? nullptr : entry;
}

}  // namespace

bool is_document_shown(const Served& served) {
  return shown_document(served) != nullptr;
}

bool is_document_at_work(const Served& served) {
  const app::Session::Entry* entry = shown_document(served);
  if (entry == nullptr) return false;
  const bool is_log = entry->kind->id == "log";
  return is_log ? !entry->document->is_open() || entry->document->job().has_value()
                : entry->document->is_busy();
}

void add_document(Served& served, const ui::UiModel& model, ordered_json& state) {
  state["document"] = nullptr;
  const app::Session::Entry* entry = shown_document(served);
  if (entry == nullptr) return;
  const std::string path = served.shown(entry->document->request().graph.path);
  state["document"] = {{"kind", entry->kind->id}, {"path", path}, {"title", app::file_name(path)}};
  state["busy"] = is_document_at_work(served);
  if (model.log) state["log"] = log_json(served, model);
  if (model.checkpoint) state["checkpoint"] = checkpoint_json(served, model);
}

Result<ordered_json> document_rows_json(Served& served, const Request& request, std::size_t first,
                                        std::size_t count) {
  const ui::UiModel& model = update_model(served);
  if (model.log) return log_rows_json(served, model, request, first, count);
  if (model.checkpoint) return checkpoint_rows_json(served, request, first, count);
  return fail(Code::kInvalidArgument, "there are no rows, because nothing is read yet");
}

}  // namespace tideline::web
