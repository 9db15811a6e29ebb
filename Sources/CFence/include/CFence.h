// What a process gives up for good: rights of its user on files (Landlock), system calls (seccomp), and rights that programs bring (no_new_privs).
// All of it passes on to threads and processes that the calling thread starts from then on, and to no others.
// Functions return 0 or a value on success and -1 with errno set on failure.
#ifndef CFENCE_H
#define CFENCE_H

#include <stdint.h>

/// What may be done with files below a folder, or with a file.
enum {
  CFENCE_READ_FILES = 1,
  CFENCE_READ_FOLDERS = 2,
  CFENCE_WRITE_FILES = 4,
  CFENCE_MAKE_FILES = 8,
  CFENCE_REMOVE_FILES = 16,
  CFENCE_MAKE_FOLDERS = 32,
};

/// Which system calls a process goes on with beside reading, writing, memory, time and files.
enum {
  CFENCE_THREADS = 1,
  /// Connections, and what libraries do that look for servers; they load libraries, too.
  CFENCE_NETWORK = 2,
  /// To give files that are open another owner, and a mode that gives no program rights.
  CFENCE_MODES = 4,
};

/// No program that this process runs gets more rights by being run. Seccomp and Landlock ask for this first.
int cfence_no_new_privileges(void);

/// A list of what stays allowed, empty, as a descriptor. ENOSYS or EOPNOTSUPP where the kernel has no Landlock.
int cfence_landlock_begin(void);
/// Adds rights on what the path leads to now. ENOENT if that is nothing.
int cfence_landlock_allow(int list, const char *_Nonnull path, unsigned rights);
/// Takes all other rights on files away, but for files that are open. Closes the list.
int cfence_landlock_end(int list);

/// Lets all system calls fail with EPERM that are not on the list. ENOSYS or EINVAL where the kernel has no filters, ENOSYS on another architecture.
int cfence_seccomp(unsigned calls);

#endif
