// The functions are implemented in Swift, in LoginEngineC. This file checks that the header
// compiles as C.
#include "login_engine.h"

_Static_assert(sizeof(login_engine_error) == LOGIN_ENGINE_ERROR_BYTES, "an error is its text");
