// Random training steps with a forward and a backward phase, and random options of LMS v1 for them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/rewrite/lms1/options.h"

namespace tideline::test {

// A forward phase fw/, a backward phase opt/ that reads it in reverse, gradients that wait for each
// other by a NoOp as TensorFlow groups them, and updates, some of them outside of opt/.
class RandomStep {
 public:
  explicit RandomStep(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    add("fw/x", "Placeholder", {});
    forward_ = {"fw/x"};
    for (int i = 2 + below(20); i > 0; --i) add_forward();
    for (auto f = forward_.rbegin(); f != forward_.rend(); ++f) {
      for (int i = below(3); i > 0; --i) add_backward(*f);
      if (backward_.size() > 2 && chance(0.4)) add_group();
    }
    std::vector<std::string> updates;
    for (int i = below(6); i > 0 && !backward_.empty(); --i) {
      updates.push_back(unique(chance(0.5) ? "opt/u" : "update/u"));
      add(updates.back(), "MadeUp",
          {any(backward_), any(updates.size() < 2 || chance(0.7) ? backward_ : updates, 1)});
    }
    for (int i = below(4); i > 0 && !updates.empty(); --i) {
      add(unique("opt/late"), "MadeUp", {any(updates), any(backward_)});
    }
    return text_;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  bool chance(double share) { return below(1000) < share * 1000; }
  std::string unique(const std::string& word) { return word + std::to_string(count_++); }
  // Any of `names` but for the last `without`; one of the last few of them.
  const std::string& any(const std::vector<std::string>& names, std::size_t without = 0) {
    const std::size_t size = std::max<std::size_t>(names.size(), without + 1) - without;
    return names[static_cast<std::size_t>(below(static_cast<int>(size)))];
  }
  const std::string& recent(const std::vector<std::string>& names) {
    return names[names.size() - 1 -
                 static_cast<std::size_t>(below(std::min<int>(4, static_cast<int>(names.size()))))];
  }
  void add(const std::string& name, const char* type, std::vector<std::string> inputs) {
    text_ += fmt::format("{} = {}({}) f32[2,4]\n", name, type, fmt::join(inputs, ", "));
  }
  const char* type() {
    const int pick = below(6);
    return pick == 0 ? "Identity" : pick == 1 ? "Add" : "MadeUp";
  }
  void add_forward() {
    std::vector<std::string> inputs;
    for (int i = 1 + below(3); i > 0; --i) inputs.push_back(recent(forward_));
    if (chance(0.1)) inputs.push_back("^" + any(forward_));
    const std::string name = unique(chance(0.2) ? "fw/cond/f" : "fw/f");
    add(name, type(), inputs);
    forward_.push_back(name);
  }
  void add_backward(const std::string& forward) {
    std::vector<std::string> inputs = {forward};
    if (!backward_.empty() && chance(0.8)) inputs.push_back(recent(backward_));
    if (chance(0.3)) inputs.push_back(any(forward_));
    if (!backward_.empty() && chance(0.15)) inputs.push_back("^" + any(backward_));
    const std::string name = unique(chance(0.05) ? "opt/cond/b" : "opt/b");
    add(name, type(), inputs);
    backward_.push_back(name);
  }
  void add_group() {
    const std::string first = recent(backward_);
    const std::string second = recent(backward_);
    const std::string group = unique("opt/tuple/group_deps");
    text_ += fmt::format("{} = NoOp(^{}, ^{})\n", group, first, second);
    for (const std::string& op : {first, second}) {
      const std::string name = unique("opt/tuple/control_dependency");
      add(name, "MadeUp", {op, "^" + group});
      backward_.push_back(name);
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> forward_, backward_;
  int count_ = 0;
};

inline Lms1Options random_options(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<int> values) {
    return values.begin()[random() % values.size()];
  };
  Lms1Options options;
  options.optimizer_scopes = {"opt/"};
  options.n_tensors = one_of({-1, -1, -1, 2, 5});
  options.lb = one_of({0, 1, 1, 2, 3, 5});
  options.ub = one_of({10000, 10000, 2, 4, 8});
  options.fuse_swapins = random() % 3 == 0;
  options.swap_branches = random() % 3 == 0;
  options.branch_threshold = one_of({0, 1, 2, 5});
  if (random() % 3 == 0) options.ctrld_strategy = ControlStrategy::kDirectOrder;
  return options;
}

}  // namespace tideline::test
