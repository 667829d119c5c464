// The data that the inspector shows for one op.
#pragma once

#include "app/engine/reasons.h"
#include "app/engine/snapshot.h"
#include "render/model/ui_model.h"

namespace tideline::app {

inline constexpr std::size_t kMostNames = 200;       ///< in each list of a card
inline constexpr std::size_t kMostValueBytes = 300;  ///< of an attribute

/// Collects the data. If `reasons` is null or belongs to another snapshot, only swapped tensors
/// have a reason. Precondition: `op` is an op of the graph. Cost: O(edges and attributes of the
/// op).
[[nodiscard]] ui::OpCard op_card(const Snapshot& snapshot, const Reasons* reasons, OpId op);

/// An attribute as text, cut after kMostValueBytes: "f32 [2,3] {1, 2, 3, 4, 5, 6}", "true",
/// "'valid'".
[[nodiscard]] std::string attribute_text(const NodeCodec& codec, std::string_view encoded);

}  // namespace tideline::app
