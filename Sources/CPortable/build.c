#include "EmbeddedFiles.h"

// Package.swift passes on what the environment of a build says.
#ifndef LOGIN_ENGINE_BUILD
#define LOGIN_ENGINE_BUILD ""
#endif

const char *cembedded_build(void) { return LOGIN_ENGINE_BUILD; }
