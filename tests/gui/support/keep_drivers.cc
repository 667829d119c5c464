// Keeps the libraries of OpenGL drivers loaded until the process ends: the leak checker names the
// library in which a leak was made, as tests/support/leaks_of_drivers.txt needs it, only while that
// is loaded. Part of sanitized builds alone.

extern "C" int dlclose(void* /*library*/) {
  return 0;
}
