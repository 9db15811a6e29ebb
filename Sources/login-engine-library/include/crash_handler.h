#ifndef LOGIN_ENGINE_CRASH_HANDLER_H
#define LOGIN_ENGINE_CRASH_HANDLER_H

/// Replaces the function that the Swift runtime calls while it is loaded. Installs nothing and
/// returns 0 for success.
int _swift_installCrashHandler(void);

#endif
