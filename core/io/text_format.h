// The text form of graphs (.pbtxt), by the protobuf library: into the wire form and out of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/message_kind.h"

namespace tideline::io {

/// Text to wire bytes, deterministic. Errors: kCorrupt with line and column.
[[nodiscard]] Result<std::string> text_to_wire(std::string_view text, MessageKind message);

/// Wire bytes of (a part of) a message to text, `indent` levels deep.
/// Errors: kUnsupported when there are fields that the text form cannot carry (numbers that the
/// format does not know): leaving them out would lose data. The message names the field.
[[nodiscard]] Result<std::string> wire_to_text(std::string_view wire, MessageKind message,
                                               int indent);

}  // namespace tideline::io
