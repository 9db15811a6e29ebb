#include "CSystem.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

char **csystem_environment(void) { return environ; }

const char *csystem_started_path(void) { return (const char *)getauxval(AT_EXECFN); }

// All code from here to execve runs in the parent's memory, while the parent's thread is suspended.
// So it may only make system calls.

static void default_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  // Signals that the terminal sent to the parent's process group, before this process left that
  // group, were not for this process. Ignoring them drops them.
  static const int of_terminal[] = {SIGINT, SIGQUIT, SIGTSTP};
  action.sa_handler = SIG_IGN;
  for (size_t i = 0; i < sizeof of_terminal / sizeof of_terminal[0]; i++) sigaction(of_terminal[i], &action, NULL);
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void csystem_close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
  struct rlimit limit;
  int last = 65536;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536) last = (int)limit.rlim_cur;
  for (int fd = first; fd < last; fd++) close(fd);
}

static int place_descriptors(const int *fds) {
  int copies[3];
  // The descriptors are copied first, because one of the three may have a number that another one
  // needs.
  for (int i = 0; i < 3; i++) {
    copies[i] = fcntl(fds[i], F_DUPFD, 3);
    if (copies[i] < 0) return -1;
  }
  for (int i = 0; i < 3; i++)
    if (dup2(copies[i], i) < 0) return -1;
  return 0;
}

int csystem_open_program(const char *path) {
  int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0 || file > 2) return file;
  // The program's file must not have the number of a standard stream.
  int other = fcntl(file, F_DUPFD_CLOEXEC, 3);
  close(file);
  return other;
}

/// Like `execve`, but runs the open file whose descriptor is 3.
static void execute_open_file(char *const *argv, char *const *envp) {
  syscall(SYS_execveat, 3, "", argv, envp, AT_EMPTY_PATH);
}

int csystem_become(
    const char *path, int program, char *const *argv, char *const *envp, const int *fds, int parent) {
  if (setpgid(0, 0) < 0) return errno;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return errno;
  // The parent may have died before the death signal was requested.
  if (getppid() != parent) _exit(127);
  if (place_descriptors(fds) < 0) return errno;
  int is_open = program >= 0 && (program == 3 || dup3(program, 3, O_CLOEXEC) == 3);
  csystem_close_from(is_open ? 4 : 3);
  default_signals();
  if (is_open) {
    execute_open_file(argv, envp);
    // An interpreter cannot open a script whose descriptor is closed on exec, and some systems only
    // run files by path.
    if (errno != ENOENT && errno != ENOSYS) return errno;
  }
  execve(path, argv, envp);
  return errno;
}

__attribute__((noinline)) int csystem_spawn(
    const char *path, int program, char *const *argv, char *const *envp, const int *fds, int *pid) {
  // The child runs in this memory, so it can report its failure here.
  volatile int failure = 0;
  sigset_t all, before;
  pid_t parent = getpid();
  // All signals are blocked, because no signal handler of this process may run in the child.
  sigfillset(&all);
  int masked = pthread_sigmask(SIG_SETMASK, &all, &before);
  if (masked != 0) return masked;
  pid_t child = vfork();
  if (child == 0) {
    failure = csystem_become(path, program, argv, envp, fds, parent);
    _exit(127);
  }
  int forked = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child < 0) return forked;
  if (failure != 0) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return failure;
  }
  *pid = child;
  return 0;
}
