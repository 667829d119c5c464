// All that the inspector shows of one op.
#pragma once

#include "app/session/reasons.h"
#include "app/session/snapshot.h"
#include "render/model/ui_model.h"

namespace tideline::session {

inline constexpr std::size_t kMostNames = 200;       ///< in each list of a card
inline constexpr std::size_t kMostValueBytes = 300;  ///< of an attribute

/// `reasons` may be null, or of another snapshot: then only swapped tensors have one. Precondition:
/// `op` is one of the graph. Cost: the op's edges and attributes.
[[nodiscard]] ui::OpCard op_card(const Snapshot& snapshot, const Reasons* reasons, OpId op);

/// "f32 [2,3] {1, 2, 3, 4, 5, 6}", "true", "'valid'": an attribute as text, cut at kMostValueBytes.
[[nodiscard]] std::string attribute_text(const NodeCodec& codec, std::string_view encoded);

}  // namespace tideline::session
