// Tested by unit/session/sample_test.cc.
#include "app/session/sample.h"

#include <filesystem>

#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

constexpr const char* kFile = "residual.meta";

Wish sample_wish() {
  Wish wish;
  wish.policy.rewriter = "lms2";
  wish.policy.budget = MemoryBudget{};
  wish.policy.budget->device = Bytes{410} << 20;
  wish.batch_size = 4096;
  wish.profile = *built_in_profile("v100");
  return wish;
}

}  // namespace

Result<Sample> find_sample() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::string places;
  // Build folders are build/PRESET, and the program lies two folders below.
  for (const char* folder :
       {"../share/tideline/samples", "../../../assets/samples", "../../../../assets/samples"}) {
    const fs::path path = (program / folder / kFile).lexically_normal();
    if (fs::is_regular_file(path, error)) return Sample{path.string(), sample_wish()};
    places += (places.empty() ? "" : ", ") + path.string();
  }
  return fail(Code::kNotFound, "the sample is not there: expected one of {}", places);
}

}  // namespace tideline::app
