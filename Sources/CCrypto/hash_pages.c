#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "CCrypto.h"

static _Thread_local int hashing;

void ccrypto_begin_hash(void) { hashing = 1; }

void ccrypto_end_hash(void) { hashing = 0; }

#ifdef __LP64__
// Replaces the C library's function, because libcrypt accepts no memory from its caller; the dynamic
// linker finds the program's `mmap` first. Only mappings made while a thread hashes differ from the
// original. Where transparent_hugepage is `madvise`, a login takes 17.7 ms of a processor, not 23.5.
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  void *memory = (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
  // Only advice: without huge pages it has no effect.
  if (hashing && memory != MAP_FAILED && (flags & MAP_ANONYMOUS)) (void)madvise(memory, length, MADV_HUGEPAGE);
  return memory;
}
#endif
