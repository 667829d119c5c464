// Tested by unit/io/quiet_test.cc.
#include "core/io/parse_message.h"

#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>

namespace tideline::io {

bool parse_message(std::string_view bytes, google::protobuf::MessageLite& message) {
  const google::protobuf::LogSilencer silencer;
  return bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace tideline::io
