// Tested by unit/session/sample_test.cc.
#include "app/session/sample.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/session/shipped_file.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline::app {
namespace {

namespace fs = std::filesystem;

Wish residual_wish() {
  Wish wish;
  wish.policy.rewriter = "lms2";
  wish.policy.budget = MemoryBudget{};
  wish.policy.budget->device = Bytes{410} << 20;
  wish.batch_size = 4096;
  wish.profile = *built_in_profile("v100");
  return wish;
}

Wish tutorial_wish() {
  constexpr std::int32_t kLevels = 94;
  Wish wish;
  choose_rewriter(wish.policy, "lms2", kLevels);
  wish.batch_size = 100;
  return wish;
}

Wish loop_wish() {
  constexpr std::int32_t kLevels = 111;
  Wish wish;
  choose_rewriter(wish.policy, "lms2", kLevels);
  wish.batch_size = 32;
  return wish;
}

constexpr std::array kSamples = {
    Sample{"residual", "residual.meta", "Residual net",
           "Swapping wins: a step that needs 704 MiB is planned for a device with 410 MiB.",
           "Drag the device budget down to 340 MiB and see what less memory costs in time.",
           residual_wish},
    Sample{"tutorial", "tutorial_mnist.meta", "Digits, the LMS tutorial",
           "The network of the LMS tutorial. Swapping costs it many times the step's time, because "
           "the "
           "step is so short.",
           "Drag the first slider down and watch more tensors go to the host.", tutorial_wish},
    Sample{"text", "mlp.pbtxt", "Perceptron, as text",
           "A graph that can be read with a text editor, without a policy.",
           "Choose lms2 as the mode, or click an op to see who reads it.", [] { return Wish(); }},
    Sample{"loop", "lstm.meta", "LSTM with a loop",
           "The inside of a loop is not swapped, so little is left to swap, and the peak stays.",
           "Open the scope rnn on the left and see where the bytes are.", loop_wish},
};

}  // namespace

std::span<const Sample> samples() {
  return kSamples;
}

const Sample* find_sample(std::string_view word) {
  const auto found = std::find_if(kSamples.begin(), kSamples.end(),
                                  [&](const Sample& sample) { return sample.word == word; });
  return found == kSamples.end() ? nullptr : &*found;
}

const Sample* sample_of(const std::string& path) {
  const fs::path file(path);
  for (const Sample& sample : kSamples) {
    if (file.filename() != sample.file) continue;
    const auto own = sample_path(sample);
    std::error_code error;
    if (own && fs::equivalent(*own, file, error)) return &sample;
  }
  return nullptr;
}

Result<std::string> sample_path(const Sample& sample) {
  return shipped_file("samples", sample.file, "the sample");
}

}  // namespace tideline::app
