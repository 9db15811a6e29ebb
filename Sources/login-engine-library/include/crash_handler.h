#ifndef LOGIN_ENGINE_CRASH_HANDLER_H
#define LOGIN_ENGINE_CRASH_HANDLER_H

/// Called by the Swift runtime as it is loaded. Installs nothing, and returns 0, for success.
int _swift_installCrashHandler(void);

#endif
