#include "CSystem.h"

#include <sys/prctl.h>

static int argument_count;
static char **arguments;

// The C library passes the arguments to constructors, which run before main. The Swift runtime
// would read them from /proc/self/cmdline, and without /proc every program would start as if it had
// no arguments.
__attribute__((constructor)) static void note_arguments(int count, char **vector) {
  argument_count = count;
  arguments = vector;
}

void csystem_set_process_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int csystem_argument_count(void) { return argument_count; }

const char *csystem_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}
