// Parses a message with the protobuf library.
#pragma once

#include <string_view>

namespace google::protobuf {
class MessageLite;
}

namespace tideline::io {

/// False for damaged bytes, for strings that are not UTF-8, and for 2 GiB or more. What the library
/// would write to stderr about them is suppressed: callers report what matters. Cost: O(bytes).
[[nodiscard]] bool parse_message(std::string_view bytes, google::protobuf::MessageLite& message);

}  // namespace tideline::io
