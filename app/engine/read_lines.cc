// Tested by unit/engine/read_lines_test.cc.
#include "app/engine/read_lines.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/io/debug_info.h"

namespace tideline::app {
namespace {

// What the ops of a graph are called in debug information.
class Keys {
 public:
  Keys(const io::Document& document, const Inlining* inlining) : function_(document.function) {
    if (inlining == nullptr) return;
    for (const InlinedCall& call : inlining->inlined) calls_[call.op] = call.function;
  }

  // Of an op as it is named, "op" or "op@function".
  [[nodiscard]] std::string of(std::string_view op) const {
    std::string key(op);
    if (!function_.empty()) key += "@" + function_;
    return key;
  }
  // Of an op "call/op" that inlining has taken from a function; empty for others.
  [[nodiscard]] std::string of_inlined(std::string_view op) const {
    for (std::size_t slash = op.rfind('/'); slash != std::string_view::npos && slash > 0;
         slash = op.rfind('/', slash - 1)) {
      const auto call = calls_.find(std::string(op.substr(0, slash)));
      if (call == calls_.end()) continue;
      return std::string(op.substr(slash + 1)) + "@" + call->second;
    }
    return {};
  }
  [[nodiscard]] bool has_calls() const { return !calls_.empty(); }
  // Whether it is the name of an op of this graph, if it has one.
  [[nodiscard]] bool is_of_graph(std::string_view key) const {
    const std::size_t at = key.find('@');
    return function_.empty() ? at == std::string_view::npos
                             : at != std::string_view::npos && key.substr(at + 1) == function_;
  }

 private:
  std::string function_;
  std::unordered_map<std::string, std::string> calls_;  // inlined: function by op
};

SourceLines lines_of(const io::Document& document, const Keys& keys, io::DebugInfo info,
                     Diagnostics& diagnostics) {
  const Graph& graph = document.graph;
  std::vector<std::uint32_t> of_op(graph.op_count(), SourceLines::kNone);
  std::int64_t met = 0;
  for (const OpId op : graph.ops()) {
    auto found = info.line_of.find(keys.of(graph.name(op)));
    if (found != info.line_of.end()) {
      ++met;
    } else if (keys.has_calls()) {
      found = info.line_of.find(keys.of_inlined(graph.name(op)));
    }
    if (found != info.line_of.end()) of_op[op.index()] = found->second;
  }
  std::int64_t unmet = -met;
  const std::string* example = nullptr;
  for (const auto& [key, line] : info.line_of) {
    if (!keys.is_of_graph(key)) continue;
    ++unmet;
    // The first by name: the order of the map is no order.
    const bool is_there = graph.find(std::string_view(key).substr(0, key.find('@'))).valid();
    if (!is_there && (example == nullptr || key < *example)) example = &key;
  }
  if (unmet > 0 && example != nullptr) {
    diagnostics.add(Severity::kInfo, "debug information of an op that is not there",
                    fmt::format("'{}'", printable(*example)), unmet);
  }
  return {std::move(info.lines), std::move(of_op)};
}

}  // namespace

Result<SourceLines> read_lines(const events::GraphChoice& choice, const io::Document& document,
                               const Inlining* inlining, Diagnostics& diagnostics) {
  const auto made = [&](io::DebugInfo info) {
    return lines_of(document, Keys(document, inlining), std::move(info), diagnostics);
  };
  if (!choice.debug_info.empty()) {
    TIDELINE_TRY(io::DebugInfo info, io::read_debug_info(choice.debug_info));
    SourceLines lines = made(std::move(info));
    if (lines.empty()) {
      diagnostics.add(Severity::kNotice, "debug information that has no line of any op",
                      printable(choice.debug_info));
    }
    return lines;
  }
  const std::string beside = io::debug_info_beside(document);
  const std::string_view inside = io::debug_info_inside(document);
  if (beside.empty() && inside.empty()) return SourceLines();
  auto info = beside.empty() ? io::decode_debug_info(inside) : io::read_debug_info(beside);
  if (info) return made(*std::move(info));
  diagnostics.add(Severity::kNotice, "debug information that cannot be read", info.error().message);
  return SourceLines();
}

}  // namespace tideline::app
