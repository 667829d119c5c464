// The files that may be read and written through the server.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/confine.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"

namespace tideline::web {

/// A folder or file that may be read, as given and without links.
struct AllowedRoot {
  std::string given;      ///< absolute
  std::string canonical;  ///< without links
  bool is_folder = false;
  std::shared_ptr<const Descriptor> folder;  ///< it, or the one that the file lies in; O_PATH
};

/// Folders that were named at the start, and nothing beside them. A path that was checked is read
/// by its name later; confine_thread covers what changes between the two. Thread: any.
class AllowedPaths {
 public:
  /// `readable`: files and folders; `writable`: a folder, or empty. Errors: kNotFound for what is
  /// not there, kInvalidArgument for a file where a folder is needed.
  [[nodiscard]] static Result<std::unique_ptr<AllowedPaths>> make(
      const std::vector<std::string>& readable, const std::string& writable);
  AllowedPaths(const AllowedPaths&) = delete;
  AllowedPaths& operator=(const AllowedPaths&) = delete;

  [[nodiscard]] const std::vector<AllowedRoot>& roots() const { return roots_; }
  [[nodiscard]] bool may_write() const { return !writable_.empty(); }

  /// The folders, and the folders around single files, which may be replaced by newer files of the
  /// same name; those of the program's own files. Valid as long as this object lives.
  [[nodiscard]] Reach reach() const;

  /// The path without links, if it lies in one of the folders after links are resolved and is a
  /// file or folder; a folder must hold no link to a file outside of them (links
  /// to folders outside are not followed by those who read logs). Errors: kNotFound, with one
  /// message for what is not there and what may not be read, and another for a folder that was
  /// replaced since the start.
  [[nodiscard]] Result<std::string> for_reading(const std::string& path) const;
  /// The path of a file of this name in the folder for writing. Errors: kInvalidArgument for a name
  /// with a slash and the like, kUnsupported where nothing may be written, kNotFound for a folder
  /// that was replaced.
  [[nodiscard]] Result<std::string> for_writing(const std::string& name) const;

  /// Whether this is a link to a place outside of the folders for reading, or to nothing.
  [[nodiscard]] bool leads_outside(const std::string& path) const;

  /// Allows reading of exactly these files of the program's own, which lie in `folder`. No folder
  /// lists them, and nothing else in `folder` can be read; the kernel lets threads read all of it.
  /// To be called before `reach`.
  void add_own(const std::string& folder, const std::vector<std::string>& files);
  /// Allows reading of exactly this path: an upload.
  void grant(const std::string& path);
  void revoke(const std::string& path);

 private:
  AllowedPaths() = default;
  [[nodiscard]] bool is_inside(const std::string& canonical) const;
  [[nodiscard]] Status check_links(const std::string& folder) const;
  [[nodiscard]] std::optional<std::string> beneath(const AllowedRoot& root,
                                                   const std::string& rest) const;

  std::vector<AllowedRoot> roots_;
  std::vector<std::shared_ptr<const Descriptor>> own_folders_;
  std::string writable_;
  std::shared_ptr<const Descriptor> writable_folder_;
  mutable std::mutex mutex_;
  std::set<std::string> granted_;
};

}  // namespace tideline::web
