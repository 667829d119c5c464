// The shape that a placeholder declares.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/shape.h"

namespace tideline {

/// Whether `placeholder` declares nothing: until version 21 of the graph format a Placeholder of
/// unknown shape was written like a scalar, and TensorFlow still reads both as unknown there.
/// Source: the shape function of Placeholder in TensorFlow 2.15, array_ops.cc. Thread: pure.
[[nodiscard]] bool declares_no_shape(const Graph& graph, OpId placeholder);

/// The attribute `shape` as TensorFlow reads it; unknown when it is missing or damaged.
[[nodiscard]] Shape declared_shape(const Graph& graph, OpId placeholder);

}  // namespace tideline
