// What the library of TensorFlow 1 needs to be loaded by a program that is not Python.
#pragma once

#include <string>

#include "core/base/error.h"

namespace tideline::runtime {

/// Whether the library at `path` is that of TensorFlow 1: a module of Python, by its name.
[[nodiscard]] bool is_module_of_python(const std::string& path);

/// Gives this process the names of Python to which such a library refers; to be called before it
/// is loaded. Errors: kIo, with the loader's message. Thread: before others start.
[[nodiscard]] Status give_python_symbols();

}  // namespace tideline::runtime
