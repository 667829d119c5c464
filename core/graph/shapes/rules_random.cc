// Random numbers: the shape is an input, sometimes extended by the shape of the parameters.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

template <std::size_t input>
void random_shaped_by(RuleContext& context) {
  context.set_shape(0, shape_from_value(context, input));
}

// The wanted shape for each set of parameters.
void shape_and_parameters(RuleContext& context) {
  const Dims* wanted = context.lists().find(shape_from_value(context, 0));
  const Dims* parameters = context.shape(1);
  if (wanted == nullptr || parameters == nullptr) return;
  Dims dims = *wanted;
  dims.insert(dims.end(), parameters->begin(), parameters->end());
  context.set_shape(0, dims);
}

void multinomial(RuleContext& context) {
  const Dims* logits = context.shape(0);
  const Dims* count = context.value(1);
  if (logits != nullptr && logits->size() != 2) return context.contradict();
  const bool known = count != nullptr && count->size() == 1;
  context.set_shape(0, Dims{logits == nullptr ? Dim::unknown() : logits->front(),
                            known ? count->front() : Dim::unknown()});
}

// Sampled classes, and expected counts of the true and of the sampled ones.
void candidate_sampler(RuleContext& context) {
  const Dims sampled{Dim::of(context.integer("num_sampled", 0))};
  const Dims* classes = context.shape(0);
  const bool known = classes != nullptr && classes->size() == 2;
  context.set_shape(0, sampled);
  context.set_shape(
      1, Dims{known ? classes->front() : Dim::unknown(), Dim::of(context.integer("num_true", 0))});
  context.set_shape(2, sampled);
}

constexpr ShapeRuleEntry kRandomRules[] = {
    {"RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal "
     "ParameterizedTruncatedNormal",
     random_shaped_by<0>},
    {"RandomGamma RandomPoisson RandomPoissonV2", shape_and_parameters},
    {"Multinomial StatelessMultinomial", multinomial},
    {"StatelessRandomUniform StatelessRandomUniformV2 StatelessRandomUniformInt "
     "StatelessRandomUniformIntV2 StatelessRandomUniformFullInt "
     "StatelessRandomUniformFullIntV2 StatelessRandomNormal StatelessRandomNormalV2 "
     "StatelessTruncatedNormal StatelessTruncatedNormalV2 StatelessRandomGammaV2 "
     "StatelessRandomGammaV3 StatelessRandomPoisson StatelessRandomBinomial "
     "StatelessParameterizedTruncatedNormal",
     random_shaped_by<0>},
    {"StatefulUniform StatefulUniformFullInt StatefulUniformInt StatefulStandardNormalV2 "
     "StatefulTruncatedNormal StatefulRandomBinomial",
     random_shaped_by<2>},
    {"NonDeterministicInts", random_shaped_by<0>},
    {"LogUniformCandidateSampler UniformCandidateSampler LearnedUnigramCandidateSampler "
     "ThreadUnsafeUnigramCandidateSampler FixedUnigramCandidateSampler AllCandidateSampler",
     candidate_sampler},
};

}  // namespace

std::span<const ShapeRuleEntry> random_rules() {
  return kRandomRules;
}

}  // namespace tideline::shapes
