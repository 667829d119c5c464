// The same graph under meaningless names, and in another order.
#pragma once

#include "core/io/document.h"

namespace tideline::test {

enum class Order { kKept, kReversed };

/// `document` with every op and frame called by a number. In the kept order op ids stay what they
/// were; reversed, id i becomes count - 1 - i.
[[nodiscard]] io::Document renamed_graph(const io::Document& document, Order order = Order::kKept);

}  // namespace tideline::test
