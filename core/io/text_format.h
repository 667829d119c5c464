// Converts between the text form of graphs (.pbtxt) and the wire form, with the protobuf library.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/message_kind.h"

namespace tideline::io {

/// Text to wire bytes, deterministic. Errors: kCorrupt with line and column.
[[nodiscard]] Result<std::string> text_to_wire(std::string_view text, MessageKind message);

/// Wire bytes of a message, or of a part of it, to text indented by `indent` levels.
/// Errors: kUnsupported for what the text form cannot represent, so that data would be lost:
/// unknown field numbers, parts of map entries that are given twice, and NaNs with bits of their
/// own. The message names the field.
[[nodiscard]] Result<std::string> wire_to_text(std::string_view wire, MessageKind message,
                                               int indent);

}  // namespace tideline::io
