// Files of protocol/ that are part of the program, and the name of the build. The compiler records
// the files as inputs, so changing one rebuilds the program.
#ifndef CEMBEDDEDFILES_H
#define CEMBEDDEDFILES_H

#include <stddef.h>

/// The bytes of an embedded file. They stay valid as long as the process runs.
typedef struct {
  const unsigned char *_Nullable bytes;
  size_t count;
} cembedded_file;

/// The number of built-in flow definitions.
size_t cembedded_flow_count(void);
/// A flow definition from protocol/flows. Index 0 is the default flow. The result has no bytes if
/// there is no such index.
cembedded_file cembedded_flow(size_t index);

/// The file protocol/openrpc.json.
cembedded_file cembedded_openrpc(void);

/// The name of the build: the value that the environment variable LOGIN_ENGINE_BUILD had when the
/// program was built; empty if it was not set.
const char *_Nonnull cembedded_build(void);

#endif
