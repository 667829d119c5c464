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
/// unknown field numbers, parts of map entries that are given twice, and NaNs other than "nan" and
/// "-nan". The message names the field.
[[nodiscard]] Result<std::string> wire_to_text(std::string_view wire, MessageKind message,
                                               int indent);
/// The same in pieces of 64 KiB or a little more, so that the text, up to four times as long as the
/// bytes, is never in memory as a whole; the message is. Nothing is handed out before the message
/// is known to have a text form. Errors: also those of `out`.
[[nodiscard]] Status wire_to_text(std::string_view wire, MessageKind message, int indent,
                                  const std::function<Status(std::string_view)>& out);

}  // namespace tideline::io
