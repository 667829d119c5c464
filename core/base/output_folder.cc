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
#include "core/base/permissions.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

void remove_tree(const std::string& path) noexcept {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

Status sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.value() < 0 || (::fsync(folder.value()) != 0 && errno != EINVAL)) {
    return fail(Code::kIo, "{}: cannot write: {}", path, std::strerror(errno));
  }
  return {};
}

}  // namespace

Status check_output_folder(const std::string& path, bool replace, const MayReplace& may_replace) {
  const std::string place = without_slashes(path);
  std::error_code error;
  const fs::path parent = fs::path(place).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return fail(Code::kIo, "{}: cannot write there: {}", place, std::strerror(errno));
  }
  struct stat status {};
  if (::lstat(place.c_str(), &status) != 0) return {};
  if (!S_ISDIR(status.st_mode)) {
    return fail(Code::kInvalidArgument, "{}: exists and is not a folder", place);
  }
  if (fs::is_empty(place, error) && !error) return {};
  if (!may_replace(place)) {
    return fail(Code::kInvalidArgument, "{}: is a folder with other content; it is not replaced",
                place);
  }
  if (!replace) {
    return fail(Code::kInvalidArgument, "{}: exists; give --force to replace it", place);
  }
  return {};
}

Result<OutputFolder> OutputFolder::create(const std::string& path, bool replace,
                                          const MayReplace& may_replace) {
  TIDELINE_RETURN_IF_ERROR(check_output_folder(path, replace, may_replace));
  const std::string place = without_slashes(path);
  const fs::path name(place);
  std::string temporary =
      (name.parent_path() / ("." + name.filename().string().substr(0, 200) + ".XXXXXX")).string();
  if (::mkdtemp(temporary.data()) == nullptr) {
    return fail(Code::kIo, "{}: cannot write there: {}", place, std::strerror(errno));
  }
  ::chmod(temporary.c_str(), new_file_mode(0777));
  return OutputFolder(place, std::move(temporary), replace);
}

OutputFolder::OutputFolder(std::string path, std::string temporary, bool replaces)
    : path_(std::move(path)), temporary_(std::move(temporary)), replaces_(replaces) {}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      replaces_(other.replaces_) {}

OutputFolder::~OutputFolder() {
  if (!temporary_.empty()) remove_tree(temporary_);
}

Result<OutputFile> OutputFolder::file(const std::string& name) {
  const fs::path place = fs::path(temporary_) / name;
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (error) return fail(Code::kIo, "{}/{}: cannot write: {}", path_, name, error.message());
  auto made = OutputFile::create(place.string(), false);
  if (!made) return fail(Code::kIo, "{}/{}: cannot write there", path_, name);
  return made;
}

Status OutputFolder::copy(const std::string& from, const std::string& name, Progress& progress) {
  const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.value() < 0) {
    return fail(Code::kIo, "{}: cannot open: {}", from, std::strerror(errno));
  }
  struct stat status {};
  ::fstat(source.value(), &status);
  TIDELINE_TRY(OutputFile target, file(name));
  std::array<char, std::size_t{1} << 18U> buffer{};
  std::int64_t done = 0;
  while (true) {
    if (!progress.report("copying", done, status.st_size)) return cancelled();
    const ssize_t got = ::read(source.value(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Code::kIo, "{}: cannot read: {}", from, std::strerror(errno));
    if (got == 0) break;
    TIDELINE_RETURN_IF_ERROR(target.append({buffer.data(), static_cast<std::size_t>(got)}));
    done += got;
  }
  return target.commit();
}

Status OutputFolder::finish() {
  return sync_folder(temporary_);
}

Status OutputFolder::commit() {
  TIDELINE_RETURN_IF_ERROR(finish());
  int moved = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(),
                          static_cast<unsigned>(RENAME_NOREPLACE));
  bool replaced = false;
  if (moved != 0 && (errno == EINVAL || errno == ENOSYS)) {
    // A file system without these flags: rename refuses to replace a folder that is not empty.
    moved = ::rename(temporary_.c_str(), path_.c_str());
  } else if (moved != 0 && errno == EEXIST) {
    moved = ::rename(temporary_.c_str(), path_.c_str());  // an empty folder
    if (moved != 0 && replaces_) {
      moved = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(),
                          static_cast<unsigned>(RENAME_EXCHANGE));
      replaced = moved == 0;
    }
  }
  if (moved != 0 && (errno == EEXIST || errno == ENOTEMPTY)) {
    return fail(Code::kInvalidArgument, "{}: exists; give --force to replace it", path_);
  }
  if (moved != 0) return fail(Code::kIo, "{}: cannot rename: {}", path_, std::strerror(errno));
  const std::string old = std::exchange(temporary_, {});
  if (replaced) remove_tree(old);
  replaces_ = replaced;
  return {};
}

void OutputFolder::take_back() noexcept {
  if (temporary_.empty() && !replaces_) remove_tree(path_);
}

}  // namespace tideline
