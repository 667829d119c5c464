// The reference synchronises every active host op of the graph, both its own copies and existing
// ops; the callers decide to which ops these rules are applied. Where the reference searches for
// cycles only along device ops of rising level, the draft is asked for any path: an edge that would
// close a cycle through a host op or an earlier edge is omitted as well. Source: IBM TFLMS v2,
// lms.py, _sync_h2d and _sync_d2h (rules only).
#include "core/rewrite/lms2/sync.h"

#include <algorithm>

namespace tideline::lms2 {
namespace {

// The active device ops among `ops`, which may hold copies.
std::vector<OpId> device_ops(const Context& context, const Draft& draft,
                             const std::vector<OpId>& ops) {
  std::vector<OpId> found;
  for (const OpId op : ops) {
    if (!draft.is_copy(op) && context.is_active_device_op(op)) found.push_back(op);
  }
  return found;
}

std::vector<OpId> merged(const std::vector<OpId>& a, const std::vector<OpId>& b) {
  std::vector<OpId> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

bool among(const std::vector<OpId>& sorted, OpId op) {
  return std::binary_search(sorted.begin(), sorted.end(), op);
}

}  // namespace

std::int64_t sync_swap_in(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                          std::vector<ControlEdge>& edges) {
  const std::vector<OpId> readers = device_ops(context, draft, draft.readers(copy));
  if (readers.size() != 1) return 0;
  const OpId reader = readers.front();
  std::vector<OpId> waited_for =
      device_ops(context, draft, merged(draft.producers(reader), draft.awaited(reader)));
  if (waited_for.empty()) {
    const auto below = context.levels.ops(context.levels.level(reader) - 1);
    waited_for = device_ops(context, draft, {below.begin(), below.end()});
  }
  const std::vector<OpId> inputs = merged(draft.producers(copy), draft.awaited(copy));
  std::int64_t crossing = 0;
  for (const OpId op : waited_for) {
    if (op == copy || among(inputs, op) || draft.leads_to(copy, op)) continue;
    if (guard != nullptr && !guard->keeps_alive(draft, copy, op)) continue;
    if (draft.crosses_frames(copy, op)) {
      ++crossing;
    } else if (draft.add_control(copy, op)) {
      edges.push_back({copy, op});
    }
  }
  return crossing;
}

std::int64_t sync_swap_out(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                           std::vector<ControlEdge>& edges) {
  const std::vector<OpId> producers = device_ops(context, draft, draft.producers(copy));
  if (producers.size() != 1) return 0;
  const OpId producer = producers.front();
  const std::vector<OpId> followers =
      device_ops(context, draft, merged(draft.readers(producer), draft.waiters(producer)));
  const std::vector<OpId> outputs = merged(draft.readers(copy), draft.waiters(copy));
  std::int64_t crossing = 0;
  for (const OpId op : followers) {
    if (op == copy || among(outputs, op) || draft.leads_to(op, copy)) continue;
    if (guard != nullptr && !guard->keeps_alive(draft, op, copy)) continue;
    if (draft.crosses_frames(op, copy)) {
      ++crossing;
    } else if (draft.add_control(op, copy)) {
      edges.push_back({op, copy});
    }
  }
  return crossing;
}

}  // namespace tideline::lms2
