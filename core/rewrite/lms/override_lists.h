// The user's decisions about single tensors, by name.
#pragma once

#include <string>
#include <vector>

namespace tideline {

/// Values of the parameters keep-tensors, swap-tensors and ahead-tensors.
struct OverrideLists {
  std::vector<std::string> keep = {}, swap = {};
  std::vector<std::string> ahead = {};  ///< as in own_ahead.h
  [[nodiscard]] bool empty() const { return keep.empty() && swap.empty() && ahead.empty(); }
  friend bool operator==(const OverrideLists&, const OverrideLists&) = default;
};

}  // namespace tideline
