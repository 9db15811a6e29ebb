// A part of the Swift runtime that looks around in the file system before main. A program that has this function needs nothing of that part, so that the
// linker leaves it out. Hidden, because a runtime in a library of its own keeps its part.

// Where the program is that prints the stack, and the memory at each register, after a crash: nowhere. The runtime looks in eight places, and ends a static
// program at once where there is no /proc.
__attribute__((visibility("hidden"))) char *swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return 0;
}
