// Files that a page sends, held in memory; and files that it fetches.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "app/web/message.h"
#include "app/web/paths.h"
#include "core/base/descriptor.h"

namespace tideline::web {

/// The memory that all uploads together may take. Thread: any.
struct UploadRoom {
  std::uint64_t most = 0;
  std::atomic<std::uint64_t> used = 0;
  /// Gives up an upload that nobody needs; false if there is none. May be empty.
  std::function<bool()> give_up_one = {};
};

/// A file without a place in any folder: when its last owner goes, nothing is left.
class Upload {
 public:
  /// May be read by sessions through `paths`. `paths` and `room` outlive it. Errors: kIo.
  [[nodiscard]] static Result<std::shared_ptr<Upload>> create(std::string name, AllowedPaths& paths,
                                                              UploadRoom& room);
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  /// Errors: kOverBudget without room, also after others gave way; kIo.
  [[nodiscard]] Status append(std::string_view bytes);
  /// Nothing can be written afterwards. Cost: O(bytes), for the digest.
  [[nodiscard]] Status finish();

  [[nodiscard]] const std::string& name() const { return name_; }  ///< as the page calls it
  [[nodiscard]] const std::string& path() const { return path_; }  ///< by which it can be opened
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::string& sha256() const { return sha256_; }

 private:
  Upload(std::string name, int fd, AllowedPaths& paths, UploadRoom& room);
  std::string name_, path_, sha256_;
  int fd_;
  std::uint64_t bytes_ = 0;
  AllowedPaths& paths_;
  UploadRoom& room_;
};

/// Uploads by their ids. At most kMostWaiting that no session has are kept, each for ten minutes;
/// another one, or one for which there is no room, takes the place of the one that waits longest.
/// Thread: any.
class Uploads {
 public:
  static constexpr std::size_t kMostWaiting = 8;

  [[nodiscard]] std::string add(std::shared_ptr<Upload> upload);
  /// Null if there is none; it stays for another session as long as one has it.
  [[nodiscard]] std::shared_ptr<Upload> find(const std::string& id);
  /// A session has it, and keeps it.
  void note_opened(const Upload& upload);
  /// The session that had it gave way; it waits once more, for the next one.
  void take_back(std::shared_ptr<Upload> upload);
  /// Gives up the one that waits longest; false if none waits.
  bool give_up_one();

 private:
  struct Entry {
    std::shared_ptr<Upload> waiting;
    std::weak_ptr<Upload> upload;
    std::chrono::steady_clock::time_point since;
  };
  void forget_old();
  void give_up_oldest(std::size_t most);
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// A file that was made for a page, to be fetched once within a minute.
struct Download {
  std::shared_ptr<const OpenFile> file;
  std::string name;
};

/// The newest kMost, each for a minute. Thread: any.
class Downloads {
 public:
  static constexpr std::chrono::seconds kLife{60};
  static constexpr std::size_t kMost = 16;

  /// They are made below `folder`; empty: the system's place for temporary files.
  explicit Downloads(std::string folder = {}) : folder_(std::move(folder)) {}
  [[nodiscard]] const std::string& folder() const { return folder_; }

  [[nodiscard]] std::string add(Download download);
  /// Nullopt if there is none, or no more.
  [[nodiscard]] std::optional<Download> take(const std::string& ticket);

 private:
  struct Entry {
    Download download;
    std::chrono::steady_clock::time_point since;
  };
  const std::string folder_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// The bytes as a file in memory. Errors: kIo.
[[nodiscard]] Result<std::shared_ptr<const OpenFile>> file_of(std::string_view bytes);

/// A folder with a name of its own, 0700, removed with all that is in it. While its process lives a
/// lock keeps those away who clear folders of temporary files (systemd-tmpfiles goes by it, and so
/// does remove_orphans).
class PrivateFolder {
 public:
  /// In `parent`, or in the system's place for temporary files. Errors: kIo.
  [[nodiscard]] static Result<std::unique_ptr<PrivateFolder>> make(const std::string& parent = {});
  /// Removes folders there that killed processes of this user left. What cannot be removed stays.
  static void remove_orphans(const std::string& parent = {});
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return folder_.value(); }

 private:
  explicit PrivateFolder(std::string path);
  std::string path_;
  Descriptor folder_;
};

}  // namespace tideline::web
