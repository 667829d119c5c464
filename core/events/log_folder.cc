#include "core/events/log_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/temporaries.h"
#include "core/base/text.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string run;
  fs::path path;
};

class FolderWalk {
 public:
  FolderWalk(Diagnostics& diagnostics, Progress& progress)
      : diagnostics_(diagnostics), progress_(progress) {}

  Result<std::vector<EventFile>> from(const std::string& path) {
    std::error_code none;
    root_ = fs::canonical(path, none);
    real_.push_back({".", path});
    std::size_t entered = 0;
    // Links last, because their targets may also be visited by their real names.
    while (!real_.empty() || !linked_.empty()) {
      std::deque<Folder>& next = real_.empty() ? linked_ : real_;
      const Folder folder = std::move(next.front());
      next.pop_front();
      if (!is_new(folder.path)) continue;
      if (entered++ == kMaxFolders) {
        diagnostics_.add(Severity::kDataLoss, "log of too many folders; the rest was left out",
                         fmt::format("more than {}", kMaxFolders));
        break;
      }
      if (!progress_.report("looking for logs", static_cast<std::int64_t>(files_.size()), 0)) {
        return cancelled();
      }
      list(folder);
    }
    std::sort(files_.begin(), files_.end(), [](const EventFile& a, const EventFile& b) {
      return std::tie(a.run, a.path) < std::tie(b.run, b.path);
    });
    return std::move(files_);
  }

 private:
  bool is_new(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return false;
    return entered_.emplace(status.st_dev, status.st_ino).second;
  }

  bool leads_inside(const fs::path& link) const {
    std::error_code error;
    const fs::path target = fs::canonical(link, error).lexically_relative(root_);
    return !error && !target.empty() && *target.begin() != "..";
  }

  void list(const Folder& folder) {
    std::error_code error;
    std::vector<fs::path> names;
    for (fs::directory_iterator entry(folder.path, error), end; !error && entry != end;
         entry.increment(error)) {
      names.push_back(entry->path());
    }
    if (error) {
      diagnostics_.add(Severity::kNotice, "folder that cannot be read",
                       fmt::format("{}: {}", printable(folder.path.native()), error.message()));
    }
    std::sort(names.begin(), names.end());
    for (const fs::path& path : names) {
      const fs::file_status status = fs::status(path, error);
      if (error) continue;  // a dangling link, or a deleted file
      const std::string name = path.filename().native();
      if (fs::is_directory(status)) {
        std::string run = folder.run == "." ? name : folder.run + "/" + name;
        if (!fs::is_symlink(path, error)) {
          real_.push_back({std::move(run), path});
        } else if (leads_inside(path)) {
          linked_.push_back({std::move(run), path});
        } else {
          diagnostics_.add(Severity::kNotice, "link out of the log, which is not followed",
                           printable(path.native()));
        }
      } else if (fs::is_regular_file(status) && name.find("tfevents") != std::string::npos &&
                 !is_temporary_name(name)) {
        files_.push_back({folder.run, path.native()});
      }
    }
  }

  Diagnostics& diagnostics_;
  Progress& progress_;
  fs::path root_;
  std::deque<Folder> real_;
  std::deque<Folder> linked_;
  std::set<std::pair<dev_t, ino_t>> entered_;
  std::vector<EventFile> files_;
};

}  // namespace

Result<std::vector<EventFile>> find_event_files(const std::string& path, Diagnostics& diagnostics,
                                                Progress& progress) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return fail(status.type() == fs::file_type::not_found ? Code::kNotFound : Code::kIo,
                "{}: cannot open: {}", path, error.message());
  }
  if (!fs::is_directory(status)) return std::vector<EventFile>{{".", path}};
  TIDELINE_TRY(std::vector<EventFile> files, FolderWalk(diagnostics, progress).from(path));
  if (files.empty()) {
    return fail(Code::kNotFound,
                "{}: no event file below this folder; expected files with "
                "'tfevents' in their names",
                path);
  }
  return files;
}

}  // namespace tideline::events
