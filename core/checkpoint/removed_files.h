// Files that have no name any more, but whose space is still taken.
#pragma once

#include <memory>
#include <vector>

#include "core/base/descriptor.h"

namespace tideline::checkpoint {

/// Open files without a name. Their space is freed when they are closed, which takes a good part of
/// the time that writing them took; so it may be left to another thread.
using RemovedFiles = std::vector<std::unique_ptr<Descriptor>>;

}  // namespace tideline::checkpoint
