#ifndef LOGIN_ENGINE_CRASH_HANDLER_H
#define LOGIN_ENGINE_CRASH_HANDLER_H

/// Replaces the Swift runtime's function of this name, which the runtime calls while it is loaded.
/// This one installs no crash handler, and returns 0 for success.
int _swift_installCrashHandler(void);

#endif
