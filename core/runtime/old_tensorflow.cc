// Loads what TensorFlow 1's library takes from Python.
//
// Problem: TensorFlow 1 has its C interface in a library that is a module of Python as well,
// _pywrap_tensorflow_internal.so. It is bound at once when it is loaded, so that every function of
// Python that it mentions must be there. A worker is no Python, and the Python whose package it is
// may be linked statically: then there is no library of Python to load.
//
// Idea: a small library with these names (python/symbols.cc) is a part of the program. It is loaded
// from memory, and only by a worker that is about to load such a library: nothing else that a
// program may load, such as a checkpoint backend with a Python of its own, sees these names.
//
// Limits: TensorFlow 1.13 to 1.15. The modules of TensorFlow 2 refer to more names and to pybind11;
// its newer packages have a library without Python. Source: dlopen(3), memfd_create(2).
// Tested by integration/run_old_test.py.
#include "core/runtime/old_tensorflow.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include "core/base/descriptor.h"
#include "core/runtime/python_library.h"

namespace tideline::runtime {

bool is_module_of_python(const std::string& path) {
  return path.ends_with("/_pywrap_tensorflow_internal.so");
}

Status give_python_symbols() {
  const Descriptor file(::memfd_create("names of Python", MFD_CLOEXEC));
  const auto size = static_cast<ssize_t>(kPythonLibrary.size());
  if (file.value() < 0 ||
      ::write(file.value(), kPythonLibrary.data(), kPythonLibrary.size()) != size) {
    return fail(Code::kIo, "TensorFlow 1 cannot be loaded: no file in memory can be written");
  }
  // Global: TensorFlow's library looks for the names where Python would have them.
  const std::string path = fmt::format("/proc/self/fd/{}", file.value());
  if (::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    return fail(Code::kIo, "TensorFlow 1 cannot be loaded: {}", ::dlerror());
  }
  return {};
}

}  // namespace tideline::runtime
