// Finds the ops of a training that can read or write files, use the network or run code.
#pragma once

#include <string>
#include <vector>

#include "core/graph/op_effects.h"
#include "core/io/document.h"
#include "core/runtime/messages.h"
#include "core/runtime/training.h"

namespace tideline::runtime {

/// An op with effects outside of the process, one that calls a function which the file does not
/// have, or a function that cannot be judged (without name and type of an op).
struct EffectfulOp {
  std::string name;
  std::string type;
  std::string function;  ///< the function that it is in; empty: the graph
  std::vector<OpEffect> effects;
};

/// The ops with effects that a session can run for `training`: those that the train op, the loss,
/// the initialisers and the variables depend on, and, if one of these can call a function, the ops
/// of all functions of the file. (Which function runs is not for the caller alone to say:
/// TensorFlow exchanges functions that implement the same interface.) What only a fed tensor
/// depends on is left out, but initialisers run without feeds. Ops that nothing of this needs, such
/// as those of a Saver, never run. A function that is missing, damaged or given twice can do what
/// is not known. In file order, those of functions last. Cost: O(bytes of the ops that run, and of
/// the functions).
[[nodiscard]] std::vector<EffectfulOp> effectful_ops(const io::Document& document,
                                                     const Training& training,
                                                     const std::vector<TensorName>& fed);

/// For messages: "op 'w' (WriteFile) can write files; ...", cut after the first ten.
[[nodiscard]] std::string effects_text(const std::vector<EffectfulOp>& ops);

}  // namespace tideline::runtime
