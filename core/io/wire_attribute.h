// Encodes values of attributes.
#pragma once

#include <string>

#include "core/graph/attr_value.h"

namespace tideline::io {

/// The AttrValue message: the encoded value where the kind is one that is only passed on.
[[nodiscard]] std::string encode_attr_value(const AttrValue& value);

}  // namespace tideline::io
