// Tested by unit/web/paths_test.cc.
//
// A path is first compared with the folders as it is written, then opened beneath the folder by the
// kernel (openat2 with RESOLVE_BENEATH, Linux 5.6), which refuses every step out of it: "..", links
// and links that change while they are followed. What is used afterwards is the name of what was
// opened, which holds no link. Where openat2 is missing, realpath stands for it: there a link that
// changes between the two is followed once more, and the result compared again. Between this check
// and the reading the name may change, too: confine.h.
#include "app/web/paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "core/base/characters.h"
#include "core/base/descriptor.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

namespace fs = std::filesystem;

// A folder with more is not looked through: it is refused.
constexpr int kMostEntries = 200'000;

tl::unexpected<Error> not_allowed(const std::string& path) {
  return fail(Code::kNotFound,
              "{}: there is no such file in the folders that tideline serve was given",
              printable(path, 2000));
}

bool has_prefix(const std::string& path, const std::string& folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::optional<std::string> name_of(int fd) {
  std::array<char, PATH_MAX> name;
  const std::string link = fmt::format("/proc/self/fd/{}", fd);
  const ssize_t size = ::readlink(link.c_str(), name.data(), name.size());
  if (size <= 0 || static_cast<std::size_t>(size) == name.size()) return std::nullopt;
  return std::string(name.data(), static_cast<std::size_t>(size));
}

std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  std::error_code error;
  return (fs::current_path(error) / path).string();
}

Result<std::shared_ptr<const Descriptor>> opened_folder(const std::string& path) {
  const int opened = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (opened >= 0) return std::make_shared<const Descriptor>(opened);
  return fail(Code::kIo, "{}: the folder cannot be opened: {}", printable(path, 2000),
              std::strerror(errno));
}

// Whether there is another folder of this name now. The server goes by what it has opened, and so
// does the kernel where it confines the server's threads.
bool was_replaced(const Descriptor& folder, const std::string& path) {
  struct stat then {};
  struct stat now {};
  return ::fstat(folder.value(), &then) == 0 && ::stat(path.c_str(), &now) == 0 &&
         (then.st_dev != now.st_dev || then.st_ino != now.st_ino);
}

tl::unexpected<Error> replaced_since_start(const std::string& folder) {
  return fail(
      Code::kNotFound,
      "{}: this folder was replaced after tideline serve started; restart it to use the new "
      "folder",
      printable(folder, 2000));
}

bool is_file_or_folder(const std::string& path, bool& is_folder) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return false;
  is_folder = S_ISDIR(status.st_mode);
  return is_folder || S_ISREG(status.st_mode);
}

std::string folder_of(const AllowedRoot& root) {
  return root.is_folder ? root.canonical : fs::path(root.canonical).parent_path().string();
}

std::string without_final_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

Result<std::unique_ptr<AllowedPaths>> AllowedPaths::make(const std::vector<std::string>& readable,
                                                         const std::string& writable) {
  std::unique_ptr<AllowedPaths> paths(new AllowedPaths());
  std::map<std::string, std::shared_ptr<const Descriptor>> opened;  // files of a folder share it
  for (const std::string& path : readable) {
    AllowedRoot root;
    std::error_code error;
    root.given = without_final_slash(absolute(path));
    root.canonical = fs::canonical(path, error).string();
    if (error) return fail(Code::kNotFound, "{}: {}", printable(path, 2000), error.message());
    if (!is_file_or_folder(root.canonical, root.is_folder)) {
      return fail(Code::kInvalidArgument, "{}: expected a file or folder", printable(path, 2000));
    }
    const std::string folder = folder_of(root);
    auto& known = opened[folder];
    if (known == nullptr) {
      TIDELINE_TRY(known, opened_folder(folder));
    }
    root.folder = known;
    paths->roots_.push_back(std::move(root));
  }
  if (!writable.empty()) {
    std::error_code error;
    paths->writable_ = fs::canonical(writable, error).string();
    if (error) return fail(Code::kNotFound, "{}: {}", printable(writable, 2000), error.message());
    if (!fs::is_directory(paths->writable_, error)) {
      return fail(Code::kInvalidArgument, "{}: expected a folder", printable(writable, 2000));
    }
    TIDELINE_TRY(paths->writable_folder_, opened_folder(paths->writable_));
  }
  return paths;
}

Reach AllowedPaths::reach() const {
  Reach reach;
  for (const AllowedRoot& root : roots_) reach.readable.push_back(root.folder->value());
  for (const auto& folder : own_folders_) reach.readable.push_back(folder->value());
  if (may_write()) reach.writable.push_back(writable_folder_->value());
  return reach;
}

bool AllowedPaths::is_inside(const std::string& canonical) const {
  return std::any_of(roots_.begin(), roots_.end(), [&](const AllowedRoot& root) {
    return root.is_folder ? has_prefix(canonical, root.canonical) : canonical == root.canonical;
  });
}

// `rest` is relative to the folder; empty: the folder itself.
std::optional<std::string> AllowedPaths::beneath(const AllowedRoot& root,
                                                 const std::string& rest) const {
  open_how how = {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const std::string inner = rest.empty() ? "." : rest;
  const Descriptor opened(static_cast<int>(
      ::syscall(SYS_openat2, root.folder->value(), inner.c_str(), &how, sizeof(how))));
  if (opened.value() >= 0) return name_of(opened.value());
  // EPERM: a container that does not know the call.
  if (errno != ENOSYS && errno != EPERM) return std::nullopt;
  std::error_code error;
  const std::string canonical = fs::canonical(root.canonical + "/" + inner, error).string();
  if (error || !has_prefix(canonical, root.canonical)) return std::nullopt;
  return canonical;
}

Result<std::string> AllowedPaths::for_reading(const std::string& path) const {
  {
    const std::scoped_lock lock(mutex_);
    if (granted_.contains(path)) return path;
  }
  if (path.empty() || path.find('\0') != std::string::npos) return not_allowed(path);
  const std::string whole = without_final_slash(absolute(path));
  // Another folder that was given may have it, too.
  std::optional<std::string> replaced;
  for (const AllowedRoot& root : roots_) {
    for (const std::string& folder : {root.given, root.canonical}) {
      if (!root.is_folder) {
        // It may be replaced by a link: what is named then is not what was given.
        std::error_code error;
        if (whole == folder && fs::canonical(whole, error).string() == root.canonical && !error) {
          if (!was_replaced(*root.folder, folder_of(root))) return root.canonical;
          replaced = folder_of(root);
        }
        continue;
      }
      if (!has_prefix(whole, folder)) continue;
      if (was_replaced(*root.folder, root.canonical)) {
        replaced = root.canonical;
        continue;
      }
      std::string rest = whole.substr(folder.size());
      while (rest.starts_with('/')) rest.erase(0, 1);
      const auto canonical = beneath(root, rest);
      bool is_folder = false;
      if (!canonical || !is_file_or_folder(*canonical, is_folder)) continue;
      if (!is_folder) return *canonical;
      TIDELINE_RETURN_IF_ERROR(check_links(*canonical));
      return *canonical;
    }
  }
  if (replaced) return replaced_since_start(*replaced);
  return not_allowed(path);
}

// Readers of logs and SavedModels follow links to files, but no links to folders outside.
Status AllowedPaths::check_links(const std::string& folder) const {
  std::error_code error;
  int count = 0;
  for (auto at = fs::recursive_directory_iterator(
           folder, fs::directory_options::skip_permission_denied, error);
       at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (error) break;
    if (++count > kMostEntries) {
      return fail(Code::kUnsupported, "{}: there are more than {} files in it",
                  printable(folder, 2000), kMostEntries);
    }
    std::error_code none;
    if (!at->is_symlink(none) || at->is_directory(none)) continue;
    if (at->exists(none) && leads_outside(at->path().string())) {
      return fail(Code::kNotFound,
                  "{}: this link leads out of the folders that tideline serve was given",
                  printable(at->path().string(), 2000));
    }
  }
  return {};
}

bool AllowedPaths::leads_outside(const std::string& path) const {
  std::error_code error;
  const std::string target = fs::canonical(path, error).string();
  return error || !is_inside(target);
}

Result<std::string> AllowedPaths::for_writing(const std::string& name) const {
  if (writable_.empty()) {
    return fail(Code::kUnsupported,
                "{}: nothing may be written here, only downloaded; expected tideline serve --write "
                "DIR",
                printable(name, 2000));
  }
  const bool is_hidden = next_hidden(name, 0).at < name.size();
  if (name.empty() || name.starts_with('.') || name.find('/') != std::string::npos || is_hidden) {
    return fail(Code::kInvalidArgument,
                "{}: expected the name of a file, without a folder and without a dot in front",
                printable(name, 2000));
  }
  if (was_replaced(*writable_folder_, writable_)) return replaced_since_start(writable_);
  return writable_ + "/" + name;
}

void AllowedPaths::add_own(const std::string& folder, const std::vector<std::string>& files) {
  auto opened = opened_folder(folder);
  if (!opened) return;
  own_folders_.push_back(*std::move(opened));
  const std::scoped_lock lock(mutex_);
  granted_.insert(files.begin(), files.end());
}

void AllowedPaths::grant(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  granted_.insert(path);
}

void AllowedPaths::revoke(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  granted_.erase(path);
}

}  // namespace tideline::web
