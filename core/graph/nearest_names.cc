// Two names are alike by the pairs of neighbouring characters that they share, of all that they
// have (Dice's coefficient): cheap for the many names of a graph, and it does not mind parts that
// are missing or in another order. Tested by unit/graph/nearest_names_test.cc.
#include "core/graph/nearest_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "core/base/text.h"

namespace tideline {
namespace {

constexpr double kLeastLikeness = 0.4;
constexpr std::size_t kLongest = 400;  // of a name, as far as it is compared

// Pairs of characters by hash, with a mark before the first one.
using Pairs = std::array<std::uint16_t, 1U << 12U>;

std::size_t slot_of(char first, char second) {
  const auto a = static_cast<unsigned char>(first);
  const auto b = static_cast<unsigned char>(second);
  return (a * 67U + b) % std::tuple_size_v<Pairs>;
}

template <typename Visit>
void for_each_pair(std::string_view name, const Visit& visit) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  char before = '\0';
  for (const char c : name.substr(0, kLongest)) {
    const char now = lower(c);
    visit(slot_of(before, now));
    before = now;
  }
  visit(slot_of(before, '\0'));
}

std::string sentence(const std::vector<std::string_view>& names, std::string_view wanted) {
  std::string text;
  for (const std::string& name : nearest_names(names, wanted)) {
    text += fmt::format("{}'{}'", text.empty() ? " (nearest: " : ", ", printable(name));
  }
  return text.empty() ? text : text + ")";
}

}  // namespace

std::vector<std::string> nearest_names(const std::vector<std::string_view>& names,
                                       std::string_view wanted, std::size_t most) {
  Pairs of_wanted = {};
  for_each_pair(wanted, [&](std::size_t pair) { ++of_wanted[pair]; });
  const std::size_t wanted_size = std::min(wanted.size(), kLongest) + 1;
  std::vector<std::pair<double, std::size_t>> found;  // less is better
  Pairs used = {};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t shared = 0;
    for_each_pair(names[i], [&](std::size_t pair) { shared += used[pair]++ < of_wanted[pair]; });
    for_each_pair(names[i], [&](std::size_t pair) { used[pair] = 0; });
    const std::size_t size = std::min(names[i].size(), kLongest) + 1;
    const double likeness =
        2 * static_cast<double>(shared) / static_cast<double>(size + wanted_size);
    if (likeness >= kLeastLikeness) found.emplace_back(-likeness, i);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> best;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) {
    best.emplace_back(names[found[i].second]);
  }
  return best;
}

std::string nearest_ops(const Graph& graph, std::string_view wanted) {
  if (const std::size_t colon = wanted.rfind(':'); colon != std::string_view::npos) {
    wanted = wanted.substr(0, colon);  // a tensor's output
  }
  std::vector<std::string_view> names;
  for (const OpId op : graph.ops()) names.push_back(graph.name(op));
  return sentence(names, wanted);
}

std::string nearest_scopes(const Graph& graph, std::string_view wanted) {
  if (wanted.ends_with('/')) wanted.remove_suffix(1);
  std::set<std::string_view> seen;
  std::vector<std::string_view> scopes;
  for (const OpId op : graph.ops()) {
    std::string_view name = graph.name(op);
    while (true) {
      const std::size_t slash = name.rfind('/');
      if (slash == std::string_view::npos) break;
      name = name.substr(0, slash);
      if (name.empty() || !seen.insert(name).second) break;  // those around it are there already
      scopes.push_back(name);
    }
  }
  return sentence(scopes, wanted);
}

std::string nearest_types(const Graph& graph, std::string_view wanted) {
  return sentence(graph.types(), wanted);
}

}  // namespace tideline
