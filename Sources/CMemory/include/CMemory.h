// Memory, on any system that has a C compiler: what Swift cannot promise by itself.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Zeroes memory in a way that the optimiser may not leave out.
void cmemory_wipe(void *_Nullable memory, size_t count);

/// New memory of zeroes, for `cmemory_free`. Ends the process if there is none left.
static inline void *_Nonnull cmemory_zeroed(size_t count) {
  void *memory = calloc(count, 1);
  if (memory == NULL) abort();
  return memory;
}

static inline void cmemory_free(void *_Nullable memory) { free(memory); }

/// The first byte of that value, or NULL.
static inline const void *_Nullable cmemory_find(const void *_Nonnull memory, uint8_t byte, size_t count) {
  return memchr(memory, byte, count);
}

/// Moves bytes; the places may overlap.
static inline void cmemory_move(void *_Nonnull target, const void *_Nonnull source, size_t count) {
  memmove(target, source, count);
}

/// Has the processor fetch the line of memory at an address, if it likes to, while other work goes on. Any address will do.
static inline void cmemory_prefetch(const void *_Nullable address) { __builtin_prefetch(address, 1); }

#endif
