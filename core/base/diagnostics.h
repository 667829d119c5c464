// Findings that do not stop a file from being read, counted by kind with the first example.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tideline {

enum class Severity { kInfo, kNotice, kDataLoss, kError };

/// One kind of finding. `example` is the first one met.
struct Diagnostic {
  Severity severity = Severity::kInfo;
  std::string kind;
  std::int64_t count = 0;
  std::string example;
};

/// As printed and as in JSON: "info", "notice", "data_loss", "error".
[[nodiscard]] const char* severity_name(Severity severity);

/// A list of Diagnostic, one entry a kind, in the order in which the kinds were first met.
class Diagnostics {
 public:
  /// Adds `count` findings of `kind`; a new kind keeps `example`. Cost: O(kinds).
  void add(Severity severity, const std::string& kind, const std::string& example,
           std::int64_t count = 1);
  [[nodiscard]] const std::vector<Diagnostic>& entries() const { return entries_; }

 private:
  std::vector<Diagnostic> entries_;
};

}  // namespace tideline
