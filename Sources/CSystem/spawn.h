// Starting a program in a new process.
#ifndef SPAWN_H
#define SPAWN_H

/// In a new process, which may share its parent's memory: executes the program, with these
/// descriptors as its 0, 1 and 2. The process is killed when the parent ends. `program` is the
/// program's open file, or -1 to use the path. Returns the errno of the failure.
int csystem_become(const char *path, int program, char *const *argv, char *const *envp, const int *fds, int parent);
/// Closes the descriptor and all that have higher numbers.
void csystem_close_from(int first);

#endif
