#include "app/cli/commands.h"

int main(int argc, char** argv) {
  return tideline::cli::run(argc, argv);
}
