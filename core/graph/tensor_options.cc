#include "core/graph/tensor_options.h"

#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline {
namespace {

std::optional<std::int64_t> parse_dim(std::string_view text) {
  if (text == "?") return kUnknownDim;
  return text.starts_with('-') ? std::nullopt : parse_as<std::int64_t>(text);
}

}  // namespace

Result<GivenShape> parse_given_shape(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const auto refuse = [&] {
    return fail(Code::kInvalidArgument,
                "expected NAME=1x28x?, or NAME=scalar, with dims of at least 0, and ? for an "
                "unknown one, not {}",
                printable(text));
  };
  if (equals == std::string_view::npos || equals == 0) return refuse();
  GivenShape given{std::string(text.substr(0, equals)), Shape::of({})};
  std::string_view dims = text.substr(equals + 1);
  if (dims == "scalar") return given;
  while (true) {
    const std::size_t end = std::min(dims.find('x'), dims.size());
    const auto dim = parse_dim(dims.substr(0, end));
    if (!dim) return refuse();
    given.shape.dims.push_back(*dim);
    if (end == dims.size()) return given;
    dims.remove_prefix(end + 1);
  }
}

}  // namespace tideline
