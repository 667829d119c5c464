// Tested by unit/engine/search_test.cc.
#include "app/engine/search_terms.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "app/engine/op_card.h"
#include "core/base/name_pattern.h"
#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline::app {
namespace {

// A test of a text, either of a regular expression or of a word.
using TextTest = std::function<bool(std::string_view)>;

std::optional<std::string_view> pattern_in(std::string_view value) {
  if (value.size() < 3 || !value.starts_with('/') || !value.ends_with('/')) return std::nullopt;
  return value.substr(1, value.size() - 2);
}

// `/RE/`, which is found anywhere, or what `of_word` makes of a word. Neither regards case.
template <typename OfWord>
Result<TextTest> text_test(std::string_view value, const OfWord& of_word) {
  const auto pattern = pattern_in(value);
  if (!pattern) return of_word(std::string(value));
  // So that the message has the pattern as it was typed.
  if (auto typed = NamePattern::compile(*pattern); !typed) {
    return tl::unexpected(std::move(typed).error());
  }
  TIDELINE_TRY(const NamePattern compiled, NamePattern::compile("(?i)" + std::string(*pattern)));
  return [compiled](std::string_view text) { return compiled.matches(text); };
}
TextTest contains(std::string word) {
  return [word = std::move(word)](std::string_view text) {
    return contains_ignoring_case(text, word);
  };
}
TextTest equals(std::string word) {
  return
      [word = std::move(word)](std::string_view text) { return equal_ignoring_case(text, word); };
}

// Of a name, or of the name of one of its tensors.
Result<OpTest> name_test(const OpenedGraph& opened, std::string_view word) {
  const Graph& graph = opened.graph();
  TIDELINE_TRY(const TextTest test, text_test(word, contains));
  const std::size_t colon = word.rfind(':');
  const auto slot = colon == std::string_view::npos
                        ? std::nullopt
                        : parse_as<std::uint32_t>(word.substr(colon + 1));
  if (!slot || pattern_in(word)) return [&graph, test](OpId op) { return test(graph.name(op)); };
  return [&opened, end = std::string(word.substr(0, colon)), slot = *slot](OpId op) {
    const std::string_view name = opened.graph().name(op);
    return slot < opened.tensors.output_count(op) && name.size() >= end.size() &&
           equal_ignoring_case(name.substr(name.size() - end.size()), end);
  };
}

Result<OpTest> type_test(const OpenedGraph& opened, std::string_view value) {
  const Graph& graph = opened.graph();
  TIDELINE_TRY(const TextTest test, text_test(value, equals));
  return [&graph, test](OpId op) { return test(graph.type(op)); };
}

// Of the scope that an op is in, or of one around it.
Result<OpTest> scope_test(const OpenedGraph& opened, std::string_view value) {
  const Graph& graph = opened.graph();
  if (pattern_in(value)) {
    TIDELINE_TRY(const TextTest test, text_test(value, equals));
    return [&graph, test](OpId op) {
      const std::string_view name = graph.name(op);
      const std::size_t slash = name.rfind('/');
      return slash != std::string_view::npos && test(name.substr(0, slash));
    };
  }
  return [&graph, scope = std::string(value)](OpId op) {
    const std::string_view name = graph.name(op);
    return name.starts_with(scope) &&
           (name.size() == scope.size() || scope.ends_with('/') || name[scope.size()] == '/');
  };
}

Result<OpTest> device_test(const OpenedGraph& opened, std::string_view value) {
  const Graph& graph = opened.graph();
  TIDELINE_TRY(const TextTest test, text_test(value, contains));
  return [&graph, test](OpId op) { return test(graph.device(op)); };
}

// Of the type of an output.
Result<OpTest> data_type_test(const OpenedGraph& opened, std::string_view value) {
  TIDELINE_TRY(const TextTest test, text_test(value, contains));
  return [&opened, test](OpId op) {
    for (std::uint32_t slot = 0; slot < opened.tensors.output_count(op); ++slot) {
      if (test(data_type_name(opened.tensors.type({op, slot})))) return true;
    }
    return false;
  };
}

// Of "KEY=VALUE", with the value as the card of an op has it; a word is a key, or KEY=VALUE.
Result<OpTest> attribute_test(const OpenedGraph& opened, std::string_view value) {
  const Graph& graph = opened.graph();
  TIDELINE_TRY(const TextTest test, text_test(value, equals));
  const bool of_key_alone = !pattern_in(value) && value.find('=') == std::string_view::npos;
  return [&graph, test, of_key_alone](OpId op) {
    bool is_hit = false;
    graph.codec().for_each_attribute(graph.encoded(op),
                                     [&](std::string_view key, std::string_view encoded) {
                                       if (is_hit) return;
                                       std::string text(key);
                                       if (!of_key_alone)
                                         text += "=" + attribute_text(graph.codec(), encoded);
                                       is_hit = test(text);
                                     });
    return is_hit;
  };
}

std::optional<std::int32_t> level_number(std::string_view text) {
  const auto level = parse_as<std::int32_t>(text);
  return level && *level >= 0 ? level : std::nullopt;
}

// "20..40", "20", "20..", "..40".
Result<OpTest> level_test(const OpenedGraph& graph, std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::string_view first = text.substr(0, dots);
  const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
  const auto from = first.empty() ? std::optional<std::int32_t>(0) : level_number(first);
  const auto to = last.empty() ? std::optional(graph.file->levels.count()) : level_number(last);
  if (!from || !to) {
    return fail(Code::kInvalidArgument,
                "level:{}: expected level:N, level:A..B, level:A.. or level:..B", printable(text));
  }
  return [&graph, from = *from, to = *to](OpId op) {
    const std::int32_t level = graph.file->levels.level(op);
    return level >= from && level <= to;
  };
}

Result<OpTest> phase_test(const OpenedGraph& graph, std::string_view text) {
  std::vector<std::string> names;
  for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kUpdate, Phase::kOther}) {
    names.emplace_back(phase_name(phase));
    if (text != phase_name(phase)) continue;
    return [&graph, phase](OpId op) { return graph.file->phases.of(op) == phase; };
  }
  return fail(Code::kInvalidArgument, "phase:{}: expected {}", printable(text),
              alternatives(names));
}

// "model.py:14", "model.py"; a regular expression is about "/home/ann/model.py:14".
Result<OpTest> line_test(const OpenedGraph& opened, std::string_view value) {
  const SourceLines& lines = opened.file->source->lines;
  std::function<bool(const SourceLine&)> test;
  if (pattern_in(value)) {
    TIDELINE_TRY(const TextTest of_text, text_test(value, equals));
    test = [of_text](const SourceLine& line) {
      return of_text(fmt::format("{}:{}", line.file, line.line));
    };
  } else {
    TIDELINE_TRY(const LinePattern pattern, LinePattern::parse(value));
    test = [pattern](const SourceLine& line) { return pattern.matches(line); };
  }
  std::vector<bool> is_hit;  // by line: there are fewer than ops
  is_hit.reserve(lines.lines().size());
  for (const SourceLine& line : lines.lines()) is_hit.push_back(test(line));
  return [&lines, is_hit = std::move(is_hit)](OpId op) {
    const std::uint32_t line = lines.line_index(op);
    return line != SourceLines::kNone && is_hit[line];
  };
}

template <bool kMore>
Result<OpTest> bytes_test(const OpenedGraph& opened, std::string_view text) {
  const auto bytes = parse_size(text);
  if (!bytes) {
    return fail(Code::kInvalidArgument, "bytes{}{}: expected a size such as 10M", kMore ? '>' : '<',
                printable(text));
  }
  return [&opened, bytes = *bytes](OpId op) {
    const Bytes has = opened.tensors.output_bytes(op);
    return kMore ? has > bytes : has < bytes;
  };
}

struct Kind {
  std::string_view key;
  Result<OpTest> (*test)(const OpenedGraph& opened, std::string_view value);
};
constexpr std::array kKinds = {Kind{"op:", type_test},           Kind{"scope:", scope_test},
                               Kind{"device:", device_test},     Kind{"type:", data_type_test},
                               Kind{"attr:", attribute_test},    Kind{"level:", level_test},
                               Kind{"phase:", phase_test},       Kind{"line:", line_test},
                               Kind{"bytes>", bytes_test<true>}, Kind{"bytes<", bytes_test<false>}};

Result<OpTest> test_of(const OpenedGraph& opened, std::string_view word) {
  for (const Kind& kind : kKinds) {
    if (!word.starts_with(kind.key)) continue;
    const std::string_view value = word.substr(kind.key.size());
    if (value.empty()) {
      return fail(Code::kInvalidArgument, "expected a value after '{}'", word);
    }
    return kind.test(opened, value);
  }
  return name_test(opened, word);
}

// Blanks separate words, but not within /.../, which ends with the first slash before a blank.
std::vector<std::string_view> words_of(std::string_view query) {
  std::vector<std::string_view> words;
  while (true) {
    query.remove_prefix(std::min(query.find_first_not_of(' '), query.size()));
    if (query.empty()) return words;
    std::size_t begin = 0;
    for (const Kind& kind : kKinds) {
      if (query.starts_with(kind.key)) begin = kind.key.size();
    }
    std::size_t end = query.find(' ');
    if (query.substr(begin).starts_with('/')) {
      const std::size_t slash = query.find("/ ", begin + 1);
      if (slash != std::string_view::npos) {
        end = slash + 1;
      } else if (query.ends_with('/') && query.size() > begin + 1) {
        end = query.size();
      }
    }
    words.push_back(query.substr(0, end));
    query.remove_prefix(words.back().size());
  }
}

}  // namespace

Result<std::vector<OpTest>> search_terms(const OpenedGraph& graph, std::string_view query) {
  std::vector<OpTest> tests;
  for (const std::string_view word : words_of(query)) {
    TIDELINE_TRY(OpTest test, test_of(graph, word));
    tests.push_back(std::move(test));
  }
  return tests;
}

}  // namespace tideline::app
