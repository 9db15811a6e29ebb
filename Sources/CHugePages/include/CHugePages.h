// Memory of libcrypt's in large pages.
#ifndef CHUGEPAGES_H
#define CHUGEPAGES_H

/// Whether memory that the calling thread maps from now on may come in huge pages. yescrypt maps 16 MiB for each hash at the default cost, and
/// unmaps them at its end: in pages of 4 KiB, the kernel's work for them takes almost half of the time.
void chugepages_allow(int is_allowed);

#endif
