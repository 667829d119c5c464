// Where in the user's program the ops of a graph were made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/graph/graph.h"
#include "core/graph/graph_plan.h"

namespace tideline {

/// A line of a program.
struct SourceLine {
  std::string file;       ///< as the traceback has it, mostly a whole path
  std::int32_t line = 0;  ///< from 1 on
  std::string function;   ///< that it is in; may be empty
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// For people: "model.py:14", without the folders.
[[nodiscard]] std::string short_text(const SourceLine& line);
/// "model.py:14, in train_step".
[[nodiscard]] std::string line_in_function(const SourceLine& line);
/// "/home/ann/model.py:14, in train_step".
[[nodiscard]] std::string whole_text(const SourceLine& line);

/// Whether the file belongs to TensorFlow, Keras, Tideline or what stands between them and a
/// program (Python's own modules, wrapt, absl), by its path: those names in a folder of installed
/// packages, and the folders of their sources. The lines of users are in other files.
[[nodiscard]] bool is_library_file(std::string_view file);

/// The lines of the ops of one graph. Nothing of it is a part of the graph: what is written is the
/// same with and without. Cost: 4 bytes an op; none without lines. Thread: immutable.
class SourceLines {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  SourceLines() = default;
  /// `of_op` has for each op an index of `lines`, or kNone. Lines of no op are left out.
  SourceLines(std::vector<SourceLine> lines, std::vector<std::uint32_t> of_op);

  /// No op has a line.
  [[nodiscard]] bool empty() const { return ops_ == 0; }
  [[nodiscard]] std::size_t op_count() const { return ops_; }  ///< that have one
  /// All that ops have, each one once.
  [[nodiscard]] const std::vector<SourceLine>& lines() const { return lines_; }
  /// Null for an op without, and for one that a plan adds. Cost: O(1).
  [[nodiscard]] const SourceLine* of(OpId op) const {
    const std::uint32_t line = line_index(op);
    return line == kNone ? nullptr : &lines_[line];
  }
  /// The same, and for a copy that `edit`, which may be null, adds: the line of what is copied.
  [[nodiscard]] const SourceLine* of(OpId op, const GraphPlan* edit) const;
  /// The index in lines(), or kNone.
  [[nodiscard]] std::uint32_t line_index(OpId op) const {
    return op.index() < of_op_.size() ? of_op_[op.index()] : kNone;
  }
  /// The same for the ops of those names in another graph, as edits keep them. Cost: O(ops).
  [[nodiscard]] SourceLines in(const Graph& edited, const Graph& original) const;

 private:
  std::vector<SourceLine> lines_;
  std::vector<std::uint32_t> of_op_;
  std::size_t ops_ = 0;
};

/// A place that a user types: "model.py:14", "model.py" for all lines of it, "net/model.py:14" with
/// the end of its folders. Upper and lower case count, as in names of files.
class LinePattern {
 public:
  /// Errors: kInvalidArgument for a line that is no number from 1 on, and without a file.
  [[nodiscard]] static Result<LinePattern> parse(std::string_view text);
  [[nodiscard]] bool matches(const SourceLine& line) const;

 private:
  std::string file_;
  std::int32_t line_ = 0;  // 0: any
};

/// All ops at the place. Errors: those of LinePattern::parse; kNotFound without any, saying what
/// there is. Cost: O(ops).
[[nodiscard]] Result<std::vector<OpId>> find_line(const Graph& graph, const SourceLines& lines,
                                                  std::string_view place);

}  // namespace tideline
