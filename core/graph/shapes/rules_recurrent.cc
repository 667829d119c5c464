// Fused recurrent cells, and CTC.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// x [time, batch, input] behind the length; bias [4 * cells] comes last.
void lstm_block(RuleContext& context) {
  const Dims* x = context.shape(1);
  const Dims* bias = context.shape(8);
  const Dim cells = divide(dim_at(bias, 0), Dim::of(4));
  for (std::size_t i = 0; i < 7; ++i) {
    context.set_shape(i, Dims{dim_at(x, 0), dim_at(x, 1), cells});
  }
}

// x, previous cell, ...: gradients of the cell before, of the gates, and of three peepholes.
void lstm_cell_gradient(RuleContext& context) {
  const Dim batch = dim_at(context.shape(0), 0);
  const Dim cells = dim_at(context.shape(1), 1);
  context.set_shape(0, Dims{batch, cells});
  context.set_shape(1, Dims{batch, multiply(cells, Dim::of(4))});
  for (const std::size_t output : {2U, 3U, 4U}) context.set_shape(output, Dims{cells});
}

// x, state, ...: gradients of both, of the candidate, and of the two gates side by side.
void gru_cell_gradient(RuleContext& context) {
  const Dims* state = context.shape(1);
  const Dim batch = dim_at(context.shape(0), 0);
  const Dim cells = dim_at(state, 1);
  context.set_shape(0, Dims{batch, dim_at(context.shape(0), 1)});
  context.set_shape(1, Dims{batch, cells});
  context.set_shape(2, Dims{batch, cells});
  context.set_shape(3, Dims{batch, multiply(cells, Dim::of(2))});
}

// input [time, batch, size], state [layers, batch, cells]
void cudnn(RuleContext& context) {
  const Dims* input = context.shape(0);
  const Dims* state = context.shape(1);
  const bool both_ways = context.text("direction", "unidirectional") == "bidirectional";
  const Dim cells = multiply(dim_at(state, 2), Dim::of(both_ways ? 2 : 1));
  context.set_shape(0, Dims{dim_at(input, 0), dim_at(input, 1), cells});
  context.set_shape(1, context.fact(1).shape);
  const bool has_cells = context.text("rnn_mode", "lstm") == "lstm";
  if (!has_cells) context.set_shape(2, DimLists::scalar());
  if (has_cells) {
    context.set_shape(
        2, context.type() == "CudnnRNNV3" ? context.fact(2).shape : context.fact(1).shape);
  }
}

// inputs [time, batch, classes]: losses and their gradient.
void ctc_loss(RuleContext& context) {
  const Dims* inputs = context.shape(0);
  const auto batch = meet(dim_at(inputs, 1), dim_at(context.shape(3), 0));
  if (!batch) return context.contradict();
  context.set_shape(0, Dims{*batch});
  context.set_shape(1, Dims{dim_at(inputs, 0), *batch, dim_at(inputs, 2)});
}

// Inputs [time, batch, classes], lengths [batch].
Dim batch_of(const RuleContext& context) {
  const Dim batch = dim_at(context.shape(0), 1);
  return meet(batch, dim_at(context.shape(1), 0)).value_or(batch);
}

void ctc_greedy(RuleContext& context) {
  context.set_shape(0, Dims{Dim::unknown(), Dim::of(2)});
  context.set_shape(1, Dims{Dim::unknown()});
  context.set_shape(2, Dims{Dim::of(2)});
  context.set_shape(3, Dims{batch_of(context), Dim::of(1)});
}

void ctc_beam(RuleContext& context) {
  const std::int64_t paths = context.integer("top_paths", 0);
  if (paths <= 0 || paths > static_cast<std::int64_t>(context.output_count())) return;
  const auto count = static_cast<std::size_t>(paths);
  for (std::size_t i = 0; i < count; ++i) {
    context.set_shape(i, Dims{Dim::unknown(), Dim::of(2)});
    context.set_shape(count + i, Dims{Dim::unknown()});
    context.set_shape(2 * count + i, Dims{Dim::of(2)});
  }
  context.set_shape(3 * count, Dims{batch_of(context), Dim::of(paths)});
}

constexpr ShapeRuleEntry kRecurrentTable[] = {
    {"BlockLSTM BlockLSTMV2", lstm_block},     {"GRUBlockCellGrad", gru_cell_gradient},
    {"LSTMBlockCellGrad", lstm_cell_gradient}, {"CudnnRNN CudnnRNNV2 CudnnRNNV3", cudnn},
    {"CTCLoss CTCLossV2", ctc_loss},           {"CTCGreedyDecoder", ctc_greedy},
    {"CTCBeamSearchDecoder", ctc_beam},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kRecurrentRules = kRecurrentTable;

}  // namespace tideline::shapes
