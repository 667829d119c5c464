/* Preloaded into the program: writes what it renames and flushes to $WATCHED_FILES, a line each; lets every
   flush be interrupted twice; and fails the rename to a path that ends in $FAILING_RENAME. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(const char* what, const char* path) {
  const char* log = getenv("WATCHED_FILES");
  FILE* file = log == NULL ? NULL : fopen(log, "a");
  if (file == NULL) return;
  fprintf(file, "%s %s\n", what, path);
  fclose(file);
}

static int must_fail(const char* to) {
  const char* end = getenv("FAILING_RENAME");
  if (end == NULL || strlen(to) < strlen(end)) return 0;
  return strcmp(to + strlen(to) - strlen(end), end) == 0;
}

int fsync(int fd) {
  static int calls = 0;
  if (++calls % 3 != 0) {
    errno = EINTR;
    return -1;
  }
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  path[size < 0 ? 0 : size] = '\0';
  say("sync", path);
  return 0;
}

int rename(const char* from, const char* to) {
  if (must_fail(to)) {
    errno = EACCES;
    return -1;
  }
  say("rename", to);
  int (*next)(const char*, const char*) = (int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename");
  return next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (must_fail(to)) {
    errno = EACCES;
    return -1;
  }
  say("rename", to);
  typedef int (*Rename)(int, const char*, int, const char*, unsigned);
  Rename next = (Rename)dlsym(RTLD_NEXT, "renameat2");
  return next(from_folder, from, to_folder, to, flags);
}
