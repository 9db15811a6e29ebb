#include "EmbeddedFiles.h"

// Package.swift sets this macro from the environment variable of the same name, if it is set during
// the build.
#ifndef LOGIN_ENGINE_BUILD
#define LOGIN_ENGINE_BUILD ""
#endif

const char *cembedded_build(void) { return LOGIN_ENGINE_BUILD; }
