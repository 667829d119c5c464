// An open checkpoint as a page is told of it.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "app/web/message.h"
#include "app/web/served.h"

namespace tideline::web {

/// The member "checkpoint" of a state: what it is, the selected tensor with its numbers, what
/// verifying and comparing found. Preconditions: the mutex is held, `model` is up to date, and has
/// a checkpoint.
[[nodiscard]] nlohmann::ordered_json checkpoint_json(Served& served, const ui::UiModel& model);

/// Rows of "tensors", by the query's "filter" (none: all) and "sort" (name, type, shape, bytes or
/// checksum, with - in front for the other way round), which the view keeps; by name they are a
/// tree. Or of "differences" from the checkpoint that was compared. Preconditions: as above.
/// Errors: kInvalidArgument for another table or order.
[[nodiscard]] Result<nlohmann::ordered_json> checkpoint_rows_json(Served& served,
                                                                  const Request& request,
                                                                  std::size_t first,
                                                                  std::size_t count);

/// What of the view of a checkpoint a page changes itself: {"closed": [...]}, nodes of the tree.
[[nodiscard]] nlohmann::ordered_json checkpoint_view_json(const ui::CheckpointView& view);
/// False, and nothing is changed, for a wrong value.
[[nodiscard]] bool set_checkpoint_view(ui::CheckpointView& view, const nlohmann::json& value);

}  // namespace tideline::web
