// A part of the essay in gradient_pairs.cc. Weights chosen by hand, and checked with the rest.
#include "core/analysis/structure/pair_scores.h"

namespace tideline {
namespace {

// The backward op reads what its forward op made or read: the surest sign.
constexpr double kForEachTensorRead = 4.0;
// For a tensor that the forward op does not explain. It weighs less, since several gradients share
// constants and scales. A tensor that one op has and another has not makes a difference of 6.
constexpr double kForEachStrangeTensor = -2.0;
// As much as such a tensor: an op of a fitting type and one that has a tensor more are even, and
// the nearer one is taken.
constexpr double kForFittingType = 6.0;
// Decides between equals. Walks from a forward op end after 12 steps (ForwardWalks::producers), 3.6
// together: less than a tensor or a type makes.
constexpr double kForEachStep = -0.3;

}  // namespace

double pair_score(const PairEvidence& evidence) {
  return kForEachTensorRead * evidence.read + kForEachStrangeTensor * evidence.strange +
         (evidence.fits ? kForFittingType : 0.0) + kForEachStep * evidence.distance;
}

}  // namespace tideline
