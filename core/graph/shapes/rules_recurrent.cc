// Fused recurrent cells, and CTC.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

Dim recurrent_dim(const Dims* dims, std::size_t at) {
  return dims != nullptr && at < dims->size() ? (*dims)[at] : Dim::unknown();
}

// x [batch, input], state [batch, cells]: every output is like the state.
void lstm_cell(RuleContext& context) {
  const Dims state{recurrent_dim(context.shape(0), 0), recurrent_dim(context.shape(1), 1)};
  for (std::size_t i = 0; i < 7; ++i) context.set_shape(i, state);
}

// x [time, batch, input] behind the length; bias [4 * cells] comes last.
void lstm_block(RuleContext& context) {
  const Dims* x = context.shape(1);
  const Dims* bias = context.shape(8);
  const Dim cells = divide(recurrent_dim(bias, 0), Dim::of(4));
  for (std::size_t i = 0; i < 7; ++i) {
    context.set_shape(i, Dims{recurrent_dim(x, 0), recurrent_dim(x, 1), cells});
  }
}

void gru_cell(RuleContext& context) {
  const Dims state{recurrent_dim(context.shape(0), 0), recurrent_dim(context.shape(1), 1)};
  for (std::size_t i = 0; i < 4; ++i) context.set_shape(i, state);
}

// Gradients that are like the inputs of the block.
void lstm_block_gradient(RuleContext& context) {
  for (std::size_t i = 0; i < 8; ++i) context.set_shape(i, context.fact(i + 1).shape);
}

// x, previous cell, ...: gradients of the cell before, of the gates, and of three peepholes.
void lstm_cell_gradient(RuleContext& context) {
  const Dim batch = recurrent_dim(context.shape(0), 0);
  const Dim cells = recurrent_dim(context.shape(1), 1);
  context.set_shape(0, Dims{batch, cells});
  context.set_shape(1, Dims{batch, multiply(cells, Dim::of(4))});
  for (const std::size_t output : {2U, 3U, 4U}) context.set_shape(output, Dims{cells});
}

// x, state, ...: gradients of both, of the candidate, and of the two gates side by side.
void gru_cell_gradient(RuleContext& context) {
  const Dims* state = context.shape(1);
  const Dim batch = recurrent_dim(context.shape(0), 0);
  const Dim cells = recurrent_dim(state, 1);
  context.set_shape(0, Dims{batch, recurrent_dim(context.shape(0), 1)});
  context.set_shape(1, Dims{batch, cells});
  context.set_shape(2, Dims{batch, cells});
  context.set_shape(3, Dims{batch, multiply(cells, Dim::of(2))});
}

// input [time, batch, size], state [layers, batch, cells]
void cudnn(RuleContext& context) {
  const Dims* input = context.shape(0);
  const Dims* state = context.shape(1);
  const bool both_ways = context.text("direction", "unidirectional") == "bidirectional";
  const Dim cells = multiply(recurrent_dim(state, 2), Dim::of(both_ways ? 2 : 1));
  context.set_shape(0, Dims{recurrent_dim(input, 0), recurrent_dim(input, 1), cells});
  context.set_shape(1, context.fact(1).shape);
  const bool has_cells = context.text("rnn_mode", "lstm") == "lstm";
  if (!has_cells) context.set_shape(2, DimLists::scalar());
  if (has_cells) {
    context.set_shape(
        2, context.type() == "CudnnRNNV3" ? context.fact(2).shape : context.fact(1).shape);
  }
}

void cudnn_gradient(RuleContext& context) {
  for (std::size_t i = 0; i < 4; ++i) context.set_shape(i, context.fact(i).shape);
}

// inputs [time, batch, classes]: losses and their gradient.
void ctc_loss(RuleContext& context) {
  const Dims* inputs = context.shape(0);
  const auto batch = meet(recurrent_dim(inputs, 1), recurrent_dim(context.shape(3), 0));
  if (!batch) return context.contradict();
  context.set_shape(0, Dims{*batch});
  context.set_shape(1, Dims{recurrent_dim(inputs, 0), *batch, recurrent_dim(inputs, 2)});
}

// Inputs [time, batch, classes], lengths [batch].
Dim batch_of(const RuleContext& context) {
  const Dim batch = recurrent_dim(context.shape(0), 1);
  return meet(batch, recurrent_dim(context.shape(1), 0)).value_or(batch);
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

constexpr ShapeRuleEntry kRecurrentRules[] = {
    {"LSTMBlockCell", lstm_cell},
    {"BlockLSTM BlockLSTMV2", lstm_block},
    {"BlockLSTMGrad BlockLSTMGradV2", lstm_block_gradient},
    {"GRUBlockCell", gru_cell},
    {"GRUBlockCellGrad", gru_cell_gradient},
    {"LSTMBlockCellGrad", lstm_cell_gradient},
    {"CudnnRNN CudnnRNNV2 CudnnRNNV3", cudnn},
    {"CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3", cudnn_gradient},
    {"CTCLoss CTCLossV2", ctc_loss},
    {"CTCGreedyDecoder", ctc_greedy},
    {"CTCBeamSearchDecoder", ctc_beam},
};

}  // namespace

std::span<const ShapeRuleEntry> recurrent_rules() {
  return kRecurrentRules;
}

}  // namespace tideline::shapes
