// Operations on memory that cannot be relied on in Swift, for any system with a C compiler.
#ifndef CPORTABLE_H
#define CPORTABLE_H

#include "EmbeddedFiles.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Zeroes memory. The optimiser cannot remove it.
void cportable_wipe(void *_Nullable memory, size_t count);

/// Zeroes the stack below the caller, as far down as parsing a line reaches, because functions that
/// have returned leave spilled registers there.
void cportable_wipe_stack(void);

/// New zeroed memory, which `cportable_free` frees. Ends the process if there is no memory left.
static inline void *_Nonnull cportable_zeroed(size_t count) {
  void *memory = calloc(count, 1);
  if (memory == NULL) abort();
  return memory;
}

static inline void cportable_free(void *_Nullable memory) { free(memory); }

/// From now on, zeroes all memory before it is freed, until `cportable_keep_freed` has been called
/// as often as this function. This includes strings and arrays, which cannot be wiped individually.
/// It works only in a program or library that is linked on Linux with `--wrap=free`; elsewhere it
/// has no effect.
void cportable_wipe_freed(void);
void cportable_keep_freed(void);

/// The address of the first byte with this value, or NULL.
static inline const void *_Nullable cportable_find(const void *_Nonnull memory, uint8_t byte, size_t count) {
  return memchr(memory, byte, count);
}

/// Moves bytes. The source and the target may overlap.
static inline void cportable_move(void *_Nonnull target, const void *_Nonnull source, size_t count) {
  memmove(target, source, count);
}

/// Prefetches the cache line of an address. Any address is allowed.
static inline void cportable_prefetch(const void *_Nullable address) { __builtin_prefetch(address, 1); }

#endif
