// Files of protocol/ that are part of the program. The compiler notes them as inputs, so a change of one is a change of the program. Also the build's name.
#ifndef CEMBEDDEDFILES_H
#define CEMBEDDEDFILES_H

#include <stddef.h>

/// The bytes of a file. They stay where they are for as long as the process runs.
typedef struct {
  const unsigned char *_Nullable bytes;
  size_t count;
} cembedded_file;

/// The number of built-in flow definitions.
size_t cembedded_flow_count(void);
/// A file of protocol/flows. The first one, with index 0, defines the default flow. Without bytes if there is no such index.
cembedded_file cembedded_flow(size_t index);

/// protocol/openrpc.json.
cembedded_file cembedded_openrpc(void);

/// Which build this is, as LOGIN_ENGINE_BUILD said when the program was built; empty if it said nothing.
const char *_Nonnull cembedded_build(void);

#endif
