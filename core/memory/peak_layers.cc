// Problem: "why is it 5.4 GiB?" wants an answer in the words of the model: layers. But at the peak
// memory is held by ops of all passes, and only the forward ops lie in the scopes of layers: the
// gradients of "conv1" are called gradients/conv1/Conv2D_grad/..., its slots conv1/kernel/Adam_1 or
// Adam/m/conv1/kernel, or have no scope at all (gradients/AddN_3).
// Idea: find for each op the layer that it works for. A slot belongs to its variable, which edges
// tell; an op of the backward pass to the forward op in its name or, without one, to the backward
// op that it reads first. Then the rows: begin with the outermost scopes, and open the one with the
// most bytes as long as what is in it fits into the table, so that large models are shown in blocks
// and small ones in layers.
//   gradients/conv1/Conv2D_grad/Conv2DBackpropFilter  ->  conv1/Conv2D
//   gradient_tape/net/conv1/Conv2D/Conv2DBackpropInput ->  net/conv1/Conv2D/Conv2DBackpropInput
// Cost: O(tensors alive x depth of names), and the roles of variables.
// Limits: names decide for gradients, as TensorFlow's tf.gradients and GradientTape write them.
// Source: own. Tested by unit/memory/peak_layers_test.cc.
#include "core/memory/peak_layers.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/analysis/structure/gradient_names.h"

namespace tideline {
namespace {

// A node of the tree of layers; a leaf is an op.
struct Node {
  PeakLayer sum;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> children;
};

void add(const PeakLayer& from, PeakLayer& to) {
  to.bytes = saturating_add(to.bytes, from.bytes);
  to.variables = saturating_add(to.variables, from.variables);
  to.slots = saturating_add(to.slots, from.slots);
  to.activations = saturating_add(to.activations, from.activations);
  to.gradients = saturating_add(to.gradients, from.gradients);
}

PeakLayer share_of(MemoryKind kind, Bytes bytes) {
  PeakLayer share;
  share.bytes = bytes;
  switch (kind) {
    case MemoryKind::kVariable: share.variables = bytes; break;
    case MemoryKind::kOptimizerSlot: share.slots = bytes; break;
    case MemoryKind::kActivation: share.activations = bytes; break;
    case MemoryKind::kGradient: share.gradients = bytes; break;
    default: break;
  }
  return share;
}

class Layers {
 public:
  Layers(const Graph& graph, std::span<const VariableUse> variables) : graph_(graph) {
    for (const VariableUse& use : variables) {
      if (use.slot_of.valid()) variable_of_[use.variable.value] = use.slot_of;
    }
  }

  void add_alive(OpId op, MemoryKind kind, Bytes bytes) {
    const PeakLayer share = share_of(kind, bytes);
    Node* node = &root_;
    add(share, node->sum);
    const std::string name = layer_of(op);
    for (const std::string_view part : name_parts(name)) {
      auto found = node->children.find(part);
      if (found == node->children.end()) {
        found = node->children.emplace(std::string(part), std::make_unique<Node>()).first;
        const std::string& above = node->sum.name;
        found->second->sum.name = above.empty() ? std::string(part) : above + "/" + found->first;
      }
      node = found->second.get();
      add(share, node->sum);
    }
  }
  void add_unnamed(Bytes bytes) { unnamed_ = saturating_add(unnamed_, bytes); }

  [[nodiscard]] std::vector<PeakLayer> rows(std::size_t most) const {
    std::vector<const Node*> nodes;
    for (const auto& [name, child] : root_.children) nodes.push_back(child.get());
    sort(nodes);
    // A row for what has no name, if there is anything.
    const std::size_t room = most - (unnamed_ > 0 ? 1 : 0);
    while (open_one(nodes, room)) sort(nodes);
    std::vector<PeakLayer> rows;
    PeakLayer others;
    const bool has_others = unnamed_ > 0 || nodes.size() > most;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!has_others || i + 1 < most) {
        rows.push_back(nodes[i]->sum);
      } else {
        add(nodes[i]->sum, others);
        ++others.others;
      }
    }
    others.bytes = saturating_add(others.bytes, unnamed_);
    if (has_others) rows.push_back(std::move(others));
    return rows;
  }

 private:
  static void sort(std::vector<const Node*>& nodes) {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const Node* a, const Node* b) { return a->sum.bytes > b->sum.bytes; });
  }

  // A scope whose ops lie in it directly is a layer, and stays one; one whose bytes are mostly in
  // scopes of its own is opened.
  static bool is_block(const Node& node) {
    Bytes in_scopes = 0;
    for (const auto& [name, child] : node.children) {
      if (!child->children.empty()) in_scopes = saturating_add(in_scopes, child->sum.bytes);
    }
    return in_scopes > node.sum.bytes / 2;
  }
  // Opens the largest block for whose scopes there is room; false if there is none. One with more
  // than half of all bytes is opened in any case: small rows are then shown together.
  [[nodiscard]] bool open_one(std::vector<const Node*>& nodes, std::size_t room) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = *nodes[i];
      const bool is_most = node.sum.bytes > root_.sum.bytes / 2 && room > 1;
      const bool has_room = nodes.size() - 1 + node.children.size() <= room;
      if (!is_block(node) || (!is_most && !has_room)) continue;
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i));
      for (const auto& [name, child] : node.children) nodes.push_back(child.get());
      return true;
    }
    return false;
  }

  // Names of ops without a layer of their own are short of what they work for: they take it from
  // the first gradient that they read.
  [[nodiscard]] std::string layer_of(OpId op) const {
    constexpr int kMostSteps = 16;
    if (const auto slot = variable_of_.find(op.value); slot != variable_of_.end()) {
      op = slot->second;
    }
    OpId at = op;
    for (int i = 0; i < kMostSteps; ++i) {
      const std::string_view name = graph_.name(at);
      const std::vector<std::string_view> parts = name_parts(name);
      const bool is_bare = parts.size() == 2 && is_gradient_scope(parts.front());
      if (!is_bare || graph_.inputs(at).empty()) return layer_name(name);
      at = graph_.inputs(at).front().op;
    }
    return layer_name(graph_.name(op));
  }

  const Graph& graph_;
  std::unordered_map<std::uint32_t, OpId> variable_of_;  // by slot; only looked up
  Node root_;
  Bytes unnamed_ = 0;
};

}  // namespace

std::vector<PeakLayer> peak_layers(const Graph& graph, std::span<const VariableUse> variables,
                                   const MemoryTimeline& timeline, std::size_t most) {
  Layers layers(graph, variables);
  Bytes named = 0;
  for (const LiveTensor& alive : timeline.alive_at_peak) {
    named = saturating_add(named, alive.bytes);
    if (alive.tensor.op.index() < graph.op_count()) {
      layers.add_alive(alive.tensor.op, alive.kind, alive.bytes);
    } else {
      layers.add_unnamed(alive.bytes);
    }
  }
  layers.add_unnamed(std::max<Bytes>(0, timeline.device_peak - named));
  return layers.rows(most);
}

}  // namespace tideline
