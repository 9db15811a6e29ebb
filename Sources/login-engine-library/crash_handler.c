// What is linked into liblogin_engine.so only.
#include "crash_handler.h"

// The Swift runtime installs handlers for crash signals when it is loaded, if it finds a Swift installation (SWIFT_ROOT, or near the library).
// Signals are the host's own affair; and such a handler prints memory, which may hold passwords. This stands in for the runtime's function.
int _swift_installCrashHandler(void) { return 0; }
