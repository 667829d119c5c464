// What speaks for a forward op when a backward op may belong to several.
#pragma once

namespace tideline {

/// What a backward op and a forward op that may be its own have to do with each other.
struct PairEvidence {
  int read = 0;       ///< tensors that the backward op reads and the forward op makes or reads
  int strange = 0;    ///< other tensors that the backward op reads
  bool fits = false;  ///< whether its type occurs in gradients of the forward op's type
  int distance = 0;   ///< forward ops between this one and the gradient that comes in
};

/// Higher is better; only differences mean something.
[[nodiscard]] double pair_score(const PairEvidence& evidence);

}  // namespace tideline
