/* Preloaded into the program. Writes what it renames, links and flushes to $WATCHED_FILES, a line each;
   lets flushes be interrupted twice each; fails the rename to a path that ends in $FAILING_RENAME;
   and with $FAULT, CALL:N:ERRNO, lets the Nth call of that name fail, which it writes there too; with
   ERRNO 0 the process is killed there. With
   $SHORT_WRITES pwrite writes at most as many bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char* what, const char* path) {
  const char* log = getenv("WATCHED_FILES");
  FILE* file = log == NULL ? NULL : fopen(log, "a");
  if (file == NULL) return;
  fprintf(file, "%s %s\n", what, path);
  fclose(file);
}

/* Whether this call is the one that is to fail; then errno says how. */
static int is_faulty(const char* name) {
  static int calls = 0;
  const char* fault = getenv("FAULT");
  const size_t length = strlen(name);
  if (fault == NULL || strncmp(fault, name, length) != 0 || fault[length] != ':') return 0;
  char* rest = NULL;
  if (++calls != strtol(fault + length + 1, &rest, 10)) return 0;
  const int code = atoi(rest + 1);
  say("fault", fault);
  if (code == 0) raise(SIGKILL);
  errno = code;
  return 1;
}

#define FAULTY(type, failed, name, parameters, arguments) \
  type name parameters {                                  \
    typedef type(*Next) parameters;                       \
    if (is_faulty(#name)) return failed;                  \
    return ((Next)dlsym(RTLD_NEXT, #name))arguments;      \
  }

FAULTY(ssize_t, -1, write, (int fd, const void* bytes, size_t size), (fd, bytes, size))
FAULTY(int, -1, fallocate, (int fd, int mode, off_t at, off_t size), (fd, mode, at, size))
FAULTY(int, -1, ftruncate, (int fd, off_t size), (fd, size))
FAULTY(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
FAULTY(int, -1, mkdir, (const char* path, mode_t mode), (path, mode))
FAULTY(int, -1, unlink, (const char* path), (path))
FAULTY(int, -1, rmdir, (const char* path), (path))
FAULTY(int, -1, flock, (int fd, int operation), (fd, operation))
FAULTY(int, -1, mkostemp, (char* pattern, int flags), (pattern, flags))
FAULTY(char*, NULL, mkdtemp, (char* pattern), (pattern))

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  typedef ssize_t (*Next)(int, const void*, size_t, off_t);
  const char* most = getenv("SHORT_WRITES");
  const size_t limit = most == NULL ? size : strtoul(most, NULL, 10);
  if (is_faulty("pwrite")) return -1;
  return ((Next)dlsym(RTLD_NEXT, "pwrite"))(fd, bytes, size < limit ? size : limit, at);
}

int link(const char* from, const char* to) {
  typedef int (*Next)(const char*, const char*);
  if (is_faulty("link")) return -1;
  const int made = ((Next)dlsym(RTLD_NEXT, "link"))(from, to);
  if (made == 0) say("link", to);
  return made;
}

static int must_fail(const char* to) {
  const char* end = getenv("FAILING_RENAME");
  if (end == NULL || strlen(to) < strlen(end)) return 0;
  return strcmp(to + strlen(to) - strlen(end), end) == 0;
}

int fsync(int fd) {
  static int calls = 0;
  char link[64];
  char path[4096];
  if (is_faulty("fsync")) return -1;
  if (++calls % 3 != 0) {
    errno = EINTR;
    return -1;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  path[size < 0 ? 0 : size] = '\0';
  say("sync", path);
  return 0;
}

int rename(const char* from, const char* to) {
  typedef int (*Next)(const char*, const char*);
  if (is_faulty("rename")) return -1;
  if (must_fail(to)) {
    errno = EACCES;
    return -1;
  }
  say("rename", to);
  return ((Next)dlsym(RTLD_NEXT, "rename"))(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  typedef int (*Next)(int, const char*, int, const char*, unsigned);
  if (is_faulty("renameat2")) return -1;
  if (must_fail(to)) {
    errno = EACCES;
    return -1;
  }
  say("rename", to);
  return ((Next)dlsym(RTLD_NEXT, "renameat2"))(from_folder, from, to_folder, to, flags);
}
