// Tested by the golden case sections.
#include "core/rewrite/sections/rewriter.h"

#include <array>

#include "core/rewrite/common_parameters.h"

namespace tideline::sections {
namespace {

using Bound = BoundParameter<SectionsOptions>;

template <auto kMember>
constexpr Bound names(std::string_view name, std::string_view title, ParameterGroup group,
                      std::string_view help, std::string_view expected) {
  return bound<SectionsOptions, kMember>({.name = name,
                                          .title = title,
                                          .kind = ParameterKind::kNames,
                                          .group = group,
                                          .help = help,
                                          .expected = expected,
                                          .type_name = "LIST"});
}

template <auto kMember>
constexpr Bound text(std::string_view name, std::string_view title, ParameterGroup group,
                     std::string_view help, std::string_view expected, std::string_view type_name) {
  return bound<SectionsOptions, kMember>({.name = name,
                                          .title = title,
                                          .kind = ParameterKind::kText,
                                          .group = group,
                                          .help = help,
                                          .expected = expected,
                                          .type_name = type_name});
}

constexpr Bound count(std::string_view name) {
  return bound<SectionsOptions, &SectionsOptions::count>(
      {.name = name,
       .title = name,
       .kind = ParameterKind::kInteger,
       .help = "Find borders for N sections so that the largest peak of a run is small",
       .expected = "an integer of at least 2",
       .type_name = "N",
       .least = 2,
       .usual_most = 16,
       .unit = name,
       .is_found = true});
}

constexpr std::array kTable = {
    names<&SectionsOptions::scopes>("scopes", "scopes", ParameterGroup::kMain,
                                    "Name scopes of the sections, in forward order",
                                    "scopes of forward ops, separated by commas"),
    names<&SectionsOptions::levels>("levels", "levels", ParameterGroup::kMain,
                                    "Sections by complete level: ranges as in 0:40,40:80, or the "
                                    "borders alone",
                                    "ranges of levels that adjoin, or borders that ascend"),
    count("sections"),
    text<&SectionsOptions::train_op>("train-op", "train op", ParameterGroup::kMain,
                                     "Op that runs a training step (default: the one that the "
                                     "file names)",
                                     "the name of an op", "OP"),
    text<&SectionsOptions::loss>("loss", "loss", ParameterGroup::kMain,
                                 "Tensor of the loss, fetched in the forward run",
                                 "a tensor such as loss/Mean:0", "TENSOR"),
    names<&SectionsOptions::update_ops>("update-ops", "update ops", ParameterGroup::kAdvanced,
                                        "Also run these in each cycle: moving averages",
                                        "ops or tensors, separated by commas"),
    text<&SectionsOptions::gradient_scope>(
        "gradient-scope", "gradient scope", ParameterGroup::kAdvanced,
        "Ops of this scope are backward (default: found from edges and op types)",
        "a scope such as gradients", "SCOPE"),
    bound<SectionsOptions, &SectionsOptions::compat>(
        {.name = "compat",
         .title = "as the reference",
         .kind = ParameterKind::kSwitch,
         .group = ParameterGroup::kAdvanced,
         .help = "Only say what the reference feeds and caches, errors included",
         .expected = "on or off"}),
    names<&SectionsOptions::train_ops>("train-ops", "train ops", ParameterGroup::kAdvanced,
                                       "The train op of each section, in the order of the scopes",
                                       "ops, separated by commas"),
    names<&SectionsOptions::fetches>("fetches", "fetches", ParameterGroup::kAdvanced,
                                     "With compat: also say in which run the reference fetches "
                                     "these, and what it feeds and keeps for that",
                                     "ops or tensors, separated by commas"),
    batch_size_parameter<SectionsOptions>(),
};

}  // namespace
}  // namespace tideline::sections

template <>
std::span<const tideline::BoundParameter<tideline::SectionsOptions>>
tideline::bound_parameters<tideline::SectionsOptions>() {
  return tideline::sections::kTable;
}
