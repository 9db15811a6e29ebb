// The functions are written in Swift, in LoginEngineC; this file shows that the header is C by itself.
#include "login_engine.h"

_Static_assert(sizeof(login_engine_error) == LOGIN_ENGINE_ERROR_BYTES, "an error is its text");
