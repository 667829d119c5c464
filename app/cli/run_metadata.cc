#include "app/cli/run_metadata.h"

namespace tideline::cli {

void add_run_metadata(const Command& command, std::string& path) {
  command
      .add_option("--run-metadata", path,
                  "A traced step of this graph: a RunMetadata file, or a log (--run, --tag choose "
                  "there too). Its sizes and times replace estimates")
      .not_empty()
      .type_name("FILE|LOGDIR");
}

}  // namespace tideline::cli
