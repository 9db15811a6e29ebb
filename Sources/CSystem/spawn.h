// Starting a program in a new process.
#ifndef SPAWN_H
#define SPAWN_H

/// To be called in a new process, which may share its parent's memory. Executes the program with
/// these descriptors as its standard streams 0, 1 and 2. The process is killed when the parent
/// ends. `program` is the program's open file, or -1 to use the path. Returns only on failure, with
/// the errno.
int csystem_become(const char *path, int program, char *const *argv, char *const *envp, const int *fds, int parent);
/// Closes the descriptor with this number and all descriptors with higher numbers.
void csystem_close_from(int first);

#endif
