// Memory that is zeroed when it is freed, for a while: what strings and arrays have held that nobody wipes by hand.
#ifndef CFREEDMEMORY_H
#define CFREEDMEMORY_H

/// From now on memory is zeroed before it is freed, until there were as many calls of `cfreedmemory_end`. Does nothing where the linker has not been told to
/// put this in the place of `free`.
void cfreedmemory_begin(void);
void cfreedmemory_end(void);

#endif
