#include "CHugePages.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static _Thread_local int allowed;

void chugepages_allow(int is_allowed) { allowed = is_allowed; }

// libcrypt has no way to be given its memory, and the kernel gives huge pages to who asks for them (madvise(2)), but for systems where everybody
// has them. So this takes the place of the C library's function, and is the same for all that is not mapped in a hash.
#ifdef __LP64__
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  void *memory = (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
  // A kernel without huge pages says so, which does not matter.
  if (allowed && memory != MAP_FAILED && (flags & MAP_ANONYMOUS)) (void)madvise(memory, length, MADV_HUGEPAGE);
  return memory;
}
#endif
