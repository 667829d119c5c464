// Tested by unit/rewrite/policy_test.cc.
#include <array>

#include "core/rewrite/checkpoint/rewriter.h"
#include "core/rewrite/lms1/rewriter.h"
#include "core/rewrite/lms2/rewriter.h"
#include "core/rewrite/replicate/rewriter.h"
#include "core/rewrite/rewriter.h"
#include "core/rewrite/sections/rewriter.h"

namespace tideline {

// A new rewriter is a folder beside the others, and a line here. A test has a table of its own with
// one more (tests/toy): nothing else may be defined in this file.
std::span<const Rewriter* const> rewriters() {
  static const std::array kTable = {
      &lms2::rewriter(),      &lms1::rewriter(),           &sections::rewriter(),
      &replicate::rewriter(), &checkpoint_ops::rewriter(),
  };
  return kTable;
}

}  // namespace tideline
