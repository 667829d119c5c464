// Source: TensorFlow 2.15 and 2.21, graph_debug_info.proto, graph_debug_info_builder.cc.
// Before 2.14 (and in its `traces` still) every trace has its frames, `file_line_cols`; since then
// frames and traces are kept once, under numbers: name_to_trace_id -> traces_by_id -> frames_by_id.
// Tested by unit/io/debug_info_test.cc.
#include "core/io/debug_info.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/source_bytes.h"
#include "core/base/text.h"
#include "core/io/envelope.h"
#include "core/io/parse_message.h"
#include "core/io/proto/graph.pb.h"
#include "core/io/text_format.h"
#include "core/io/wire.h"
#include "core/io/wire_check.h"

namespace tideline::io {
namespace {

constexpr std::uint32_t kDebugInfo = 5;  // of a GraphDef

using Frame = wire::GraphDebugInfo::FileLineCol;
using Trace = wire::GraphDebugInfo::StackTrace;

// The entries of a map by their keys: the library's own order is not the same twice.
template <typename Map>
std::vector<const typename Map::value_type*> in_order(const Map& map) {
  std::vector<const typename Map::value_type*> entries;
  entries.reserve(map.size());
  for (const auto& entry : map) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(),
            [](const auto* a, const auto* b) { return a->first < b->first; });
  return entries;
}

class Decoder {
 public:
  explicit Decoder(const wire::GraphDebugInfo& message) : message_(message) {
    is_users_.reserve(static_cast<std::size_t>(message.files_size()));
    for (const std::string& file : message.files()) {
      const bool has_name = !file.empty() && !file.ends_with('/');
      is_users_.push_back(has_name && !is_library_file(file));
    }
  }

  Result<DebugInfo> run() {
    for (const auto* entry : in_order(message_.frames_by_id())) {
      const auto where = [&] { return fmt::format("frames_by_id[{}]", entry->first); };
      TIDELINE_RETURN_IF_ERROR(check(entry->second, where));
    }
    result_.line_of.reserve(message_.name_to_trace_id().size() + message_.traces().size());
    for (const auto* entry : in_order(message_.traces())) {
      const auto where = [&] { return fmt::format("traces['{}']", printable(entry->first)); };
      TIDELINE_TRY(const std::uint32_t line, line_of(entry->second, where));
      add(entry->first, line);
    }
    std::unordered_map<std::uint64_t, std::uint32_t> line_of_trace;
    for (const auto* entry : in_order(message_.traces_by_id())) {
      const auto where = [&] { return fmt::format("traces_by_id[{}]", entry->first); };
      TIDELINE_TRY(line_of_trace[entry->first], line_of(entry->second, where));
    }
    for (const auto* entry : in_order(message_.name_to_trace_id())) {
      const auto found = line_of_trace.find(entry->second);
      if (found == line_of_trace.end()) {
        return fail(Code::kCorrupt,
                    "name_to_trace_id['{}']: there is no trace {}; expected one of traces_by_id",
                    printable(entry->first), entry->second);
      }
      add(entry->first, found->second);
    }
    return std::move(result_);
  }

 private:
  template <typename Where>
  Status check(const Frame& frame, const Where& where) const {
    if (frame.file_index() < 0 || frame.file_index() >= message_.files_size()) {
      return fail(Code::kCorrupt, "{}: file_index {} is of no file; expected one below {}", where(),
                  frame.file_index(), message_.files_size());
    }
    if (frame.line() < 0) {
      return fail(Code::kCorrupt, "{}: line {}; expected one from 0 on", where(), frame.line());
    }
    return {};
  }

  // The innermost frame of the user, or kNone.
  template <typename Where>
  Result<std::uint32_t> line_of(const Trace& trace, const Where& where) {
    const Frame* innermost = nullptr;
    const auto meet = [&](const Frame& frame) {
      const bool is_users = is_users_[static_cast<std::size_t>(frame.file_index())];
      if (is_users && frame.line() > 0) innermost = &frame;
    };
    for (const Frame& frame : trace.file_line_cols()) {
      TIDELINE_RETURN_IF_ERROR(check(frame, where));
      meet(frame);
    }
    for (const std::uint64_t id : trace.frame_id()) {
      const auto found = message_.frames_by_id().find(id);
      if (found == message_.frames_by_id().end()) {
        return fail(Code::kCorrupt, "{}: there is no frame {}; expected one of frames_by_id",
                    where(), id);
      }
      meet(found->second);
    }
    return innermost == nullptr ? SourceLines::kNone : index_of(*innermost);
  }

  std::uint32_t index_of(const Frame& frame) {
    const auto next = static_cast<std::uint32_t>(result_.lines.size());
    const auto [at, is_new] =
        indices_.try_emplace({frame.file_index(), frame.line(), frame.func()}, next);
    if (is_new) {
      result_.lines.push_back({message_.files(frame.file_index()), frame.line(), frame.func()});
    }
    return at->second;
  }

  void add(const std::string& name, std::uint32_t line) {
    if (line == SourceLines::kNone) return;
    // TensorFlow ends names of ops that are in no function with an empty one, too.
    const bool is_of_graph = name.ends_with('@');
    result_.line_of.try_emplace(is_of_graph ? name.substr(0, name.size() - 1) : name, line);
  }

  const wire::GraphDebugInfo& message_;
  std::vector<bool> is_users_;  // by file
  std::map<std::tuple<std::int32_t, std::int32_t, std::string>, std::uint32_t> indices_;
  DebugInfo result_;
};

// Text begins with the name of a field or with a comment.
bool is_debug_text(std::string_view bytes) {
  const std::size_t at = bytes.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) return false;
  for (const std::string_view word : {"files", "traces", "frames", "name_to", "#"}) {
    if (bytes.substr(at).starts_with(word)) return true;
  }
  return false;
}

const MessageRules& debug_info_rules() {
  return *message_rules().graph_def.find(kDebugInfo)->message;
}

// The text as the message that it stands for: as the field of a GraphDef, of which the text form
// is known. The words before it stand on its first line, so that numbers of lines stay.
Result<std::string> wire_of_text(std::string_view text) {
  TIDELINE_TRY(const std::string graph,
               text_to_wire("debug_info {" + std::string(text) + "\n}", MessageKind::kGraphDef));
  std::string message;
  FieldReader reader(graph);
  for (Field field; reader.next(field);) {
    // A brace too many ends the message, and what follows is of the graph.
    if (!field.is_bytes(kDebugInfo)) {
      return fail(Code::kCorrupt, "is no GraphDebugInfo: a brace closes it before its end");
    }
    message += field.bytes;
  }
  return message;
}

namespace fs = std::filesystem;

// Nobody named the file, so a link does not lead to one elsewhere.
bool is_file_within(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const fs::path whole = fs::canonical(path, error);
  if (error) return false;
  const fs::path inside = whole.lexically_relative(fs::canonical(folder, error));
  return !error && !inside.empty() && *inside.begin() != "..";
}

}  // namespace

Result<DebugInfo> decode_debug_info(std::string_view bytes) {
  std::string of_text;
  if (is_debug_text(bytes)) {
    TIDELINE_TRY(of_text, wire_of_text(bytes));
    bytes = of_text;
  }
  if (const auto problem = check_message(bytes, debug_info_rules(), 0)) {
    return tl::unexpected(
        with_context(corrupt_at(bytes, *problem).value(), "is no GraphDebugInfo"));
  }
  wire::GraphDebugInfo message;
  if (!parse_message(bytes, message)) {
    return fail(Code::kCorrupt,
                "is no GraphDebugInfo; expected what TensorFlow writes with "
                "save_debug_info=True");
  }
  return Decoder(message).run();
}

Result<DebugInfo> read_debug_info(const std::string& path) {
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(path));
  auto info = decode_debug_info(bytes->bytes());
  if (!info) return tl::unexpected(with_context(std::move(info).error(), path));
  return info;
}

std::string debug_info_beside(const Document& document) {
  if (!document.folder.empty()) {
    for (const char* name : {"saved_model_debug_info.pb", "saved_model_debug_info.pbtxt"}) {
      const fs::path path = fs::path(document.folder) / "debug" / name;
      if (is_file_within(path, document.folder)) return path.string();
    }
  }
  const fs::path path = document.path + ".debug_info.pb";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  return is_file_within(path, folder) ? path.string() : std::string();
}

std::string_view debug_info_inside(const Document& document) {
  std::vector<std::string_view> parts;
  if (document.function.empty()) {
    for (const GraphField& entry : document.fields) parts.push_back(entry.whole);
  } else if (const Envelope* graph = document.envelope(MessageKind::kGraphDef)) {
    parts = {graph->before, graph->after};
  }
  for (const std::string_view part : parts) {
    FieldReader reader(part);
    for (Field field; reader.next(field);) {
      if (field.is_bytes(kDebugInfo)) return field.bytes;
    }
  }
  return {};
}

}  // namespace tideline::io
