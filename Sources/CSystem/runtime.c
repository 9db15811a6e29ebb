// Two parts of the Swift runtime that look around in the file system before main, for as long as reading a flow takes. A program that has their functions
// needs nothing of those parts, so that the linker leaves them out. Hidden, because a runtime in a library of its own keeps its parts.
#include "CSystem.h"

#define REPLACES_RUNTIME __attribute__((visibility("hidden")))

// For CommandLine.arguments. The runtime looks for them through /proc/self/maps, and /proc may be missing.
REPLACES_RUNTIME char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = csystem_argument_count();
  return csystem_arguments();
}

// Part of the same, and called by nobody here.
REPLACES_RUNTIME void _swift_stdlib_overrideUnsafeArgvArgc(char **vector, int count) {
  (void)vector;
  (void)count;
}

// Where the program is that prints the stack, and the memory at each register, after a crash: nowhere. The runtime looks in eight places.
REPLACES_RUNTIME char *swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return NULL;
}
