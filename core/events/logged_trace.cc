// Tested by: tests/unit/events/logged_trace_test.cc, golden/cases/measured.txt.
#include "core/events/logged_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/name_pattern.h"
#include "core/base/text.h"
#include "core/events/log_walk.h"
#include "core/events/run_metadata.h"
#include "core/events/run_metadata_numbers.h"
#include "core/io/foreign_files.h"
#include "core/io/text_format.h"
#include "core/io/wire.h"

namespace tideline::events {
namespace {

constexpr std::size_t kMaxTraces = 12;

std::string describe(const LoggedTrace& trace) {
  return fmt::format("run '{}', tag '{}', step {}", printable(trace.run), printable(trace.tag),
                     trace.step);
}

std::string list(const std::vector<LoggedTrace>& traces) {
  std::string text;
  for (std::size_t i = 0; i < traces.size() && i < kMaxTraces; ++i) {
    text += (i == 0 ? "" : "; ") + describe(traces[i]);
  }
  if (traces.size() > kMaxTraces) text += fmt::format("; and {} more", traces.size() - kMaxTraces);
  return text;
}

bool has_executions(std::string_view metadata) {
  io::FieldReader reader(metadata);
  io::Field field;
  while (reader.next(field)) {
    if (field.is_bytes(step_stats::kInRunMetadata) && !field.bytes.empty()) return true;
  }
  // Damaged ones are listed: reading them says what is wrong.
  return reader.damaged();
}

Status keep_matching(std::vector<LoggedTrace>& traces, const char* option, const std::string& text,
                     std::string TracedStep::*name) {
  if (text.empty()) return {};
  std::vector<LoggedTrace> found;
  const auto copy = [&](const auto& condition) {
    std::copy_if(traces.begin(), traces.end(), std::back_inserter(found), condition);
  };
  copy([&](const LoggedTrace& trace) { return trace.*name == text; });
  if (found.empty()) {
    // A literal name may be longer than patterns are allowed to be.
    TIDELINE_TRY(const NamePattern pattern, NamePattern::compile(text));
    copy([&](const LoggedTrace& trace) { return pattern.matches(trace.*name); });
  }
  if (found.empty()) {
    return fail(Code::kNotFound, "{} '{}' matches none of the traced steps; there are: {}", option,
                printable(text), list(traces));
  }
  traces = std::move(found);
  return {};
}

// A text is neither the wire form of RunMetadata, which begins with the tag of a message, nor a
// log.
bool is_text(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  const std::string_view text = begin == std::string_view::npos ? "" : bytes.substr(begin);
  return text.starts_with("step_stats") || text.starts_with("#");
}

// Adds the path, which the messages of read_file and read_logged do not name.
Result<OpenedTrace> with_path(Result<OpenedTrace> opened, const TraceChoice& choice) {
  if (opened || opened.error().code == Code::kCancelled) return opened;
  return tl::unexpected(with_context(std::move(opened).error(), choice.path));
}

Result<OpenedTrace> read_file(const TraceChoice& choice, SharedBytes bytes,
                              Diagnostics& diagnostics) {
  if (!choice.run.empty() || !choice.tag.empty()) {
    return fail(Code::kInvalidArgument,
                "is not a log, so it has no runs and tags; expected neither {{run}} nor {{tag}}");
  }
  const std::string_view file = bytes->bytes();
  if (const auto foreign = io::foreign_file(file, file, io::FileUse::kRunMetadata,
                                            "expected a RunMetadata file, or a log with the trace "
                                            "of a step (tideline run --trace)")) {
    return fail(Code::kInvalidArgument, "{}", *foreign);
  }
  if (is_text(bytes->bytes())) {
    TIDELINE_TRY(std::string wire, io::text_to_wire(bytes->bytes(), io::MessageKind::kRunMetadata));
    bytes = own_bytes(std::move(wire));
  }
  TIDELINE_TRY(StepTrace trace, read_run_metadata(bytes, diagnostics));
  return OpenedTrace{std::move(trace), ""};
}

Result<OpenedTrace> read_logged(const TraceChoice& choice, const std::vector<LoggedTrace>& traces,
                                Diagnostics& diagnostics) {
  TIDELINE_TRY(const LoggedTrace chosen, choose_trace(traces, choice, diagnostics));
  TIDELINE_TRY(StepTrace trace, read_run_metadata(chosen.bytes, diagnostics));
  return OpenedTrace{std::move(trace), describe(chosen), chosen, {traces.begin(), traces.end()}};
}

class TraceLister {
 public:
  explicit TraceLister(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void visit(const LogItem& item) {
    if (item.kind != EventKind::kRunMetadata) return;
    if (!has_executions(item.content)) {
      diagnostics_.add(Severity::kInfo, "run metadata without executions of ops",
                       item.at_file(fmt::format("tag '{}'", printable(item.tag))));
      return;
    }
    traces_.push_back({{item.file->run, std::string(item.tag), item.event->step}, item.copy()});
  }
  std::vector<LoggedTrace> take() { return std::move(traces_); }

 private:
  Diagnostics& diagnostics_;
  std::vector<LoggedTrace> traces_;
};

}  // namespace

Result<std::vector<LoggedTrace>> list_traces(const std::string& path, Diagnostics& diagnostics,
                                             Progress& progress) {
  TraceLister lister(diagnostics);
  TIDELINE_RETURN_IF_ERROR(
      walk_log(path, diagnostics, progress, [&](const LogItem& item) { lister.visit(item); }));
  return lister.take();
}

std::vector<LoggedTrace> list_traces(const EventLog& log, Diagnostics& diagnostics) {
  TraceLister lister(diagnostics);
  walk_log(log, diagnostics, [&](const LogItem& item) { lister.visit(item); });
  return lister.take();
}

Result<LoggedTrace> choose_trace(const std::vector<LoggedTrace>& traces, const TraceChoice& choice,
                                 Diagnostics& diagnostics) {
  if (traces.empty()) {
    return fail(Code::kNotFound,
                "no traced step in this log; expected run metadata of a step that was run with "
                "trace_level FULL_TRACE");
  }
  std::vector<LoggedTrace> candidates = traces;
  TIDELINE_RETURN_IF_ERROR(keep_matching(candidates, "{run}", choice.run, &LoggedTrace::run));
  TIDELINE_RETURN_IF_ERROR(keep_matching(candidates, "{tag}", choice.tag, &LoggedTrace::tag));
  const LoggedTrace& last = candidates.back();
  if (candidates.front().run != last.run) {
    return fail(Code::kInvalidArgument, "{} traced steps of several runs; choose with {{run}}: {}",
                candidates.size(), list(candidates));
  }
  if (candidates.size() > 1) {
    diagnostics.add(Severity::kInfo, "traced step chosen among several of the run",
                    fmt::format("{} of {}", describe(last), candidates.size()));
  }
  return last;
}

Result<OpenedTrace> open_trace(const TraceChoice& choice, Diagnostics& diagnostics,
                               Progress& progress) {
  std::error_code error;
  if (std::filesystem::is_directory(choice.path, error) || is_log_file(choice.path)) {
    TIDELINE_TRY(const auto traces, list_traces(choice.path, diagnostics, progress));
    return with_path(read_logged(choice, traces, diagnostics), choice);
  }
  TIDELINE_TRY(SharedBytes bytes, open_bytes(choice.path, choice.pipes));
  if (!is_log(bytes->bytes())) {
    return with_path(read_file(choice, std::move(bytes), diagnostics), choice);
  }
  TraceLister lister(diagnostics);  // a log from a pipe
  TIDELINE_RETURN_IF_ERROR(walk_log({".", choice.path}, bytes, diagnostics, progress,
                                    [&](const LogItem& item) { lister.visit(item); }));
  return with_path(read_logged(choice, lister.take(), diagnostics), choice);
}

}  // namespace tideline::events
