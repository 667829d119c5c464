// Tested by tests/unit/base/temporaries_test.cc.
#include "core/base/temporaries.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <optional>

#include "core/base/descriptor.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporaryMark = ".tideline-";
constexpr std::string_view kOld = "old-";
constexpr std::string_view kPart = "part-";
constexpr std::size_t kRandom = 6;
// A long name must not make the temporary name longer than the file system allows (255 bytes).
constexpr std::size_t kMostOfName = 200;

struct TemporaryName {
  pid_t process = 0;
  bool is_old = false;
  bool is_part = false;
};

// ".NAME.tideline-[old-|part-]PID-XXXXXX"
std::optional<TemporaryName> parse(std::string_view name) {
  const std::size_t mark = name.rfind(kTemporaryMark);
  if (!name.starts_with('.') || mark == std::string_view::npos || mark == 0) return std::nullopt;
  std::string_view rest = name.substr(mark + kTemporaryMark.size());
  TemporaryName parsed;
  parsed.is_old = rest.starts_with(kOld);
  if (parsed.is_old) rest.remove_prefix(kOld.size());
  parsed.is_part = rest.starts_with(kPart);
  if (parsed.is_part) rest.remove_prefix(kPart.size());
  const char* end = rest.data() + rest.size();
  const auto [after, error] = std::from_chars(rest.data(), end, parsed.process);
  if (error != std::errc() || parsed.process <= 0) return std::nullopt;
  const std::string_view random(after, static_cast<std::size_t>(end - after));
  if (random.size() != 1 + kRandom || random.front() != '-') return std::nullopt;
  return parsed;
}

bool is_running(pid_t process) {
  return ::kill(process, 0) == 0 || errno != ESRCH;
}

// The status of a temporary file whose process is gone; nullopt if the process runs.
std::optional<struct stat> if_abandoned(const std::string& path, const TemporaryName& name) {
  if (is_running(name.process)) return std::nullopt;
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (fd.value() < 0 || ::fstat(fd.value(), &status) != 0 || status.st_uid != ::geteuid()) {
    return std::nullopt;
  }
  // A process of another container, which cannot be seen from here, still holds the lock.
  if (::flock(fd.value(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return status;
}

void remove_if_abandoned(const std::string& path, const TemporaryName& name,
                         const std::function<void(const std::string&)>& remove_old) {
  const auto found = if_abandoned(path, name);
  if (!found) return;
  const struct stat& status = *found;
  if (S_ISREG(status.st_mode)) {
    ::unlink(path.c_str());
  } else if (S_ISDIR(status.st_mode)) {
    if (!name.is_old) {
      remove_tree(path);
    } else if (remove_old) {
      remove_old(path);
    }
  }
}

}  // namespace

std::string temporary_pattern(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return fmt::format("{}.{}{}{}-{}", path.substr(0, name), path.substr(name, kMostOfName),
                     kTemporaryMark, ::getpid(), std::string(kRandom, 'X'));
}

std::string set_aside_name(const std::string& temporary) {
  std::string name = temporary;
  name.insert(name.rfind(kTemporaryMark) + kTemporaryMark.size(), kOld);
  return name;
}

std::string part_name(const std::string& temporary) {
  std::string name = temporary;
  name.insert(name.rfind(kTemporaryMark) + kTemporaryMark.size(), kPart);
  return name;
}

std::vector<std::string> abandoned_parts(const std::string& folder) noexcept {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto parsed = parse(entry->path().filename().native());
    if (!parsed || !parsed->is_part) continue;
    const auto status = if_abandoned(entry->path().native(), *parsed);
    if (status && S_ISREG(status->st_mode)) found.push_back(entry->path().native());
  }
  return found;
}

bool is_temporary_name(std::string_view name) {
  return parse(name).has_value();
}

void mark_in_use(int fd) {
  ::flock(fd, LOCK_EX | LOCK_NB);  // where locks are not supported the process's number is enough
}

void remove_abandoned(const std::string& folder,
                      const std::function<void(const std::string& path)>& remove_old) noexcept {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    if (const auto parsed = parse(name); parsed && !parsed->is_part) {
      remove_if_abandoned(entry->path().native(), *parsed, remove_old);
    }
  }
}

void remove_tree(const std::string& path) noexcept {
  std::error_code ignored;
  // A folder may already have the permissions of the one that it was to replace.
  fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (fs::recursive_directory_iterator entry(path, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::error_code none;
    if (entry->is_directory(none) && !entry->is_symlink(none)) {
      fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, none);
    }
  }
  fs::remove_all(path, ignored);
}

}  // namespace tideline
