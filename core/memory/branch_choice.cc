// Tested by unit/memory/branch_choice_test.cc.
#include "core/memory/branch_choice.h"

#include "core/base/text.h"

namespace tideline {

Result<GivenBranch> parse_given_branch(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals != std::string_view::npos && equals > 0) {
    for (const bool takes : {true, false}) {
      if (text.substr(equals + 1) == branch_name(takes)) {
        return GivenBranch{std::string(text.substr(0, equals)), takes};
      }
    }
  }
  return fail(Code::kInvalidArgument,
              "expected NAME=true or NAME=false, with the name of a conditional, not {}",
              printable(text));
}

std::string given_branch_text(const GivenBranch& given) {
  return fmt::format("{}={}", given.name, branch_name(given.takes));
}

std::string given_branches_text(const std::vector<GivenBranch>& given) {
  std::string text;
  for (const GivenBranch& entry : given) {
    text += (text.empty() ? "" : ",") + given_branch_text(entry);
  }
  return text;
}

std::string_view branch_name(bool takes) {
  return takes ? "true" : "false";
}

std::string_view branch_source_name(BranchSource source) {
  switch (source) {
    case BranchSource::kLarger: break;
    case BranchSource::kGiven: return "given";
  }
  return "larger";
}

}  // namespace tideline
