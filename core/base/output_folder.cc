// Tested by tests/unit/base/output_folder_test.cc and tests/golden/files/outputs_test.py.
#include "core/base/output_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/input_file.h"
#include "core/base/sync.h"
#include "core/base/temporaries.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

int rename_folder_with(const std::string& from, const std::string& to, unsigned flags) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags);
}

// A relative path that stays in its folder.
bool stays_inside(const fs::path& name) {
  return !name.empty() && name.is_relative() &&
         std::none_of(name.begin(), name.end(),
                      [](const fs::path& part) { return part == ".." || part.empty(); });
}

// Removes the folder `path` and those in it, if there are no files left. Sets `error` to why not.
void remove_empty(const fs::path& path, std::error_code& error) {
  std::error_code ignored;
  for (fs::directory_iterator entry(path, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      remove_empty(entry->path(), error);
    }
  }
  if (::rmdir(path.c_str()) != 0) error = {errno, std::generic_category()};
}

// Removes `files` of the folder `path`, then the folder. Anything else in it stays, and is why the
// folder does. What cannot be removed ends it: by the last files the next write knows the folder.
std::error_code remove_files(const std::string& path, const std::vector<std::string>& files) {
  std::error_code error;
  for (const std::string& file : files) {
    const fs::path place = fs::path(path) / file;
    if (::unlink(place.c_str()) == 0 || errno == ENOENT) continue;
    // The folder may be closed to its own user.
    std::error_code ignored;
    fs::permissions(place.parent_path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    if (::unlink(place.c_str()) != 0) return {errno, std::generic_category()};
  }
  remove_empty(path, error);
  return error;
}

// Removes a folder that a killed process had set aside.
void remove_old(const std::string& path, const MayReplace& may_replace) {
  if (!remove_files(path, {})) return;  // it was killed when only folders were left
  if (const auto files = may_replace(path, path)) {
    static_cast<void>(remove_files(path, *files));
  }
}

}  // namespace

MayReplace never_replace() {
  return [](const std::string&, const std::string& shown) -> Result<std::vector<std::string>> {
    return fail(Code::kInvalidArgument, "{}: is a folder with other content; it is not replaced",
                shown);
  };
}

Status check_output_folder(const std::string& path, bool replace, const MayReplace& may_replace) {
  const std::string place = without_slashes(path);
  if (::access(folder_of(place).c_str(), W_OK | X_OK) != 0) {
    return fail(Code::kIo, "{}: cannot write there: {}", place, std::strerror(errno));
  }
  struct stat status {};
  if (::lstat(place.c_str(), &status) != 0) return {};
  if (!S_ISDIR(status.st_mode)) {
    return fail(Code::kInvalidArgument, "{}: exists and is not a folder", place);
  }
  std::error_code error;
  if (fs::is_empty(place, error) && !error) return {};
  TIDELINE_RETURN_IF_ERROR(may_replace(place, place));
  if (!replace) {
    return fail(Code::kInvalidArgument, "{}: exists; give {{force}} to replace it", place);
  }
  return {};
}

Result<OutputFolder> OutputFolder::create(const std::string& path, bool replace,
                                          MayReplace may_replace, const Readers& readers) {
  TIDELINE_RETURN_IF_ERROR(check_output_folder(path, replace, may_replace));
  const std::string place = without_slashes(path);
  remove_abandoned(folder_of(place), [&](const std::string& old) { remove_old(old, may_replace); });
  std::string temporary = temporary_pattern(place);
  if (::mkdtemp(temporary.data()) == nullptr) {
    return fail(Code::kIo, "{}: cannot write there: {}", place, std::strerror(errno));
  }
  return OutputFolder(place, std::move(temporary), replace, std::move(may_replace), readers);
}

OutputFolder::OutputFolder(std::string path, std::string temporary, bool replaces,
                           MayReplace may_replace, const Readers& readers)
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      fd_(::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      replaces_(replaces),
      may_replace_(std::move(may_replace)),
      folders_{{"", readers}} {
  mark_in_use(fd_);
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)),
      replaces_(other.replaces_),
      may_replace_(std::move(other.may_replace_)),
      folders_(std::move(other.folders_)),
      old_files_(std::move(other.old_files_)),
      state_(other.state_),
      syncs_at_end_(other.syncs_at_end_) {}

OutputFolder::~OutputFolder() {
  if (state_ == State::kWriting && !temporary_.empty()) remove_tree(temporary_);
  if (fd_ >= 0) ::close(fd_);
}

Status OutputFolder::make_folder(const std::string& name, const Readers& readers) {
  if (!stays_inside(name)) {
    return fail(Code::kInvalidArgument, "{}: '{}': expected a name inside of the folder", path_,
                name);
  }
  fs::path inner;
  for (const fs::path& part : fs::path(name)) {
    inner /= part;
    if (folders_.contains(inner.native())) continue;
    // Closed to others until it is complete.
    if (::mkdir((fs::path(temporary_) / inner).c_str(), 0700) != 0) {
      return fail(Code::kIo, "{}/{}: cannot write: {}", path_, inner.native(),
                  std::strerror(errno));
    }
    folders_.emplace(inner.native(), readers);
  }
  return {};
}

Result<OutputFile> OutputFolder::file(const std::string& name, const Readers& readers) {
  const fs::path parent = fs::path(name).parent_path();
  if (!stays_inside(name) || !fs::path(name).has_filename()) {
    return fail(Code::kInvalidArgument, "{}: '{}': expected a name inside of the folder", path_,
                name);
  }
  if (!parent.empty()) {
    TIDELINE_RETURN_IF_ERROR(make_folder(parent.native(), folders_.at("")));
  }
  const std::string shown = (fs::path(path_) / name).native();
  TIDELINE_TRY(OutputFile made, OutputFile::open((fs::path(temporary_) / name).native(), shown,
                                                 replaces_ ? shown : std::string(), readers));
  made.syncs_folder_ = false;  // all folders are, at the end
  made.syncs_ = !syncs_at_end_;
  return made;
}

Status OutputFolder::copy(const std::string& from, const std::string& name, Progress& progress) {
  TIDELINE_TRY(InputFile source, InputFile::open(from));
  TIDELINE_TRY(OutputFile target, file(name, source.readers()));
  std::array<char, std::size_t{1} << 18U> buffer{};
  const auto size = static_cast<std::int64_t>(source.size());
  std::int64_t done = 0;
  while (true) {
    if (!progress.report("copying", done, size)) return cancelled();
    TIDELINE_TRY(const std::size_t got, source.read(buffer.data(), buffer.size()));
    if (got == 0) break;
    TIDELINE_RETURN_IF_ERROR(target.append({buffer.data(), got}));
    done += static_cast<std::int64_t>(got);
  }
  TIDELINE_RETURN_IF_ERROR(source.check_unchanged());
  return target.commit();
}

Status OutputFolder::finish() {
  if (syncs_at_end_ && ::syncfs(fd_) != 0) {
    return fail(Code::kIo, "{}: cannot write: {}", path_, std::strerror(errno));
  }
  // Names sort outer folders before inner ones; here inner ones come first.
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    const auto& [name, readers] = *folder;
    const fs::path place = fs::path(temporary_) / name;
    const Descriptor fd(::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat made {};
    if (fd.value() < 0 || ::fstat(fd.value(), &made) != 0 || !sync_file(fd.value())) {
      return fail(Code::kIo, "{}: cannot write: {}", path_, std::strerror(errno));
    }
    struct stat old {};
    if (::lstat((fs::path(path_) / name).c_str(), &old) == 0 && S_ISDIR(old.st_mode)) {
      keep_permissions(fd.value(), old);
    } else {
      const mode_t mode = no_wider(new_file_mode(0777), made.st_gid, readers);
      ::fchmod(fd.value(), mode | (made.st_mode & S_ISGID));
    }
  }
  return {};
}

Status OutputFolder::place(Undo) {
  int moved = rename_folder_with(temporary_, path_, RENAME_NOREPLACE);
  // A file system without this flag, or a folder: rename replaces only one that is empty.
  if (moved != 0 && (errno == EINVAL || errno == ENOSYS || errno == EEXIST)) {
    moved = ::rename(temporary_.c_str(), path_.c_str());
  }
  if (moved == 0) {
    state_ = State::kPlacedNew;
    return {};
  }
  if (errno != EEXIST && errno != ENOTEMPTY) {
    return fail(Code::kIo, "{}: cannot rename: {}", path_, std::strerror(errno));
  }
  if (replaces_) return place_exchanged();
  return fail(Code::kInvalidArgument, "{}: exists; give {{force}} to replace it", path_);
}

Status OutputFolder::place_exchanged() {
  // Under a name that says that somebody else may have written it.
  const std::string aside = set_aside_name(temporary_);
  if (rename_folder_with(temporary_, aside, RENAME_NOREPLACE) != 0) {
    return fail(Code::kIo, "{}: cannot rename: {}", path_, std::strerror(errno));
  }
  temporary_ = aside;
  if (rename_folder_with(aside, path_, RENAME_EXCHANGE) != 0) {
    if (errno == EINVAL || errno == ENOSYS) {
      return fail(Code::kUnsupported,
                  "{}: this file system cannot replace a folder; expected a new name", path_);
    }
    return fail(Code::kIo, "{}: cannot rename: {}", path_, std::strerror(errno));
  }
  // What was checked may have changed before it was exchanged.
  auto files = may_replace_(aside, path_);
  if (files) {
    old_files_ = *std::move(files);
    state_ = State::kExchanged;
    return {};
  }
  if (rename_folder_with(aside, path_, RENAME_EXCHANGE) != 0) {
    state_ = State::kSettled;
    files.error().message += fmt::format("; it is kept as {}", aside);
  }
  return tl::unexpected(std::move(files).error());
}

Status OutputFolder::settle() {
  const bool exchanged = std::exchange(state_, State::kSettled) == State::kExchanged;
  const bool synced = sync_folder(folder_of(path_));
  const int reason = errno;
  if (exchanged) {
    if (const std::error_code error = remove_files(temporary_, old_files_)) {
      return fail(Code::kIo, "{}: was written, but what it replaced is still there as {}: {}",
                  path_, temporary_, error.message());
    }
  }
  if (synced) return {};
  return fail(Code::kIo, "{}: was written, but its folder cannot be flushed to disk: {}", path_,
              std::strerror(reason));
}

bool OutputFolder::take_back() noexcept {
  if (state_ != State::kPlacedNew && state_ != State::kExchanged) return false;
  const unsigned flags = state_ == State::kExchanged ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (rename_folder_with(path_, temporary_, flags) != 0) return false;
  state_ = State::kWriting;
  return true;
}

}  // namespace tideline
