// Memory of libcrypt's: in large pages, and kept for the hash that comes next.
#ifndef CHASHMEMORY_H
#define CHASHMEMORY_H

/// From now on the calling thread hashes. yescrypt maps 16 MiB for each hash at the default cost, and unmaps them at its end: in pages of 4 KiB, the kernel's
/// work for them takes almost half of the time, so they may come in huge pages. What another hash of this size has left is given again as it is; if there is
/// only memory of other sizes, a piece of that goes back to the system.
void chashmemory_begin(void);

/// The calling thread hashes no longer. Without `keeps`, the memory that hashes have left goes back to the system, which zeroes it; with it, that stays as it is
/// for a hash that waits already, but for a piece if this hash has mapped none.
void chashmemory_end(int keeps);

/// How many pieces of memory are kept now.
int chashmemory_kept(void);

#endif
