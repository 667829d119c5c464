// Small training graphs as text, cut into sections; what came out is written by name.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph_edit.h"
#include "core/graph/verify.h"
#include "core/rewrite/sections/sections.h"
#include "tests/support/graph_text.h"

namespace tideline::test {

using Texts = std::vector<std::string>;

// Two layers of one variable each, squared, and gradient descent written out. The gradient of the
// second layer's input is the only value that crosses the border backwards.
inline constexpr std::string_view kTwoLayers = R"(
  x = Placeholder() f32[4] +dtype=f32 +shape=[4]
  v = VariableV2() f32[4] +dtype=f32 +shape=[4]
  w = VariableV2() f32[4] +dtype=f32 +shape=[4]
  v/read = Identity(v) f32[4] +T=f32
  w/read = Identity(w) f32[4] +T=f32
  a/mul = Mul(x, v/read) f32[4] +T=f32
  a/out = Tanh(a/mul) f32[4] +T=f32
  b/mul = Mul(a/out, w/read) f32[4] +T=f32
  b/square = Square(b/mul) f32[4] +T=f32
  b/axes = Const() i32[1] +dtype=i32 +value=i32[1]{0}
  b/loss = Sum(b/square, b/axes) f32[] +T=f32 +Tidx=i32
  g/seed = Const() f32[] +dtype=f32 +value=f32[]{1}
  g/dims = Const() i32[1] +dtype=i32 +value=i32[1]{4}
  g/fill = Fill(g/dims, g/seed) f32[4] +T=f32 +index_type=i32
  g/two = Const() f32[] +dtype=f32
  g/twice = Mul(g/two, b/mul) f32[4] +T=f32
  g/db = Mul(g/fill, g/twice) f32[4] +T=f32
  g/da = Mul(g/db, w/read) f32[4] +T=f32
  g/dw = Mul(g/db, a/out) f32[4] +T=f32
  g/dmul = TanhGrad(a/out, g/da) f32[4] +T=f32
  g/dv = Mul(g/dmul, x) f32[4] +T=f32
  lr = Const() f32[] +dtype=f32
  up_v = ApplyGradientDescent(v, lr, g/dv) f32[4] +T=f32
  up_w = ApplyGradientDescent(w, lr, g/dw) f32[4] +T=f32
  train = NoOp(^up_v, ^up_w)
)";

inline SectionsOptions two_scopes() {
  SectionsOptions options;
  options.scopes = {"a", "b"};
  options.train_op = "train";
  options.loss = "b/loss";
  return options;
}

inline Result<SectionsPlan> try_plan(const io::Document& net, const SectionsOptions& options,
                                     std::optional<std::int64_t> batch_size = std::nullopt,
                                     std::optional<Bytes> limit = std::nullopt) {
  Progress silent;
  TensorOptions sizes;
  sizes.batch_size = batch_size;
  return plan_sections(GraphFacts(net.graph), net.collections, sizes, options, limit, silent);
}

inline SectionsPlan plan_of(const io::Document& net, const SectionsOptions& options) {
  auto plan = try_plan(net, options);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  const auto changed = apply(net.graph, plan->edit);
  INFO((changed ? "" : changed.error().message));
  REQUIRE(changed);
  REQUIRE(verify_acyclic(*changed));
  return *std::move(plan);
}

inline std::string error_of(const io::Document& net, const SectionsOptions& options) {
  const auto plan = try_plan(net, options);
  return plan ? "" : plan.error().message;
}

inline Texts fed(const io::Document& net, const SectionPhase& phase) {
  Texts names;
  for (const auto& [placeholder, tensor] : phase.feeds) {
    names.push_back(net.graph.tensor_name(tensor));
  }
  return names;
}
inline Texts kept(const io::Document& net, const SectionPhase& phase) {
  Texts names;
  for (const auto& [fetched, tensor] : phase.cache) names.push_back(net.graph.tensor_name(tensor));
  return names;
}
inline Texts targets(const io::Document& net, const SectionPhase& phase) {
  Texts names;
  for (const OpId op : phase.targets) names.emplace_back(net.graph.name(op));
  return names;
}
inline Texts cached(const io::Document& net, const SectionsPlan& plan) {
  Texts names;
  for (const TensorId tensor : plan.report.forward_cache) {
    names.push_back(net.graph.tensor_name(tensor));
  }
  return names;
}
// The control inputs of an added op, by name.
inline Texts waits(const io::Document& net, const SectionsPlan& plan, std::string_view name) {
  Texts names;
  for (const AddedOp& op : plan.edit.added) {
    if (op.name != name) continue;
    for (const OpId after : plan.edit.control_inputs(op)) {
      names.emplace_back(plan.edit.name(net.graph, after));
    }
  }
  return names;
}
inline bool adds(const SectionsPlan& plan, std::string_view name) {
  return std::any_of(plan.edit.added.begin(), plan.edit.added.end(),
                     [&](const AddedOp& op) { return op.name == name; });
}

/// `text` with `from`, which must be in it, replaced by `to`.
inline std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string_view::npos);
  return std::string(text).replace(at, from.size(), to);
}
inline std::string with(std::string_view base, std::string_view more) {
  return std::string(base) + std::string(more);
}

}  // namespace tideline::test
