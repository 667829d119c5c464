// Tested by unit/engine/search_test.cc.
#include "app/engine/search.h"

#include <functional>
#include <optional>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/graph/nearest_names.h"
#include "core/rewrite/lms/overrides.h"

namespace tideline::app {
namespace {

using Test = std::function<bool(OpId)>;

// The rest of `word` after `key`; nullopt if it does not begin with it or if the rest is empty.
std::optional<std::string_view> behind(std::string_view word, std::string_view key) {
  if (!word.starts_with(key) || word.size() == key.size()) return std::nullopt;
  return word.substr(key.size());
}

std::optional<std::int32_t> level_number(std::string_view text) {
  const auto level = parse_as<std::int32_t>(text);
  return level && *level >= 0 ? level : std::nullopt;
}

// "20..40", "20", "20..", "..40".
std::optional<Test> level_test(const OpenedGraph& graph, std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::string_view first = text.substr(0, dots);
  const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
  const auto from = first.empty() ? std::optional<std::int32_t>(0) : level_number(first);
  const auto to = last.empty() ? std::optional(graph.file->levels.count()) : level_number(last);
  if (!from || !to) return std::nullopt;
  return [&graph, from = *from, to = *to](OpId op) {
    const std::int32_t level = graph.file->levels.level(op);
    return level >= from && level <= to;
  };
}

std::optional<Test> phase_test(const OpenedGraph& graph, std::string_view text) {
  for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kUpdate, Phase::kOther}) {
    if (text != phase_name(phase)) continue;
    return [&graph, phase](OpId op) { return graph.file->phases.of(op) == phase; };
  }
  return std::nullopt;
}

std::optional<Test> special_test(const OpenedGraph& opened, std::string_view word) {
  const Graph& graph = opened.graph();
  if (const auto type = behind(word, "op:")) {
    return [&graph, type = std::string(*type)](OpId op) {
      return equal_ignoring_case(graph.type(op), type);
    };
  }
  if (const auto scope = behind(word, "scope:")) {
    return [&graph, scope = std::string(*scope)](OpId op) {
      const std::string_view name = graph.name(op);
      return name.starts_with(scope) &&
             (name.size() == scope.size() || scope.ends_with('/') || name[scope.size()] == '/');
    };
  }
  if (const auto device = behind(word, "device:")) {
    return [&graph, device = std::string(*device)](OpId op) {
      return contains_ignoring_case(graph.device(op), device);
    };
  }
  if (const auto levels = behind(word, "level:")) return level_test(opened, *levels);
  if (const auto phase = behind(word, "phase:")) return phase_test(opened, *phase);
  for (const bool is_more : {true, false}) {
    const auto size = behind(word, is_more ? "bytes>" : "bytes<");
    const auto bytes = size ? parse_size(*size) : Result<Bytes>(fail(Code::kNotFound, ""));
    if (!bytes) continue;
    return [&opened, is_more, bytes = *bytes](OpId op) {
      const Bytes has = opened.tensors.output_bytes(op);
      return is_more ? has > bytes : has < bytes;
    };
  }
  return std::nullopt;
}

}  // namespace

FoundOps search_ops(const OpenedGraph& opened, std::string_view query) {
  const Graph& graph = opened.graph();
  std::vector<Test> tests;
  for (const std::string& word : split_list(query, ' ')) {
    if (auto test = special_test(opened, word)) {
      tests.push_back(*std::move(test));
    } else {
      tests.emplace_back(
          [&graph, word](OpId op) { return contains_ignoring_case(graph.name(op), word); });
    }
  }
  FoundOps result;
  if (tests.empty()) return result;
  for (const OpId op : graph.ops()) {
    bool is_hit = true;
    for (const Test& test : tests) is_hit = is_hit && test(op);
    if (!is_hit) continue;
    ++result.total;
    if (result.ops.size() < kMostHits) result.ops.push_back(op);
  }
  return result;
}

Result<TensorId> find_named(const OpenedGraph& opened, const std::string& name) {
  const Graph& graph = opened.graph();
  if (const OpId op = graph.find(name); op.valid()) return TensorId{op, 0};
  if (const auto tensor = find_tensor(graph, opened.tensors, name)) return *tensor;
  return fail(Code::kNotFound,
              "there is no op or tensor '{}'{}; expected a name such as 'conv1/Relu'",
              printable(name), nearest_ops(graph, name));
}

}  // namespace tideline::app
