// The table of rewriters with the toy in it. Takes the place of core/rewrite/rewriters.cc, which
// the linker leaves in its library because `rewriters` is defined already.
#include <array>

#include "core/rewrite/lms1/rewriter.h"
#include "core/rewrite/lms2/rewriter.h"
#include "tests/toy/toy_rewriter.h"

namespace tideline {

std::span<const Rewriter* const> rewriters() {
  static const std::array kTable = {
      &lms2::rewriter(),
      &lms1::rewriter(),
      &toy::rewriter(),
  };
  return kTable;
}

}  // namespace tideline
