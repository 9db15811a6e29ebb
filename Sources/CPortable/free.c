#include "CPortable.h"

#ifdef __linux__
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// How many ask for it.
static atomic_int asking;

void cportable_wipe_freed(void) { atomic_fetch_add_explicit(&asking, 1, memory_order_relaxed); }
void cportable_keep_freed(void) { atomic_fetch_sub_explicit(&asking, 1, memory_order_relaxed); }

// The linker's `--wrap=free` has all of a program call this. Without it nobody does, and the other function does not exist.
void __real_free(void *memory) __attribute__((weak));
void __wrap_free(void *memory);

void __wrap_free(void *memory) {
  if (__builtin_expect(atomic_load_explicit(&asking, memory_order_relaxed) > 0, 0) && memory != NULL) {
    memset(memory, 0, malloc_usable_size(memory));
    // `free` may look at the memory, as far as the compiler knows.
    __asm__ __volatile__("" : : "r"(memory) : "memory");
  }
  __real_free(memory);
}
#else
void cportable_wipe_freed(void) {}
void cportable_keep_freed(void) {}
#endif
