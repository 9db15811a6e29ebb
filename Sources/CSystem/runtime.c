// A replacement for a part of the Swift runtime that examines the file system before main. With
// this function, a program needs nothing of that part, and the linker leaves that part out. The
// function is hidden, because a Swift runtime in a shared library keeps its own.

// Returns the path of the program that prints the stack, and the memory at each register, after a
// crash: NULL, so there is no such program. The runtime's own function looks in eight places, and
// ends a static program at once where there is no /proc.
__attribute__((visibility("hidden"))) char *swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return 0;
}
