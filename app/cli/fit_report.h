// What the verb fit prints.
#pragma once

#include <string>
#include <vector>

#include "app/engine/fit.h"

namespace tideline::cli {

/// The verdict, the peak by kind and by layer, the ways, and the commands that write them. `graph`
/// is its name without folders.
void print_fit(const std::string& graph, const app::Fit& fit);

/// A line for each device; `fits` is not empty, and is about one graph.
void print_devices(const std::string& graph, const std::vector<app::Fit>& fits);

}  // namespace tideline::cli
