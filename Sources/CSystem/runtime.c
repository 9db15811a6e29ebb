// A replacement for a part of the Swift runtime that examines the file system before main. With
// this function, a program needs nothing of that part, and the linker leaves it out. Hidden,
// because a runtime in a shared library keeps its part.

// The path of the program that prints the stack, and the memory at each register, after a crash:
// none. The original looks in eight places, and ends a static program at once where there is no
// /proc.
__attribute__((visibility("hidden"))) char *swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return 0;
}
