#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// These values are those of linux/landlock.h, which older systems do not have. They are the same on
// every architecture.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };
enum { version_flag = 1, path_beneath = 1 };

enum {
  execute = 1 << 0,
  write_file = 1 << 1,
  read_file = 1 << 2,
  read_dir = 1 << 3,
  remove_dir = 1 << 4,
  remove_file = 1 << 5,
  make_char = 1 << 6,
  make_dir = 1 << 7,
  make_reg = 1 << 8,
  make_sym = 1 << 12,
  refer = 1 << 13,
  truncate_file = 1 << 14,
  ioctl_device = 1 << 15,
};

struct ruleset {
  uint64_t files;
};

struct rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

/// All rights on files that the kernel's Landlock supports; 0 if there is none.
static uint64_t known_rights(void) {
  long version = syscall(create_ruleset, NULL, 0, version_flag);
  if (version < 1) return 0;
  uint64_t rights = (make_sym << 1) - 1;
  if (version >= 2) rights |= refer;
  if (version >= 3) rights |= truncate_file;
  if (version >= 5) rights |= ioctl_device;
  return rights;
}

int csystem_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int csystem_landlock_begin(void) {
  struct ruleset ruleset = {known_rights()};
  if (ruleset.files == 0) return -1;
  return (int)syscall(create_ruleset, &ruleset, sizeof ruleset, 0);
}

int csystem_landlock_allow(int list, const char *path, unsigned rights) {
  int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return -1;
  struct rule rule = {0, parent};
  if (rights & CSYSTEM_FENCE_READ_FILES) rule.allowed |= read_file;
  if (rights & CSYSTEM_FENCE_READ_FOLDERS) rule.allowed |= read_dir;
  if (rights & CSYSTEM_FENCE_WRITE_FILES) rule.allowed |= write_file | truncate_file;
  if (rights & CSYSTEM_FENCE_MAKE_FILES) rule.allowed |= make_reg;
  if (rights & CSYSTEM_FENCE_REMOVE_FILES) rule.allowed |= remove_file;
  if (rights & CSYSTEM_FENCE_MAKE_FOLDERS) rule.allowed |= make_dir;
  struct stat status;
  // A regular file has only these rights, and requesting others is an error.
  if (fstat(parent, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed &= read_file | write_file | truncate_file;
  rule.allowed &= known_rights();
  int result = rule.allowed == 0 ? 0 : (int)syscall(add_rule, list, path_beneath, &rule, 0);
  int number = errno;
  close(parent);
  errno = number;
  return result;
}

int csystem_landlock_end(int list) {
  int result = (int)syscall(restrict_self, list, 0);
  int number = errno;
  close(list);
  errno = number;
  return result;
}
