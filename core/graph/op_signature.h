// The declaration of an op type: its arguments, their types, and defaults of type attributes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/dtype.h"

namespace tideline {

/// One declared input or output. Exactly one of `type`, `type_attr`, `type_list_attr` gives the
/// element type; with `number_attr` the argument is a list of that many tensors of this type.
struct ArgSignature {
  std::string name;
  DataType type = DataType::kInvalid;
  std::string type_attr;
  std::string type_list_attr;
  std::string number_attr;
  bool is_reference = false;

  /// Whether the argument stands for any number of tensors.
  [[nodiscard]] bool is_list() const { return !number_attr.empty() || !type_list_attr.empty(); }
};

/// The declaration of one op type.
struct OpSignature {
  std::string type;
  bool is_stateful = false;
  std::vector<ArgSignature> inputs;
  std::vector<ArgSignature> outputs;
  /// Defaults of the type and number attributes that arguments refer to; writers may leave out
  /// attributes that have their default.
  std::vector<std::pair<std::string, DataType>> type_defaults;
  std::vector<std::pair<std::string, std::int64_t>> number_defaults;
};

/// Signatures that a file declares for op types of its own and for its functions, by type.
using DeclaredSignatures = std::map<std::string, OpSignature, std::less<>>;

/// The signature of a TensorFlow op type from the built-in table (op_signatures.txt); nullopt for
/// other types. Cost: a hash and the parsing of one line. Thread: pure.
[[nodiscard]] std::optional<OpSignature> builtin_signature(std::string_view type);

}  // namespace tideline
