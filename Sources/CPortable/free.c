#include "CPortable.h"

#ifdef __linux__
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// How many calls of cportable_wipe_freed have had no matching call of cportable_keep_freed yet.
static atomic_int asking;

void cportable_wipe_freed(void) { atomic_fetch_add_explicit(&asking, 1, memory_order_relaxed); }
void cportable_keep_freed(void) { atomic_fetch_sub_explicit(&asking, 1, memory_order_relaxed); }

// With the linker option `--wrap=free`, all calls of free in a program come here. Without it, this
// function is unused and __real_free does not exist.
void __real_free(void *memory) __attribute__((weak));
void __wrap_free(void *memory);

void __wrap_free(void *memory) {
  if (__builtin_expect(atomic_load_explicit(&asking, memory_order_relaxed) > 0, 0) && memory != NULL) {
    memset(memory, 0, malloc_usable_size(memory));
    // The compiler has to assume that `free` reads the memory, and cannot remove the memset.
    __asm__ __volatile__("" : : "r"(memory) : "memory");
  }
  __real_free(memory);
}
#else
void cportable_wipe_freed(void) {}
void cportable_keep_freed(void) {}
#endif
