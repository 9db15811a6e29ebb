// Linked into liblogin_engine.so only.
#include "crash_handler.h"

// The Swift runtime, when loaded, installs handlers for crash signals if it finds a Swift
// installation (in SWIFT_ROOT, or near the library). Signals belong to the host, and these handlers
// print memory, which may contain passwords. This function replaces the runtime's.
int _swift_installCrashHandler(void) { return 0; }
