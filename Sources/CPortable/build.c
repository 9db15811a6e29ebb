#include "EmbeddedFiles.h"

// Package.swift passes the value from the environment of the build.
#ifndef LOGIN_ENGINE_BUILD
#define LOGIN_ENGINE_BUILD ""
#endif

const char *cembedded_build(void) { return LOGIN_ENGINE_BUILD; }
