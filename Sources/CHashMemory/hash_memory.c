#include "CHashMemory.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// libcrypt has no way to be given its memory, and the kernel gives huge pages to who asks for them (madvise(2)), but for systems where everybody
// has them. So this takes the place of the C library's functions, and is the same for all that is not mapped in a hash.
#ifdef __LP64__

typedef struct {
  void *memory;
  size_t length;
} region;

// What is smaller is not worth keeping, nor is it hashes' working memory.
static const size_t least = 1 << 20;
enum { most_kept = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static region kept[most_kept];
static _Thread_local int hashing;
// What this thread has mapped in its hash.
static _Thread_local region given;
// Whether the hash has taken memory that one before it has left, or has given that back.
static _Thread_local int has_taken;

static int unmap(region part) { return (int)syscall(SYS_munmap, part.memory, part.length); }

// Memory of that length which a hash has left, or NULL. Where there is none of it, memory of another length goes back to the system, so that with each hash
// that begins there is less of what was left.
static void *take(size_t length) {
  void *memory = NULL;
  region *other = NULL;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < most_kept && memory == NULL; index++) {
    if (kept[index].memory == NULL) continue;
    if (kept[index].length == length) {
      memory = kept[index].memory;
      kept[index].memory = NULL;
    } else {
      other = &kept[index];
    }
  }
  if (memory == NULL && other != NULL) {
    (void)unmap(*other);
    other->memory = NULL;
  }
  pthread_mutex_unlock(&lock);
  has_taken = 1;
  return memory;
}

// Whether there was a place for it.
static int keep(region part) {
  int is_kept = 0;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < most_kept && !is_kept; index++) {
    if (kept[index].memory == NULL) {
      kept[index] = part;
      is_kept = 1;
    }
  }
  pthread_mutex_unlock(&lock);
  return is_kept;
}

void chashmemory_begin(void) {
  hashing = 1;
  has_taken = 0;
}

void chashmemory_end(int keeps) {
  hashing = 0;
  given.memory = NULL;
  // A hash of a kind that maps nothing gives back what one before it has left. No length is 0.
  if (!has_taken) (void)take(0);
  if (keeps) return;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < most_kept; index++) {
    if (kept[index].memory != NULL) (void)unmap(kept[index]);
    kept[index].memory = NULL;
  }
  pthread_mutex_unlock(&lock);
}

int chashmemory_kept(void) {
  int count = 0;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < most_kept; index++) count += kept[index].memory != NULL;
  pthread_mutex_unlock(&lock);
  return count;
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  int is_working = hashing && address == NULL && length >= least && protection == (PROT_READ | PROT_WRITE) && (flags & MAP_ANONYMOUS);
  void *memory = is_working && !(flags & MAP_HUGETLB) ? take(length) : NULL;
  if (memory == NULL) {
    memory = (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
    if (memory == MAP_FAILED) return memory;
    // A kernel without huge pages says so, which does not matter.
    if (is_working) (void)madvise(memory, length, MADV_HUGEPAGE);
  }
  if (is_working) given = (region){memory, length};
  return memory;
}

int munmap(void *address, size_t length) {
  region part = {address, length};
  if (hashing && address != NULL && address == given.memory && length == given.length) {
    given.memory = NULL;
    if (keep(part)) return 0;
  }
  return unmap(part);
}

#else
void chashmemory_begin(void) {}
void chashmemory_end(int keeps) { (void)keeps; }
int chashmemory_kept(void) { return 0; }
#endif
