// Compares encoded messages for equality.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <limits>
#include <string>
#include <string_view>

namespace tideline::io {

/// Stores the deterministic encoding of the message `bytes` in `out`; false if it does not parse.
template <typename Message>
[[nodiscard]] bool canonical(std::string_view bytes, std::string& out) {
  Message message;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return false;
  }
  google::protobuf::io::StringOutputStream stream(&out);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  return message.SerializeToCodedStream(&coded);
}

/// Whether both are equal as bytes, or as messages: another tool may have ordered map entries or
/// packed numbers differently. Unknown fields are compared too.
template <typename Message>
[[nodiscard]] bool same_message(std::string_view a, std::string_view b) {
  if (a == b) return true;
  std::string first;
  std::string second;
  return canonical<Message>(a, first) && canonical<Message>(b, second) && first == second;
}

}  // namespace tideline::io
