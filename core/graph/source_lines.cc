// Tested by unit/graph/source_lines_test.cc.
#include "core/graph/source_lines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline {
namespace {

constexpr std::array<std::string_view, 2> kPackageFolders = {"/site-packages/", "/dist-packages/"};
// Those above TensorFlow's decorators, whose frames stand between it and the user's, too.
constexpr std::array<std::string_view, 10> kPackages = {
    "tensorflow/", "tensorflow_core/",      "keras/", "tf_keras/", "keras_core/",
    "tideline/",   "tensorflow_estimator/", "wrapt/", "absl/",     "six.py"};
// Of packages that lie in any folder: built from source, or installed with pip's --target.
constexpr std::array<std::string_view, 7> kSources = {"/tensorflow/python/",
                                                      "/tensorflow/core/function/",
                                                      "/tensorflow/dtensor/",
                                                      "/tensorflow_core/python/",
                                                      "/keras/src/",
                                                      "/tf_keras/src/",
                                                      "/plugins/tensorflow/tideline/"};

// "/usr/lib/python3.11/contextlib.py": of Python itself.
bool is_of_python(std::string_view path) {
  constexpr std::string_view kFolder = "/lib/python";
  const std::size_t at = path.rfind(kFolder);
  if (at == std::string_view::npos) return false;
  std::string_view rest = path.substr(at + kFolder.size());
  const std::size_t end = rest.find_first_not_of("0123456789.");
  const bool has_version = end != std::string_view::npos && end > 0 && rest[end] == '/' &&
                           rest.substr(0, end).find('.') != std::string_view::npos;
  if (!has_version) return false;
  rest.remove_prefix(end + 1);
  constexpr std::array<std::string_view, 4> kStandard = {"asyncio/", "concurrent/", "importlib/",
                                                         "multiprocessing/"};
  return rest.find('/') == std::string_view::npos ||
         std::any_of(kStandard.begin(), kStandard.end(),
                     [&](std::string_view folder) { return rest.starts_with(folder); });
}

std::string_view name_of_file(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Code outside of functions is in "<module>", of notebooks in "<cell line: 1>".
std::string with_function(std::string place, const SourceLine& line) {
  if (line.function.empty() || line.function.starts_with('<')) return place;
  return fmt::format("{}, in {}", place, printable(line.function));
}

}  // namespace

std::string short_text(const SourceLine& line) {
  return fmt::format("{}:{}", printable(name_of_file(line.file)), line.line);
}

std::string line_in_function(const SourceLine& line) {
  return with_function(short_text(line), line);
}

std::string whole_text(const SourceLine& line) {
  return with_function(fmt::format("{}:{}", printable(line.file, 1000), line.line), line);
}

bool is_library_file(std::string_view file) {
  std::string path(file);
  std::replace(path.begin(), path.end(), '\\', '/');
  if (path.starts_with("<frozen ") || path.starts_with("<__array_function__")) return true;
  for (const std::string_view folder : kPackageFolders) {
    const std::size_t at = path.rfind(folder);
    if (at == std::string::npos) continue;
    const std::string_view package = std::string_view(path).substr(at + folder.size());
    return std::any_of(kPackages.begin(), kPackages.end(),
                       [&](std::string_view name) { return package.starts_with(name); });
  }
  const std::string rooted = "/" + path;  // paths may be relative
  return is_of_python(path) ||
         std::any_of(kSources.begin(), kSources.end(), [&](std::string_view folder) {
           return rooted.find(folder) != std::string::npos;
         });
}

SourceLines::SourceLines(std::vector<SourceLine> lines, std::vector<std::uint32_t> of_op)
    : of_op_(std::move(of_op)) {
  std::vector<std::uint32_t> kept(lines.size(), kNone);
  for (std::uint32_t& line : of_op_) {
    if (line >= lines.size()) {
      line = kNone;
      continue;
    }
    if (kept[line] == kNone) {
      kept[line] = static_cast<std::uint32_t>(lines_.size());
      lines_.push_back(std::move(lines[line]));
    }
    line = kept[line];
    ++ops_;
  }
}

const SourceLine* SourceLines::of(OpId op, const GraphPlan* edit) const {
  // A swap-in reads a swap-out, which reads the tensor: two steps at most.
  for (int i = 0; edit != nullptr && i < 2 && op.valid() && op.index() >= of_op_.size(); ++i) {
    const std::size_t at = op.index() - of_op_.size();
    if (at >= edit->added.size() || edit->added[at].input_count == 0) return nullptr;
    op = edit->inputs(edit->added[at]).front().op;
  }
  return op.valid() ? of(op) : nullptr;
}

SourceLines SourceLines::in(const Graph& edited, const Graph& original) const {
  if (empty()) return {};
  std::vector<std::uint32_t> of_op(edited.op_count(), kNone);
  for (const OpId op : edited.ops()) {
    // Edits that remove nothing keep the ids.
    const bool is_same = op.index() < original.op_count() && original.name(op) == edited.name(op);
    const OpId there = is_same ? op : original.find(edited.name(op));
    if (there.valid()) of_op[op.index()] = line_index(there);
  }
  return {lines_, std::move(of_op)};
}

Result<LinePattern> LinePattern::parse(std::string_view text) {
  LinePattern pattern;
  const std::size_t colon = text.rfind(':');
  std::string_view file = text.substr(0, colon);
  // "C:\model.py" and "<ipython-input-3>" have no line behind their colon, if they have one.
  if (colon != std::string_view::npos) {
    const auto line = parse_as<std::int32_t>(text.substr(colon + 1));
    const bool looks_like_line = text.find_first_of("/\\.>", colon) == std::string_view::npos;
    if (line && *line > 0) {
      pattern.line_ = *line;
    } else if (looks_like_line) {
      return fail(Code::kInvalidArgument,
                  "line:{}: expected a file and the number of a line, such as line:model.py:14",
                  printable(text));
    } else {
      file = text;
    }
  }
  if (file.empty()) {
    return fail(Code::kInvalidArgument, "line:{}: expected a file, such as line:model.py:14",
                printable(text));
  }
  pattern.file_ = file;
  return pattern;
}

bool LinePattern::matches(const SourceLine& line) const {
  if (line_ != 0 && line_ != line.line) return false;
  const std::string_view file = line.file;
  if (!file.ends_with(file_)) return false;
  const std::size_t before = file.size() - file_.size();
  return before == 0 || file[before - 1] == '/' || file[before - 1] == '\\';
}

Result<std::vector<OpId>> find_line(const Graph& graph, const SourceLines& lines,
                                    std::string_view place) {
  TIDELINE_TRY(const LinePattern pattern, LinePattern::parse(place));
  std::vector<bool> is_hit;
  is_hit.reserve(lines.lines().size());
  for (const SourceLine& line : lines.lines()) is_hit.push_back(pattern.matches(line));
  std::vector<OpId> found;
  for (const OpId op : graph.ops()) {
    const std::uint32_t line = lines.line_index(op);
    if (line != SourceLines::kNone && is_hit[line]) found.push_back(op);
  }
  if (!found.empty()) return found;
  if (lines.empty()) {
    return fail(Code::kNotFound,
                "line:{}: nothing says at which lines the ops were made; expected debug "
                "information ({{debug-info}})",
                printable(place));
  }
  return fail(Code::kNotFound, "line:{}: no op was made there; expected a place such as {}",
              printable(place), short_text(lines.lines().front()));
}

}  // namespace tideline
