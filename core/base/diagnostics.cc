#include "core/base/diagnostics.h"

#include <algorithm>

namespace tideline {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::kInfo: return "info";
    case Severity::kNotice: return "notice";
    case Severity::kDataLoss: return "data_loss";
    case Severity::kError: return "error";
  }
  return "unknown";
}

void Diagnostics::add(Severity severity, const std::string& kind, const std::string& example,
                      std::int64_t count) {
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Diagnostic& entry) { return entry.kind == kind; });
  if (known != entries_.end()) {
    known->count += count;
  } else {
    entries_.push_back({severity, kind, count, example});
  }
}

}  // namespace tideline
