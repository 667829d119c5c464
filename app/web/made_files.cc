// Tested by unit/web/made_files_test.cc.
#include "app/web/made_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <minizip/zip.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/actions/copy_as.h"
#include "app/engine/write.h"
#include "app/web/log_pictures.h"
#include "app/web/pictures.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"
#include "core/io/graph_format.h"

namespace tideline::web {
namespace {

namespace fs = std::filesystem;

// What a file is made of, taken while the session stood still.
struct Contents {
  std::shared_ptr<const app::Snapshot> snapshot;
  app::Wish wish;
  std::string stem;       ///< "model_lms"
  std::string extension;  ///< of the open file, ".meta"
};

Result<Contents> contents_of(Served& served, std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(served.mutex);
  served.wait_until(lock, deadline, [&] { return !served.viewer.graph().is_working(); });
  const app::GraphDocument& graph = served.viewer.graph();
  if (!graph.snapshot()) return fail(Code::kInvalidArgument, "no graph is open");
  if (graph.is_working()) {
    return fail(Code::kCancelled, "there is no plan yet; expected to try again");
  }
  if (graph.policy_error()) {
    return fail(Code::kInvalidArgument, "there is no plan for the policy: {}",
                graph.policy_error()->message);
  }
  const std::string path = served.shown(graph.snapshot()->graph->file->path());
  const fs::path beside(app::output_beside(path));
  return Contents{graph.snapshot(), graph.wish(), beside.stem().string(),
                  beside.extension().string()};
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

Result<Download> written(const Contents& contents, app::WriteKind kind, std::string name,
                         const std::string& parent) {
  TIDELINE_TRY(const auto folder, PrivateFolder::make(parent));
  app::WriteRequest request;
  request.kind = kind;
  const fs::path path = fs::path(folder->path()) / name;
  request.path = path.string();
  Progress progress;
  const auto hide = [&](Error error) {
    const std::size_t at = error.message.find(folder->path() + "/");
    if (at != std::string::npos) error.message.erase(at, folder->path().size() + 1);
    return tl::unexpected(std::move(error));
  };
  if (kind == app::WriteKind::kLog) {
    auto prepared = app::prepare_log(contents.snapshot, request, progress);
    if (!prepared) return hide(prepared.error());
    if (const auto done = app::write_log(*prepared, request, progress); !done) {
      return hide(done.error());
    }
  } else if (const auto done = app::write(contents.snapshot, request, progress); !done) {
    return hide(done.error());
  }
  const bool has_several = kind == app::WriteKind::kLog || kind == app::WriteKind::kCsv;
  if (!has_several) {
    TIDELINE_TRY(auto file, take_file(path));
    return Download{std::move(file), std::move(name)};
  }
  TIDELINE_TRY(auto file, zip_of(folder->path()));
  return Download{std::move(file), contents.stem + ".zip"};
}

Result<std::string> name_for_graph(const Contents& contents, const std::string& format) {
  std::vector<std::string> endings = io::written_endings();
  const std::string ending = format.empty() ? contents.extension : "." + format;
  if (std::find(endings.begin(), endings.end(), ending) != endings.end()) {
    return contents.stem + ending;
  }
  if (format.empty()) return contents.stem + ".pb";
  for (std::string& each : endings) each.erase(0, 1);
  return fail(Code::kInvalidArgument, "format: invalid value '{}'; expected {}", printable(format),
              alternatives(endings));
}

std::string text_member(const nlohmann::json& wish, const char* name) {
  const auto found = wish.find(name);
  return found != wish.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Of the file of a chart: its tag, without what a folder would be.
std::string chart_name(std::string tag) {
  std::replace(tag.begin(), tag.end(), '/', '_');
  return tag.empty() ? "chart" : tag;
}

// Others may ask the session while the file is made.
Result<ScalarsFile> chart_of(Served& served, const PictureWish& wish,
                             std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(served.mutex);
  served.wait_until_read(lock, deadline);
  return scalars_file(served, wish);
}

Result<Download> made_svg(Served& served, const nlohmann::json& wish,
                          std::chrono::steady_clock::time_point deadline) {
  TIDELINE_TRY(const PictureWish picture, parse_picture(wish));
  if (picture.log && picture.log->kind == ui::LogPage::kScalars) {
    TIDELINE_TRY(const ScalarsFile chart, chart_of(served, picture, deadline));
    TIDELINE_TRY(auto file, file_of(chart.svg()));
    return Download{std::move(file), chart_name(picture.log->tag) + ".svg"};
  }
  std::unique_lock lock(served.mutex);
  served.wait_until_read(lock, deadline);
  TIDELINE_TRY(const std::string svg, picture_svg(served, picture));
  lock.unlock();
  TIDELINE_TRY(auto file, file_of(svg));
  const std::string name =
      picture.log ? chart_name(picture.log->tag) : std::string(ui::view_of(picture.view).word);
  return Download{std::move(file), name + ".svg"};
}

}  // namespace

Result<Download> made_file(Served& served, const nlohmann::json& wish, const std::string& folder,
                           std::chrono::steady_clock::time_point deadline) {
  const std::string kind = text_member(wish, "kind");
  if (kind == "svg") return made_svg(served, wish, deadline);
  if (kind == "chart-csv") {
    PictureWish picture;
    picture.log = LogChartWish{ui::LogPage::kScalars, text_member(wish, "tag"), {}};
    TIDELINE_TRY(const ScalarsFile chart, chart_of(served, picture, deadline));
    TIDELINE_TRY(auto file, file_of(chart.csv()));
    return Download{std::move(file), chart_name(picture.log->tag) + ".csv"};
  }
  TIDELINE_TRY(const Contents contents, contents_of(served, deadline));
  if (kind == "graph") {
    TIDELINE_TRY(const std::string name, name_for_graph(contents, text_member(wish, "format")));
    TIDELINE_TRY(Download made, written(contents, app::WriteKind::kGraph, name, folder));
    const std::scoped_lock lock(served.mutex);
    served.viewer.graph().note_written(contents.wish);
    return made;
  }
  if (kind == "log") return written(contents, app::WriteKind::kLog, contents.stem, folder);
  if (kind == "csv") {
    return written(contents, app::WriteKind::kCsv, contents.stem + ".csv", folder);
  }
  if (kind == "plan") {
    return written(contents, app::WriteKind::kPlan, contents.stem + ".plan.json", folder);
  }
  return fail(Code::kInvalidArgument,
              "kind: invalid value '{}'; expected graph, log, csv, plan, svg or chart-csv",
              printable(kind));
}

Result<std::shared_ptr<const OpenFile>> zip_of(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(names.begin(), names.end());
  const std::string path = folder + "/archive.zip";
  const auto close = [](zipFile open) { return ::zipClose(open, nullptr); };
  std::unique_ptr<void, decltype(close)> zip(::zipOpen64(path.c_str(), APPEND_STATUS_CREATE),
                                             close);
  bool done = zip != nullptr;
  for (const std::string& name : names) {
    TIDELINE_TRY(const SharedBytes content, open_bytes(folder + "/" + name));
    const std::string_view bytes = content->bytes();
    if (bytes.size() > 0xFFFFFFFFU) {
      return fail(Code::kUnsupported, "an archive of files of more than 4 GiB");
    }
    zip_fileinfo info = {};
    info.dosDate = (1U << 5U) | 1U;  // the first day that the format knows
    constexpr uLong kUtf8 = 1U << 11U;
    done = done &&
           ::zipOpenNewFileInZip4_64(zip.get(), name.c_str(), &info, nullptr, 0, nullptr, 0,
                                     nullptr, 0, 0, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                                     Z_DEFAULT_STRATEGY, nullptr, 0, 0, kUtf8, 0) == ZIP_OK &&
           ::zipWriteInFileInZip(zip.get(), bytes.data(), static_cast<unsigned>(bytes.size())) ==
               ZIP_OK &&
           ::zipCloseFileInZip(zip.get()) == ZIP_OK;
  }
  if (!done || close(zip.release()) != ZIP_OK) {
    return fail(Code::kIo, "the archive cannot be written");
  }
  return take_file(path);
}

}  // namespace tideline::web
