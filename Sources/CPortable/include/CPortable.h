// Memory, on any system that has a C compiler: what Swift cannot promise by itself.
#ifndef CPORTABLE_H
#define CPORTABLE_H

#include "EmbeddedFiles.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Zeroes memory in a way that the optimiser may not leave out.
void cportable_wipe(void *_Nullable memory, size_t count);

/// Zeroes the stack below the caller, as far as a reader of a line gets: functions that have returned leave there what they had in registers.
void cportable_wipe_stack(void);

/// New memory of zeroes, for `cportable_free`. Ends the process if there is none left.
static inline void *_Nonnull cportable_zeroed(size_t count) {
  void *memory = calloc(count, 1);
  if (memory == NULL) abort();
  return memory;
}

static inline void cportable_free(void *_Nullable memory) { free(memory); }

/// From now on all memory is zeroed before it is freed, until there were as many calls of `cportable_keep_freed`: what strings and arrays have held that nobody
/// wipes by hand. Only in a program or library that is linked on Linux with `--wrap=free`; elsewhere nothing changes.
void cportable_wipe_freed(void);
void cportable_keep_freed(void);

/// The first byte of that value, or NULL.
static inline const void *_Nullable cportable_find(const void *_Nonnull memory, uint8_t byte, size_t count) {
  return memchr(memory, byte, count);
}

/// Moves bytes; the places may overlap.
static inline void cportable_move(void *_Nonnull target, const void *_Nonnull source, size_t count) {
  memmove(target, source, count);
}

/// Has the processor fetch the line of memory at an address, if it likes to, while other work goes on. Any address will do.
static inline void cportable_prefetch(const void *_Nullable address) { __builtin_prefetch(address, 1); }

#endif
