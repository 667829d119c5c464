#include "app/cli/saved_feeds.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "core/io/npy.h"

namespace tideline::cli {
namespace {

// "dropout/Placeholder:0" becomes "dropout_Placeholder"; a name that is taken gets a number.
std::string file_name(const std::string& feed, std::set<std::string>& taken) {
  std::string name = feed.ends_with(":0") ? feed.substr(0, feed.size() - 2) : feed;
  for (char& c : name) {
    if (c == '/' || c == ':') c = '_';
  }
  if (name.front() == '.') name.front() = '_';
  std::string unique = name;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique + ".npy";
}

}  // namespace

Status SavedFeeds::check(const std::string& folder) {
  return check_output_folder(folder, false, never_replace());
}

Result<SavedFeeds> SavedFeeds::write(const std::string& folder,
                                     const std::vector<runtime::Feed>& feeds, std::int64_t steps,
                                     const Readers& readers, Progress& progress) {
  TIDELINE_TRY(OutputFolder out,
               OutputFolder::create(folder, false, never_replace(), as_folder(readers)));
  SavedFeeds saved(std::move(out));
  std::set<std::string> taken;
  for (const runtime::Feed& feed : feeds) {
    const std::string name = file_name(feed.name(), taken);
    TIDELINE_RETURN_IF_ERROR(saved.write_file(feed, name, steps, readers, progress));
    saved.entries_.emplace_back(feed.name(), (std::filesystem::path(folder) / name).native());
  }
  return saved;
}

Status SavedFeeds::write_file(const runtime::Feed& feed, const std::string& name,
                              std::int64_t steps, const Readers& readers, Progress& progress) {
  std::vector<std::int64_t> dims = {steps};
  dims.insert(dims.end(), feed.dims().begin(), feed.dims().end());
  TIDELINE_TRY(const std::string head, io::npy_head(feed.type(), dims));
  TIDELINE_TRY(OutputFile file, folder_.file(name, readers));
  TIDELINE_RETURN_IF_ERROR(file.append(head));
  for (std::int64_t step = 0; step < steps; ++step) {
    if (!progress.report("saving feeds", step, steps)) return cancelled();
    TIDELINE_TRY(const runtime::TensorValue value, feed.value(step));
    TIDELINE_RETURN_IF_ERROR(file.append(value.content));
  }
  return file.commit();
}

}  // namespace tideline::cli
