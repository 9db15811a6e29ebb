// What starts a program in this process, or from another one.
#ifndef SPAWN_H
#define SPAWN_H

/// In a process that has just begun, and may share its parent's memory: becomes the program, with these descriptors as its 0, 1 and 2. The process is killed
/// when the parent ends. `program` is the program's open file, or -1 if the path tells which it is. Returns the errno of what failed.
int csystem_become(const char *path, int program, char *const *argv, char *const *envp, const int *fds, int parent);
/// Closes the descriptor and all that have higher numbers.
void csystem_close_from(int first);

#endif
