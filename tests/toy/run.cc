#include "tests/toy/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "app/cli/commands.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

// What goes to the descriptor between both calls.
class Captured {
 public:
  explicit Captured(int descriptor) : descriptor_(descriptor), before_(::dup(descriptor)) {
    const int file = ::open(folder_.file("printed").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(file, descriptor_);
    ::close(file);
  }
  std::string end() {
    ::dup2(before_, descriptor_);
    ::close(before_);
    std::ifstream file(folder_.file("printed"), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  test::TemporaryFolder folder_;
  int descriptor_;
  int before_;
};

}  // namespace

Printed run(std::vector<std::string> words) {
  words.insert(words.begin(), "tideline");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  std::fflush(nullptr);
  Captured out(STDOUT_FILENO);
  Captured err(STDERR_FILENO);
  const int code = cli::run(static_cast<int>(argv.size()), argv.data());
  std::fflush(nullptr);
  return {code, out.end(), err.end()};
}

}  // namespace tideline
