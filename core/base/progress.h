// Progress reports of long operations, and their cancellation.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/error.h"

namespace tideline {

/// Receives progress reports. This default ignores them and never cancels.
/// Thread: called on the thread that does the work.
class Progress {
 public:
  virtual ~Progress() = default;
  /// `done` of `total` units of `stage` are finished. Returns false to cancel the work.
  virtual bool report(std::string_view /*stage*/, std::int64_t /*done*/, std::int64_t /*total*/) {
    return true;
  }
};

/// The error that cancelled work returns.
[[nodiscard]] inline tl::unexpected<Error> cancelled() {
  return fail(Code::kCancelled, "interrupted");
}

}  // namespace tideline
