// Signatures declared in a file: of its own op types and of its functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/dtype.h"
#include "core/graph/op_signature.h"
#include "core/graph/shape.h"
#include "core/io/document.h"

namespace tideline::io {

/// Signatures of the op types in the MetaInfoDef of a MetaGraphDef, and of the functions in the
/// library (a call may use the function's name as its type). The first of duplicates is used.
/// Cost: O(bytes of both).
[[nodiscard]] std::shared_ptr<const DeclaredSignatures> declared_signatures(
    const Document& document);

/// One argument or result of a function.
struct FunctionArgument {
  std::string name;
  DataType type = DataType::kInvalid;  ///< kInvalid when it depends on an attribute of the call
  /// For a resource, types and shapes of the values it refers to, as far as recorded.
  std::vector<DataType> handle_types;
  std::vector<Shape> handle_shapes;
};
struct FunctionSignature {
  std::string name;
  std::vector<FunctionArgument> arguments;
  std::vector<FunctionArgument> results;
};

/// The signature in an encoded FunctionDef, as far as it can be read.
/// Precondition: the bytes passed the wire check.
[[nodiscard]] FunctionSignature function_signature(std::string_view function);

}  // namespace tideline::io
