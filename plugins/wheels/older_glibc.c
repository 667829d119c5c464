// What the program and the C++ library in it call that glibc 2.28 does not have, by what it does have. Linked into the program of the
// wheels alone; functions that only got a new version since are no matter, the linker takes the old one.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Since 2.35: which file's code `pc` is in, and its table for exceptions. By asking one after the other, as was usual before.
struct found_object {  // dl_find_object of later headers
  unsigned long long flags;
  void* map_start;
  void* map_end;
  struct link_map* link_map;
  void* eh_frame;
  unsigned long long reserved[7];
};

struct wanted_object {
  ElfW(Addr) pc;
  struct found_object* result;
};

static int is_in(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  const struct wanted_object* wanted = data;
  const ElfW(Phdr)* code = NULL;
  const ElfW(Phdr)* table = NULL;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    const ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) table = part;
    if (part->p_type == PT_LOAD && wanted->pc >= start && wanted->pc - start < part->p_memsz) {
      code = part;
    }
  }
  if (!code || !table) return 0;
  memset(wanted->result, 0, sizeof *wanted->result);
  wanted->result->map_start = (void*)(info->dlpi_addr + code->p_vaddr);
  wanted->result->map_end = (void*)(info->dlpi_addr + code->p_vaddr + code->p_memsz);
  wanted->result->eh_frame = (void*)(info->dlpi_addr + table->p_vaddr);
  return 1;
}

int find_object(void* pc, struct found_object* result) __asm__("_dl_find_object");
int find_object(void* pc, struct found_object* result) {
  struct wanted_object wanted = {(ElfW(Addr))pc, result};
  return dl_iterate_phdr(is_in, &wanted) == 1 ? 0 : -1;
}

// Since 2.30: waiting by a clock of one's choice. Before, the time that is left was added to that of the wall clock.
static struct timespec on_wall_clock(clockid_t clock, const struct timespec* until) {
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += until->tv_sec - now.tv_sec;
  wall.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) {
    wall.tv_nsec += 1000000000;
    --wall.tv_sec;
  } else if (wall.tv_nsec >= 1000000000) {
    wall.tv_nsec -= 1000000000;
    ++wall.tv_sec;
  }
  if (wall.tv_sec < 0) wall = (struct timespec){0, 0};
  return wall;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  const struct timespec wall = on_wall_clock(clock, until);
  return pthread_cond_timedwait(condition, mutex, &wall);
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  const struct timespec wall = on_wall_clock(clock, until);
  return pthread_mutex_timedlock(mutex, &wall);
}

// Since 2.34: a child closes all files from `first` on. Here those that are open now.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t* actions, int first) {
  DIR* open_files = opendir("/proc/self/fd");
  if (!open_files) return errno;
  int problem = 0;
  for (struct dirent* entry; problem == 0 && (entry = readdir(open_files));) {
    const int file = atoi(entry->d_name);
    if (entry->d_name[0] == '.' || file < first || file == dirfd(open_files)) continue;
    problem = posix_spawn_file_actions_addclose(actions, file);
  }
  closedir(open_files);
  return problem;
}

// Since 2.32.
const char* sigdescr_np(int number) {
  return number > 0 && number < NSIG ? strsignal(number) : NULL;
}

// Since 2.32: whether counters of references may be counted without locks. Never saying so is always right.
char __libc_single_threaded = 0;
