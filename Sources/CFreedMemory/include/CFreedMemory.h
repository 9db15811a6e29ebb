// Memory that is zeroed when it is freed, for a while: what strings and arrays have held that nobody wipes by hand.
#ifndef CFREEDMEMORY_H
#define CFREEDMEMORY_H

/// From now on memory is zeroed before it is freed, until there were as many calls of `cfreedmemory_end`. Only in a program or library that is linked on Linux
/// with `--wrap=free`; elsewhere nothing changes.
void cfreedmemory_begin(void);
void cfreedmemory_end(void);

#endif
