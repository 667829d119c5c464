/* Preloaded into a program. Writes what it does to files to $RECORDED_WRITES, for a simulation of power
   failures: records of one line, numbers and paths separated by tabs; that of a write is followed by its
   bytes. Nothing is flushed to disk in truth. A file is called by its inode. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void record(const void* bytes, size_t size, const char* format, ...) {
  static int log = -1;
  char line[9000];
  va_list rest;
  if (log < 0) log = open(getenv("RECORDED_WRITES"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  va_start(rest, format);
  const int length = vsnprintf(line, sizeof line, format, rest);
  va_end(rest);
  if (NEXT(write)(log, line, (size_t)length) != length ||
      (size > 0 && NEXT(write)(log, bytes, size) != (ssize_t)size)) {
    abort();
  }
}

static unsigned long inode(int fd, int* is_folder) {
  struct stat status;
  if (fstat(fd, &status) != 0) abort();
  *is_folder = S_ISDIR(status.st_mode);
  return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) ? status.st_ino : 0;
}

static void wrote(int fd, const void* bytes, ssize_t size, off_t at) {
  int is_folder;
  const unsigned long file = inode(fd, &is_folder);
  if (size > 0 && file != 0) record(bytes, (size_t)size, "write\t%lu\t%ld\t%ld\n", file, (long)at, (long)size);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  const off_t at = lseek(fd, 0, SEEK_CUR);
  const ssize_t done = NEXT(write)(fd, bytes, size);
  wrote(fd, bytes, done, at);
  return done;
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  const ssize_t done = NEXT(pwrite)(fd, bytes, size, at);
  wrote(fd, bytes, done, at);
  return done;
}

int fallocate(int fd, int mode, off_t at, off_t size) {
  const int done = NEXT(fallocate)(fd, mode, at, size);
  int is_folder;
  if (done == 0) record("", 0, "size\t%lu\t%ld\n", inode(fd, &is_folder), (long)(at + size));
  return done;
}

int ftruncate(int fd, off_t size) {
  const int done = NEXT(ftruncate)(fd, size);
  int is_folder;
  if (done == 0) record("", 0, "size\t%lu\t%ld\n", inode(fd, &is_folder), (long)size);
  return done;
}

int fsync(int fd) {
  int is_folder;
  const unsigned long file = inode(fd, &is_folder);
  if (is_folder) {
    record("", 0, "folder\n");
  } else {
    record("", 0, "sync\t%lu\n", file);
  }
  return 0;
}

int mkostemp(char* pattern, int flags) {
  const int fd = NEXT(mkostemp)(pattern, flags);
  int is_folder;
  if (fd >= 0) record("", 0, "create\t%lu\t%s\n", inode(fd, &is_folder), pattern);
  return fd;
}

int rename(const char* from, const char* to) {
  const int done = NEXT(rename)(from, to);
  if (done == 0) record("", 0, "rename\t%s\t%s\n", from, to);
  return done;
}

int link(const char* from, const char* to) {
  const int done = NEXT(link)(from, to);
  if (done == 0) record("", 0, "link\t%s\t%s\n", from, to);
  return done;
}

int unlink(const char* path) {
  const int done = NEXT(unlink)(path);
  if (done == 0) record("", 0, "unlink\t%s\n", path);
  return done;
}

/* Not used where it matters; a test that needs it would go wrong without a word. */
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  (void)from_folder, (void)from, (void)to_folder, (void)to, (void)flags;
  abort();
}
