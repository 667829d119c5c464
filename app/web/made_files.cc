// Tested by unit/web/made_files_test.cc.
#include "app/web/made_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/session/copy_as.h"
#include "app/session/write.h"
#include "app/web/pictures.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

namespace fs = std::filesystem;

constexpr std::array kGraphFormats = {"pb", "pbtxt", "meta"};

// What a file is made of, taken while the session stood still.
struct Contents {
  std::shared_ptr<const session::Snapshot> snapshot;
  session::Wish wish;
  std::string stem;       ///< "model_lms"
  std::string extension;  ///< of the open file, ".meta"
};

Result<Contents> contents_of(Served& served, std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(served.mutex);
  served.wait_until(lock, deadline, [&] { return !served.viewer.graph().is_working(); });
  const session::GraphDocument& graph = served.viewer.graph();
  if (!graph.snapshot()) return fail(Code::kInvalidArgument, "no graph is open");
  if (graph.is_working()) {
    return fail(Code::kCancelled, "there is no plan yet; expected to try again");
  }
  if (graph.policy_error()) {
    return fail(Code::kInvalidArgument, "there is no plan for the policy: {}",
                graph.policy_error()->message);
  }
  const std::string path = served.shown(graph.snapshot()->graph->file->path());
  const fs::path beside(session::output_beside(path));
  return Contents{graph.snapshot(), graph.wish(), beside.stem().string(),
                  beside.extension().string()};
}

Result<std::string> read_all(const fs::path& path) {
  TIDELINE_TRY(const SharedBytes bytes, open_bytes(path.string()));
  return std::string(bytes->bytes());
}

// Opened, and gone from its folder at once.
Result<std::shared_ptr<const OpenFile>> take_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    if (fd >= 0) ::close(fd);
    return fail(Code::kIo, "the file that was made cannot be read");
  }
  return std::make_shared<const OpenFile>(fd, static_cast<std::uint64_t>(status.st_size));
}

Result<Download> written(const Contents& contents, session::WriteKind kind, std::string name,
                         const std::string& parent) {
  TIDELINE_TRY(const auto folder, PrivateFolder::make(parent));
  session::WriteRequest request;
  request.kind = kind;
  const fs::path path = fs::path(folder->path()) / name;
  request.path = path.string();
  Progress progress;
  const auto hide = [&](Error error) {
    const std::size_t at = error.message.find(folder->path() + "/");
    if (at != std::string::npos) error.message.erase(at, folder->path().size() + 1);
    return tl::unexpected(std::move(error));
  };
  if (kind == session::WriteKind::kLog) {
    auto prepared = session::prepare_log(contents.snapshot, request, progress);
    if (!prepared) return hide(prepared.error());
    if (const auto done = session::write_log(*prepared, request, progress); !done) {
      return hide(done.error());
    }
  } else if (const auto done = session::write(contents.snapshot, request, progress); !done) {
    return hide(done.error());
  }
  const bool has_several = kind == session::WriteKind::kLog || kind == session::WriteKind::kCsv;
  if (!has_several) {
    TIDELINE_TRY(auto file, take_file(path));
    return Download{std::move(file), std::move(name)};
  }
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder->path())) {
    if (!entry.is_regular_file()) continue;
    TIDELINE_TRY(std::string bytes, read_all(entry.path()));
    files.emplace_back(fs::relative(entry.path(), folder->path()).string(), std::move(bytes));
  }
  std::sort(files.begin(), files.end());
  TIDELINE_TRY(const std::string archive, zip_of(files));
  TIDELINE_TRY(auto file, file_of(archive));
  return Download{std::move(file), contents.stem + ".zip"};
}

Result<std::string> name_for_graph(const Contents& contents, const std::string& format) {
  if (format.empty()) {
    const bool is_known =
        std::find_if(kGraphFormats.begin(), kGraphFormats.end(), [&](const char* known) {
          return contents.extension == std::string(".") + known;
        }) != kGraphFormats.end();
    return contents.stem + (is_known ? contents.extension : ".pb");
  }
  if (std::find(kGraphFormats.begin(), kGraphFormats.end(), format) == kGraphFormats.end()) {
    return fail(Code::kInvalidArgument, "format: invalid value '{}'; expected pb, pbtxt or meta",
                printable(format));
  }
  return contents.stem + "." + format;
}

std::string text_member(const nlohmann::json& wish, const char* name) {
  const auto found = wish.find(name);
  return found != wish.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Little-endian; the bytes of several fields at once when they are 0.
void add_number(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i, value >>= 8U) bytes += static_cast<char>(value & 0xFFU);
}

}  // namespace

Result<Download> made_file(Served& served, const nlohmann::json& wish, const std::string& folder,
                           std::chrono::steady_clock::time_point deadline) {
  const std::string kind = text_member(wish, "kind");
  if (kind == "svg") {
    TIDELINE_TRY(const PictureWish picture, parse_picture(wish));
    std::unique_lock lock(served.mutex);
    served.wait_until_read(lock, deadline);
    TIDELINE_TRY(const std::string svg, picture_svg(served, picture));
    TIDELINE_TRY(auto file, file_of(svg));
    return Download{std::move(file), picture.is_memory ? "memory.svg" : "levels.svg"};
  }
  TIDELINE_TRY(const Contents contents, contents_of(served, deadline));
  if (kind == "graph") {
    TIDELINE_TRY(const std::string name, name_for_graph(contents, text_member(wish, "format")));
    TIDELINE_TRY(Download made, written(contents, session::WriteKind::kGraph, name, folder));
    const std::scoped_lock lock(served.mutex);
    served.viewer.graph().note_written(contents.wish);
    return made;
  }
  if (kind == "log") return written(contents, session::WriteKind::kLog, contents.stem, folder);
  if (kind == "csv") {
    return written(contents, session::WriteKind::kCsv, contents.stem + ".csv", folder);
  }
  if (kind == "plan") {
    return written(contents, session::WriteKind::kPlan, contents.stem + ".plan.json", folder);
  }
  return fail(Code::kInvalidArgument,
              "kind: invalid value '{}'; expected graph, log, csv, plan or svg", printable(kind));
}

// The format: PKWARE's APPNOTE 6.3, sections 4.3.7 (local headers), 4.3.12 (directory), 4.3.16
// (end). Times are the first that it knows, 1980, so that equal files give equal archives.
Result<std::string> zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  constexpr std::uint64_t kMost = 0xFFFFFFFFU;
  constexpr std::uint16_t kFirstDay = (1U << 5U) | 1U;
  constexpr std::uint16_t kUtf8 = 1U << 11U;
  std::string archive;
  std::string directory;
  for (const auto& [name, content] : files) {
    const std::uint64_t at = archive.size();
    if (at + content.size() + name.size() > kMost || files.size() > 0xFFFFU) {
      return fail(Code::kUnsupported, "a zip archive of more than 4 GiB");
    }
    std::string common;
    add_number(common, kUtf8, 2);
    add_number(common, 0, 2);  // stored
    add_number(common, 0, 2);
    add_number(common, kFirstDay, 2);
    const auto crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    add_number(common, crc, 4);
    add_number(common, content.size(), 4);
    add_number(common, content.size(), 4);
    add_number(common, name.size(), 2);
    add_number(common, 0, 2);
    archive += std::string("PK\x03\x04", 4);
    add_number(archive, 20, 2);
    archive += common + name + content;
    directory += std::string("PK\x01\x02", 4);
    add_number(directory, 20, 2);
    add_number(directory, 20, 2);
    directory += common;
    add_number(directory, 0, 2 + 2 + 2 + 4);
    add_number(directory, at, 4);
    directory += name;
  }
  const std::uint64_t begin = archive.size();
  archive += directory;
  archive += std::string("PK\x05\x06", 4);
  add_number(archive, 0, 4);
  add_number(archive, files.size(), 2);
  add_number(archive, files.size(), 2);
  add_number(archive, directory.size(), 4);
  add_number(archive, begin, 4);
  add_number(archive, 0, 2);
  return archive;
}

}  // namespace tideline::web
