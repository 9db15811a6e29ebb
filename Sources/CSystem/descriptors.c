#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

int csystem_open(const char *path, int flags, unsigned mode) { return csystem_open_at(AT_FDCWD, path, flags, mode); }

int csystem_open_at(int folder, const char *name, int flags, unsigned mode) {
  int fd;
  do fd = openat(folder, name, flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

int csystem_status_flags(int fd) { return fcntl(fd, F_GETFL); }
int csystem_set_status_flags(int fd, int flags) { return fcntl(fd, F_SETFL, flags); }
int csystem_pipe(int *fds) { return pipe2(fds, O_CLOEXEC); }
int csystem_set_pipe_size(int fd, int bytes) { return fcntl(fd, F_SETPIPE_SZ, bytes); }
int csystem_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

int csystem_eventfd(int nonblocking, int semaphore) {
  return eventfd(0, EFD_CLOEXEC | (nonblocking ? EFD_NONBLOCK : 0) | (semaphore ? EFD_SEMAPHORE : 0));
}

// Only standard input, output and error are ever shared with the program that started this one.
enum { shared_descriptors = 3 };
static struct { int fd, flags; } shared[shared_descriptors];
static int shared_count = 0;

static void restore_flags(void) {
  for (int i = 0; i < shared_count; i++) fcntl(shared[i].fd, F_SETFL, shared[i].flags);
}

int csystem_restore_flags_at_exit(int fd, int flags) {
  for (int i = 0; i < shared_count; i++)
    if (shared[i].fd == fd) return 0;
  if (shared_count == shared_descriptors) {
    errno = ENOSPC;
    return -1;
  }
  if (shared_count == 0 && atexit(restore_flags) != 0) {
    errno = ENOMEM;
    return -1;
  }
  shared[shared_count].fd = fd;
  shared[shared_count].flags = flags;
  shared_count++;
  return 0;
}

void csystem_error_text(int number, char *buffer, size_t capacity) {
  if (capacity == 0) return;
  // The GNU strerror_r may return a text of its own instead of filling the buffer.
  const char *text = strerror_r(number, buffer, capacity);
  if (text != buffer) {
    strncpy(buffer, text, capacity - 1);
    buffer[capacity - 1] = 0;
  }
}
