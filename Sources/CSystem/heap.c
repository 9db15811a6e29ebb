#include "CSystem.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

enum { huge_page = 2 << 20, step = 64 << 20 };

// With a million sessions in pages of 4 KiB, finding a page takes as long as reading it. This
// relies on `malloc` taking its memory by `sbrk`, in steps of M_TOP_PAD.
void csystem_use_huge_heap_pages(void) {
  static char *advised;
  char *end = sbrk(0);
  if (end == (char *)-1) return;
  if (advised == NULL) {
    // The heap grows in steps, so that pages are advised before they are touched.
    mallopt(M_TOP_PAD, step);
    // Large tables are allocated on the heap as well, instead of by `mmap`.
    mallopt(M_MMAP_MAX, 0);
    advised = end;
    return;
  }
  // `madvise` only advises: where the system has no huge pages, nothing changes.
  char *start = (char *)(((uintptr_t)advised + huge_page - 1) / huge_page * huge_page);
  if (end - start < huge_page) return;
  size_t length = (size_t)(end - start) / huge_page * huge_page;
  madvise(start, length, MADV_HUGEPAGE);
  advised = start + length;
}
