// Logs and checkpoints, the documents beside graphs, in states and tables of a session.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "app/web/message.h"
#include "app/web/served.h"

namespace tideline::web {

/// Whether the session is of a log or a checkpoint, read or being read.
[[nodiscard]] bool is_document_shown(const Served& served);
/// Whether somebody has to wait for a job of it. Following a log that grows is none.
[[nodiscard]] bool is_document_at_work(const Served& served);

/// Adds "document" to a state: null or {kind, path, title}; once it is read also "log" or
/// "checkpoint"; "busy" is then as is_document_at_work has it. Preconditions: the mutex is held,
/// and `model` is up to date.
void add_document(Served& served, const ui::UiModel& model, nlohmann::ordered_json& state);

/// {"total", "rows"} of the table that the query names, as rows_json. Preconditions: the same, and
/// is_document_shown.
[[nodiscard]] Result<nlohmann::ordered_json> document_rows_json(Served& served,
                                                                const Request& request,
                                                                std::size_t first,
                                                                std::size_t count);

}  // namespace tideline::web
