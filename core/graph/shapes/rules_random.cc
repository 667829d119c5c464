// Random numbers: the shape is an input, sometimes extended by that of the parameters.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

template <std::size_t input>
void shaped_by(RuleContext& context) {
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

constexpr ShapeRuleEntry kRules[] = {
    {"RandomUniform", shaped_by<0>},
    {"RandomUniformInt", shaped_by<0>},
    {"RandomStandardNormal", shaped_by<0>},
    {"TruncatedNormal", shaped_by<0>},
    {"ParameterizedTruncatedNormal", shaped_by<0>},
    {"RandomShuffle", same_as_first},
    {"RandomGamma", shape_and_parameters},
    {"RandomPoisson", shape_and_parameters},
    {"RandomPoissonV2", shape_and_parameters},
    {"Multinomial", multinomial},
    {"StatelessMultinomial", multinomial},
    {"StatelessRandomUniform", shaped_by<0>},
    {"StatelessRandomUniformV2", shaped_by<0>},
    {"StatelessRandomUniformInt", shaped_by<0>},
    {"StatelessRandomUniformIntV2", shaped_by<0>},
    {"StatelessRandomUniformFullInt", shaped_by<0>},
    {"StatelessRandomUniformFullIntV2", shaped_by<0>},
    {"StatelessRandomNormal", shaped_by<0>},
    {"StatelessRandomNormalV2", shaped_by<0>},
    {"StatelessTruncatedNormal", shaped_by<0>},
    {"StatelessTruncatedNormalV2", shaped_by<0>},
    {"StatelessRandomGammaV2", shaped_by<0>},
    {"StatelessRandomGammaV3", shaped_by<0>},
    {"StatelessRandomPoisson", shaped_by<0>},
    {"StatelessRandomBinomial", shaped_by<0>},
    {"StatelessParameterizedTruncatedNormal", shaped_by<0>},
    {"StatefulUniform", shaped_by<2>},
    {"StatefulUniformFullInt", shaped_by<2>},
    {"StatefulUniformInt", shaped_by<2>},
    {"StatefulStandardNormalV2", shaped_by<2>},
    {"StatefulTruncatedNormal", shaped_by<2>},
    {"StatefulRandomBinomial", shaped_by<2>},
    {"NonDeterministicInts", shaped_by<0>},
    {"LogUniformCandidateSampler", candidate_sampler},
    {"UniformCandidateSampler", candidate_sampler},
    {"LearnedUnigramCandidateSampler", candidate_sampler},
    {"ThreadUnsafeUnigramCandidateSampler", candidate_sampler},
    {"FixedUnigramCandidateSampler", candidate_sampler},
    {"AllCandidateSampler", candidate_sampler},
};

}  // namespace

std::span<const ShapeRuleEntry> random_rules() {
  return kRules;
}

}  // namespace tideline::shapes
