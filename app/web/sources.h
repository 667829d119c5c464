// The graphs, traced steps, lessons, logs and checkpoints that a page may open.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/web/paths.h"

namespace tideline::web {

/// Lists folders. What was found in a log is kept until its files change. Thread: any.
class Sources {
 public:
  explicit Sources(const AllowedPaths& paths) : paths_(paths) {}

  /// {"folder", "folders", "graphs", "traces", "lessons", "logs", "checkpoints", "refused"}: of a
  /// folder that may be read or, for an empty name, of everything that was given at the start.
  /// Nothing stands in it twice, by whatever names it can be reached. Errors: those of
  /// AllowedPaths::for_reading; kInvalidArgument for a file. Cost: O(bytes) of the event files
  /// below the folder, once.
  [[nodiscard]] Result<nlohmann::ordered_json> list(const std::string& folder);

 private:
  struct Kept {
    std::string state;  ///< of the files
    std::string text;   ///< as JSON
  };
  [[nodiscard]] nlohmann::ordered_json list_folder(const std::string& path);
  [[nodiscard]] nlohmann::ordered_json list_log(const std::string& path);
  [[nodiscard]] nlohmann::ordered_json list_documents(const std::string& path) const;

  const AllowedPaths& paths_;
  std::mutex mutex_;
  std::map<std::string, Kept> logs_;
};

}  // namespace tideline::web
