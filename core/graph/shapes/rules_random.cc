// Random numbers: the shape is an input, sometimes extended by the shape of the parameters.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

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
  if (logits != nullptr && logits->size() != 2) return context.contradict();
  context.set_shape(0, Dims{dim_at(logits, 0), only_element(context, 1)});
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

constexpr ShapeRuleEntry kRandomTable[] = {
    {"RandomGamma RandomPoisson RandomPoissonV2", shape_and_parameters},
    {"Multinomial StatelessMultinomial", multinomial},
    {"LogUniformCandidateSampler UniformCandidateSampler LearnedUnigramCandidateSampler "
     "ThreadUnsafeUnigramCandidateSampler FixedUnigramCandidateSampler AllCandidateSampler",
     candidate_sampler},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kRandomRules = kRandomTable;

}  // namespace tideline::shapes
