// Searches for ops by name and properties.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/engine/opened_graph.h"
#include "core/base/error.h"

namespace tideline::app {

struct FoundOps {
  std::vector<OpId> ops;   ///< the first kMostHits, in file order
  std::int64_t total = 0;  ///< number of all hits
};
inline constexpr std::size_t kMostHits = 1000;

/// Ops that match all words of `query`. A word is a part of the name, the end of a tensor's name
/// with its slot, or one of op:TYPE, type:DTYPE (part of it, of an output), scope:PATH,
/// device:PART, attr:KEY, attr:KEY=VALUE, phase:NAME, level:A..B, line:FILE, line:FILE:NUMBER (of
/// the code that made it, LinePattern), bytes>SIZE, bytes<SIZE (of all outputs). A name, and what
/// stands behind op:, type:, scope:, device:, attr: or line:, may be a regular expression, which is
/// found anywhere: /^conv\d+$/, attr:/padding=.*SAME/. All but a path of a scope and a file ignores
/// case. An empty query has no hits. Errors: kInvalidArgument for a word that begins
/// as one of these and cannot be read. Cost: O(ops x words); of attr:, the attributes. Thread:
/// pure.
[[nodiscard]] Result<FoundOps> search_ops(const OpenedGraph& graph, std::string_view query);

/// The op, as its output 0, or the tensor that is called `name`. Errors: kNotFound, with the
/// nearest names. Cost: O(1); O(ops) for an error. Thread: pure.
[[nodiscard]] Result<TensorId> find_named(const OpenedGraph& graph, const std::string& name);

}  // namespace tideline::app
