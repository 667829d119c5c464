// Problem: a graph of 100,000 ops is to be read like a map, from a dozen boxes down to single ops,
// and what makes other viewers slow is looking for order: clusters, layers, layouts of everything.
// Idea: names give the tree and levels give the order, so nothing is searched for. Scopes are
// boxes; numbered siblings of equal structure (series.h) become one box; what still has more than
// kMostChildren children gets groups of consecutive ones, again and again, so that no box that is
// opened is a wall. Siblings are sorted by the mean level of their ops. Since an op without inputs
// has level 0, a scope with a variable would begin at 0 wherever it is used; so each op counts as
// late as its readers allow, and of a scope with ops of several phases only the first phase counts.
// Example: x, net/block_1/conv ... net/block_9/conv give the boxes x, net, and in net
// block_[1-9]. Cost: O(ops + edges + scopes x log siblings). Limits: series of one scope whose
// names would be equal are numbered. Source: the behaviour of TensorBoard's graph view; groups as
// in Model Explorer. Tested by unit/view/scope_boxes_test.cc.
#include "render/view/scope_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/analysis/structure/series.h"
#include "core/base/text.h"
#include "render/view/scopes_loop.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr std::uint32_t kNoSeries = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kLeastGroup = 64;    // members
constexpr std::int64_t kLeastShare = 5;    // a fifth
constexpr std::int64_t kLeastOfStep = 10;  // a tenth

bool is_of_step(const Scene& scene, OpId op) {
  return scene.phases->of(op) != Phase::kOther;
}

// By op: one level below its first reader, where there is one; initializers and savers are no
// readers of what is part of the step.
std::vector<std::int32_t> late_places(const Scene& scene) {
  const Graph& graph = *scene.graph;
  const LevelMap& levels = *scene.levels;
  std::vector<std::int32_t> places(graph.op_count());
  for (std::int32_t level = levels.count(); level-- > 0;) {
    for (const OpId op : levels.ops(level)) {
      std::int32_t first = std::numeric_limits<std::int32_t>::max();
      for (const Use use : scene.consumers->data(op)) {
        const bool counts = is_of_step(scene, use.consumer) || !is_of_step(scene, op);
        if (counts && levels.level(use.consumer) > level)  // not around a loop
          first = std::min(first, places[use.consumer.index()] - 1);
      }
      places[op.index()] = first == std::numeric_limits<std::int32_t>::max() ? level : first;
    }
  }
  return places;
}

// Sums over some ops.
struct Sums {
  std::array<std::int64_t, kPhaseCount> ops{}, places{};  // by phase
  std::int32_t first_level = std::numeric_limits<std::int32_t>::max(), last_level = 0;
  Bytes bytes = 0;
  bool is_unknown = false;

  void add(const Sums& other) {
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      ops.at(phase) += other.ops.at(phase);
      places.at(phase) += other.places.at(phase);
    }
    first_level = std::min(first_level, other.first_level);
    last_level = std::max(last_level, other.last_level);
    bytes = saturating_add(bytes, other.bytes);
    is_unknown = is_unknown || other.is_unknown;
  }
  [[nodiscard]] std::int64_t count() const {
    return std::accumulate(ops.begin(), ops.end(), std::int64_t{0});
  }
  [[nodiscard]] std::int64_t of_step() const {
    return count() - ops.at(static_cast<std::size_t>(Phase::kOther));
  }
  // Of the first phase that has a share of the ops of the step: a layer stands where it is
  // computed, though its scope has the slots of an optimizer, too.
  [[nodiscard]] double place() const {
    for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kUpdate, Phase::kOther}) {
      const auto at = static_cast<std::size_t>(phase);
      const bool is_share = phase == Phase::kOther || kLeastShare * ops.at(at) >= of_step();
      if (ops.at(at) > 0 && is_share)
        return static_cast<double>(places.at(at)) / static_cast<double>(ops.at(at));
    }
    return 0;
  }
};

// A child that is to become a box.
struct Entry {
  BoxKind kind = BoxKind::kOp;
  std::uint32_t id = 0;  // of the op, the scope or the series; of a group its first child
  std::uint32_t name = 0;
  Sums sums;
  std::vector<Entry> members;  // of a group
};

bool is_before(const Entry& a, const Entry& b) {
  return std::tuple(a.sums.place(), a.kind, a.id) < std::tuple(b.sums.place(), b.kind, b.id);
}

class BoxBuilder {
 public:
  BoxBuilder(const Scene& scene, std::string_view loop)
      : scene_(scene),
        graph_(*scene.graph),
        tree_(*scene.scopes),
        series_(find_series(graph_, tree_)),
        series_of_scope_(tree_.scopes.size(), kNoSeries),
        series_of_op_(graph_.op_count(), kNoSeries),
        series_in_(tree_.scopes.size()) {
    measure(loop);
    for (const Scope& scope : tree_.scopes) {
      if (scope.path.find('[') != std::string_view::npos) taken_.emplace(scope.path);
    }
    for (std::uint32_t i = 0; i < series_.size(); ++i) {
      std::erase_if(series_[i].members, [&](const Series::Member& member) {
        return !(member.op.valid() ? is_shown(member.op) : is_shown(member.scope));
      });
      if (series_[i].members.size() < kLeastSeries) continue;
      series_in_[series_[i].parent].push_back(i);
      for (const Series::Member& member : series_[i].members) {
        (member.op.valid() ? series_of_op_[member.op.index()] : series_of_scope_[member.scope]) = i;
      }
    }
  }

  ScopeBoxes build() {
    result_.of_path.reserve(tree_.scopes.size());
    add_box({BoxKind::kScope, 0, 0, of_scope_[0], {}}, 0);
    for (std::uint32_t box = 0; box < result_.boxes.size(); ++box) {
      if (!result_.boxes[box].can_open()) continue;
      std::vector<Entry> children = parted(children_of(box), box);
      result_.boxes[box].first_child = static_cast<std::uint32_t>(result_.boxes.size());
      result_.boxes[box].child_count = static_cast<std::uint32_t>(children.size());
      for (Entry& child : children) add_box(std::move(child), box);
    }
    list_ops();
    return std::move(result_);
  }

 private:
  // Ops outside of the loop have no sums, by which they are known.
  void measure(std::string_view loop) {
    const ShownOps shown(scene_, loop);
    const std::vector<std::int32_t> places = late_places(scene_);
    of_op_.resize(graph_.op_count());
    of_scope_.resize(tree_.scopes.size());
    for (const OpId op : graph_.ops()) {
      if (!shown.contains(op)) continue;
      Sums& own = of_op_[op.index()];
      const auto phase = static_cast<std::size_t>(scene_.phases->of(op));
      own.ops.at(phase) = 1;
      own.places.at(phase) = places[op.index()];
      own.first_level = own.last_level = scene_.levels->level(op);
      own.bytes = scene_.tensors->output_bytes(op);
      for (std::uint32_t slot = 0; slot < scene_.tensors->output_count(op); ++slot)
        own.is_unknown = own.is_unknown || scene_.tensors->is_unknown({op, slot});
      of_scope_[tree_.scope_of[op.index()]].add(own);
    }
    for (std::size_t i = tree_.scopes.size(); i-- > 1;)
      of_scope_[tree_.scopes[i].parent].add(of_scope_[i]);
  }

  [[nodiscard]] bool is_shown(OpId op) const { return of_op_[op.index()].count() > 0; }
  [[nodiscard]] bool is_shown(std::uint32_t scope) const { return of_scope_[scope].count() > 0; }
  [[nodiscard]] Entry op_entry(OpId op) const {
    return {BoxKind::kOp, op.value, op.value, of_op_[op.index()], {}};
  }
  [[nodiscard]] Entry scope_entry(std::uint32_t scope) const {
    return {BoxKind::kScope, scope, scope, of_scope_[scope], {}};
  }
  Entry series_entry(std::uint32_t index, std::uint32_t box) {
    const Series& series = series_[index];
    Entry entry = {BoxKind::kSeries, index, 0, {}, {}};
    for (const Series::Member& member : series.members)
      entry.sums.add(member.op.valid() ? of_op_[member.op.index()] : of_scope_[member.scope]);
    entry.name = add_name(fmt::format("{}_[{}-{}]", series.stem, series.members.front().number,
                                      series.members.back().number),
                          box);
    return entry;
  }

  // Sorted by place.
  std::vector<Entry> children_of(std::uint32_t box) {
    std::vector<Entry> children;
    const BoxKind kind = result_.boxes[box].kind;
    if (kind == BoxKind::kGroup) return std::move(pending_[box]);
    if (kind == BoxKind::kSeries) {
      for (const Series::Member& member : series_[ids_[box]].members)
        children.push_back(member.op.valid() ? op_entry(member.op) : scope_entry(member.scope));
    } else {
      const Scope& scope = tree_.scopes[ids_[box]];
      for (const std::uint32_t child : tree_.child_scopes(scope)) {
        if (series_of_scope_[child] == kNoSeries && is_shown(child))
          children.push_back(scope_entry(child));
      }
      for (const OpId op : tree_.own_ops(scope)) {
        if (series_of_op_[op.index()] == kNoSeries && is_shown(op))
          children.push_back(op_entry(op));
      }
      for (const std::uint32_t index : series_in_[ids_[box]])
        children.push_back(series_entry(index, box));
    }
    std::sort(children.begin(), children.end(), is_before);
    return children;
  }

  // At most kMostChildren of them: consecutive ones in groups of equal size.
  std::vector<Entry> parted(std::vector<Entry> children, std::uint32_t box) {
    const std::size_t count = children.size();
    if (count <= kMostChildren) return children;
    const std::size_t group_size =
        std::max(kLeastGroup, (count + kMostChildren - 1) / kMostChildren);
    std::vector<Entry> groups;
    for (std::size_t first = 0; first < count; first += group_size) {
      const std::size_t end = std::min(count, first + group_size);
      Entry group = {BoxKind::kGroup, static_cast<std::uint32_t>(first), 0, {}, {}};
      group.name = add_name(fmt::format("[{}-{}]", first + 1, end), box);
      for (std::size_t i = first; i < end; ++i) {
        group.sums.add(children[i].sums);
        group.members.push_back(std::move(children[i]));
      }
      groups.push_back(std::move(group));
    }
    return groups;
  }

  // Paths stay apart whatever names there are.
  std::uint32_t add_name(std::string label, std::uint32_t box) {
    const std::string around(result_.path(scene_, result_.boxes[box]));
    std::string path = around.empty() ? label : around + "/" + label;
    for (int again = 2; !taken_.insert(path).second; ++again)
      path = fmt::format("{}/{}#{}", around, label, again);
    result_.names.push_back({std::move(label), std::move(path)});
    return static_cast<std::uint32_t>(result_.names.size() - 1);
  }

  void add_box(Entry entry, std::uint32_t parent) {
    const auto index = static_cast<std::uint32_t>(result_.boxes.size());
    ScopeBox box;
    box.kind = entry.kind;
    box.parent = parent;
    box.depth = index == 0 ? 0 : result_.boxes[parent].depth + 1;
    box.op_count = static_cast<std::uint32_t>(entry.sums.count());
    box.name = entry.name;
    box.place = entry.sums.place();
    box.first_level = entry.sums.count() == 0 ? 0 : entry.sums.first_level;
    box.last_level = entry.sums.last_level;
    box.bytes = entry.sums.bytes;
    box.is_unknown = entry.sums.is_unknown;
    box.is_outside = kLeastOfStep * entry.sums.of_step() <= entry.sums.count();
    result_.boxes.push_back(box);
    ids_.push_back(entry.id);
    if (entry.kind == BoxKind::kGroup) pending_[index] = std::move(entry.members);
    if (index > 0 && box.can_open())
      result_.of_path.emplace(result_.path(scene_, result_.boxes.back()), index);
  }

  void list_ops() {
    result_.ops.resize(graph_.op_count());
    for (std::uint32_t i = 0; i < result_.boxes.size(); ++i) {
      const ScopeBox& box = result_.boxes[i];
      if (!box.can_open()) result_.ops[box.first_op] = OpId{box.name};
      std::uint32_t next = box.first_op;
      for (std::uint32_t child = 0; child < box.child_count; ++child) {
        ScopeBox& inner = result_.boxes[box.first_child + child];
        inner.first_op = next;
        next += inner.op_count;
      }
    }
  }

  const Scene& scene_;
  const Graph& graph_;
  const ScopeTree& tree_;
  std::vector<Series> series_;
  std::vector<std::uint32_t> series_of_scope_, series_of_op_;
  std::vector<std::vector<std::uint32_t>> series_in_;  // by scope
  std::vector<Sums> of_op_, of_scope_;
  std::vector<std::uint32_t> ids_;                                 // by box: of its entry
  std::unordered_map<std::uint32_t, std::vector<Entry>> pending_;  // members, by group
  std::unordered_set<std::string> taken_;  // paths of series and groups, and what looks like them
  ScopeBoxes result_;
};

}  // namespace

std::string_view ScopeBoxes::label(const Scene& scene, const ScopeBox& box) const {
  switch (box.kind) {
    case BoxKind::kOp: return last_part(scene.graph->name(OpId{box.name}));
    case BoxKind::kScope: return scene.scopes->scopes[box.name].name;
    case BoxKind::kSeries:
    case BoxKind::kGroup: break;
  }
  return names[box.name].label;
}

std::string_view ScopeBoxes::path(const Scene& scene, const ScopeBox& box) const {
  switch (box.kind) {
    case BoxKind::kOp: return scene.graph->name(OpId{box.name});
    case BoxKind::kScope: return scene.scopes->scopes[box.name].path;
    case BoxKind::kSeries:
    case BoxKind::kGroup: break;
  }
  return names[box.name].path;
}

std::optional<std::uint32_t> ScopeBoxes::find(std::string_view path) const {
  const auto found = of_path.find(path);
  return found == of_path.end() ? std::nullopt : std::optional(found->second);
}

ScopeBoxes find_scope_boxes(const Scene& scene, std::string_view loop) {
  return BoxBuilder(scene, loop).build();
}

OpenBoxes with_open(const Scene& scene, const ScopeBoxes& boxes, OpenBoxes open,
                    std::uint32_t box) {
  for (; box != 0; box = boxes.boxes[box].parent) {
    std::string path(boxes.path(scene, boxes.boxes[box]));
    const auto at = std::lower_bound(open.begin(), open.end(), path);
    if (at == open.end() || *at != path) open.insert(at, std::move(path));
  }
  return open;
}

Result<OpenBoxes> with_open(const Scene& scene, const ScopeBoxes& boxes, OpenBoxes open,
                            std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    if (path == "*") {
      open.clear();
      for (const auto& [each, box] : boxes.of_path) open.emplace_back(each);
      std::sort(open.begin(), open.end());
      continue;
    }
    const auto box = boxes.find(path);
    if (!box) {
      return fail(Code::kNotFound,
                  "there is no scope '{}'; expected the name of one, or of a series",
                  printable(path));
    }
    open = with_open(scene, boxes, std::move(open), *box);
  }
  return open;
}

OpenBoxes open_at_first(const Scene& scene, const ScopeBoxes& boxes, std::string_view loop) {
  const std::uint32_t index = loop_of(scene, loop);
  if (index == WhileFrame::kNone) return {};
  const WhileFrame& frame = scene.loops->frames[index];
  const OpId op = frame.condition.valid() ? frame.condition : frame.enters.front();
  const auto box = std::find_if(boxes.boxes.begin(), boxes.boxes.end(), [&](const ScopeBox& each) {
    return !each.can_open() && each.name == op.value;
  });
  return with_open(scene, boxes, {}, box->parent);
}

OpenBoxes with_closed(const ScopeBoxes& boxes, OpenBoxes open, std::uint32_t box) {
  std::erase_if(open, [&](const std::string& path) {
    std::uint32_t at = boxes.find(path).value_or(0);
    while (at > box) at = boxes.boxes[at].parent;  // parents stand before their children
    return at == box && box != 0;
  });
  return open;
}

}  // namespace tideline::render
