#include "core/graph/node_codec.h"

namespace tideline {

Result<std::optional<AttrValue>> find_attribute(const NodeCodec& codec, std::string_view node,
                                                std::string_view key) {
  std::optional<std::string_view> found;
  codec.for_each_attribute(node, [&](std::string_view name, std::string_view encoded) {
    if (name == key) found = encoded;
  });
  if (!found) return std::nullopt;
  auto value = codec.decode(*found);
  if (!value) {
    return tl::unexpected(with_context(std::move(value).error(), fmt::format("attr '{}'", key)));
  }
  return *std::move(value);
}

}  // namespace tideline
