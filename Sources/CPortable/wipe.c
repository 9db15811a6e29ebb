#include "CPortable.h"

void cportable_wipe(void *memory, size_t count) {
  if (count == 0) return;
  memset(memory, 0, count);
  // The compiler has to assume that the memory is read afterwards, and cannot remove the memset.
  __asm__ __volatile__("" : : "r"(memory) : "memory");
}

__attribute__((noinline)) void cportable_wipe_stack(void) {
  char used[16384];
  cportable_wipe(used, sizeof used);
}
