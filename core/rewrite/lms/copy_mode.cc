#include "core/rewrite/lms/copy_mode.h"

namespace tideline {

Result<CopyMode> copy_mode(const std::string& name) {
  for (const auto mode : {CopyMode::kIdentity, CopyMode::kGrappler}) {
    if (name == name_of(mode)) return mode;
  }
  return fail(Code::kInvalidArgument, "{{copy-mode}} is '{}'; expected identity or grappler", name);
}

const char* name_of(CopyMode mode) {
  return mode == CopyMode::kIdentity ? "identity" : "grappler";
}

}  // namespace tideline
