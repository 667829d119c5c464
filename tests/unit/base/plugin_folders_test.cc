#include "core/base/plugin_folders.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

namespace tideline {
namespace {

// $TIDELINE_PLUGINS for one test.
class PluginsVariable {
 public:
  explicit PluginsVariable(const char* value) {
    if (const char* old = std::getenv("TIDELINE_PLUGINS")) old_ = old;
    if (value != nullptr) {
      ::setenv("TIDELINE_PLUGINS", value, 1);
    } else {
      ::unsetenv("TIDELINE_PLUGINS");
    }
  }
  ~PluginsVariable() {
    if (old_) {
      ::setenv("TIDELINE_PLUGINS", old_->c_str(), 1);
    } else {
      ::unsetenv("TIDELINE_PLUGINS");
    }
  }
  PluginsVariable(const PluginsVariable&) = delete;
  PluginsVariable& operator=(const PluginsVariable&) = delete;

 private:
  std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("a folder that the user names is the only one searched for plugins") {
  const PluginsVariable variable("/some/folder");
  CHECK(plugin_paths("x.so", "kind") == std::vector<std::string>{"/some/folder/x.so"});
}

TEST_CASE("plugins are searched in the build tree and in the installation") {
  const PluginsVariable variable(nullptr);
  const auto paths = plugin_paths("x.so", "kind");
  REQUIRE(paths.size() >= 2);
  CHECK(paths[0].ends_with("/../plugins/kind/x.so"));
  CHECK(paths[1].ends_with("/../lib/tideline/plugins/x.so"));
}

}  // namespace tideline
