#include "CSystem.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { descriptors = 3 };

struct request {
  unsigned command;
  int has_argument;
};

struct answer {
  int pid;
  int failure;
};

union control {
  struct cmsghdr header;
  char space[CMSG_SPACE(descriptors * sizeof(int))];
};

/// Called in the starter: drops everything that belongs to the parent.
static void leave_parent(const char *name, int socket, pid_t parent) {
  // The name is for process lists.
  prctl(PR_SET_NAME, name, 0, 0, 0);
  // Ctrl-C and Ctrl-Z in the terminal are for the parent. The starter ends with it, and is never
  // stopped, because no shell would continue it.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(0);
  static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP};
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) signal(ignored[i], SIG_IGN);
  if (socket != 3 && dup3(socket, 3, O_CLOEXEC) < 0) _exit(127);
  csystem_close_from(4);
  for (int fd = 0; fd < 3; fd++) close(fd);
  // The standard streams become /dev/null, so that no descriptor that is opened later becomes
  // standard error. Without /dev/null they stay closed.
  int null = open("/dev/null", O_RDWR);
  if (null == 0) {
    dup2(null, 1);
    dup2(null, 2);
  }
}

int csystem_starter_begin(const char *name, int *socket, int *pid) {
  int ends[2];
  pid_t parent = getpid();
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return -1;
  // If standard streams are closed, the socket must not get their numbers.
  int own = fcntl(ends[0], F_DUPFD_CLOEXEC, 3), other = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
  int number = errno;
  close(ends[0]);
  close(ends[1]);
  errno = number;
  // The starter still belongs to the parent's process group. A signal to that group stays blocked
  // until the starter ignores it.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  pid_t child = own < 0 || other < 0 ? -1 : fork();
  if (child == 0) {
    leave_parent(name, other, parent);
    sigprocmask(SIG_SETMASK, &before, NULL);
    *socket = 3;
    return 0;
  }
  number = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (other >= 0) close(other);
  if (child < 0) {
    if (own >= 0) close(own);
    errno = number;
    return -1;
  }
  *socket = own;
  *pid = child;
  return 1;
}

static void attach(struct msghdr *message, union control *control, const int *fds) {
  memset(control, 0, sizeof *control);
  message->msg_control = control;
  message->msg_controllen = sizeof *control;
  struct cmsghdr *header = CMSG_FIRSTHDR(message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptors * sizeof(int));
  memcpy(CMSG_DATA(header), fds, descriptors * sizeof(int));
}

int csystem_starter_ask(int socket, unsigned command, const char *argument, const int *fds, int *pid) {
  struct request request = {command, argument != NULL};
  struct iovec parts[2] = {{&request, sizeof request}, {(void *)argument, argument == NULL ? 0 : strlen(argument)}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  union control control;
  attach(&message, &control, fds);
  ssize_t count;
  do count = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  if (count < 0) return errno;
  struct answer answer;
  struct iovec part = {&answer, sizeof answer};
  struct msghdr reply = {.msg_iov = &part, .msg_iovlen = 1};
  do count = recvmsg(socket, &reply, 0);
  while (count < 0 && errno == EINTR);
  if (count < 0) return errno;
  // The starter is gone.
  if (count != sizeof answer) return EPIPE;
  // A process that could not execute the program is nevertheless a child of this process, which has
  // to reap it.
  if (answer.failure != 0 && answer.pid > 0)
    while (waitpid(answer.pid, NULL, 0) < 0 && errno == EINTR) {
    }
  *pid = answer.pid;
  return answer.failure;
}

int csystem_starter_next(int socket, unsigned *command, char *argument, size_t capacity, int *fds) {
  struct request request;
  struct iovec parts[2] = {{&request, sizeof request}, {argument, capacity - 1}};
  union control control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count;
  do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  // The parent is gone, or the message is malformed.
  if (count < (ssize_t)sizeof request || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return 0;
  if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(descriptors * sizeof(int))) return 0;
  memcpy(fds, CMSG_DATA(header), descriptors * sizeof(int));
  argument[count - (ssize_t)sizeof request] = 0;
  *command = request.command;
  return request.has_argument ? 2 : 1;
}

int csystem_starter_answer(int socket, int pid, int failure) {
  struct answer answer = {pid, failure};
  struct iovec part = {&answer, sizeof answer};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  ssize_t count;
  do count = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count == sizeof answer ? 0 : -1;
}

struct sibling {
  const char *path;
  int program;
  char *const *argv, *const *envp;
  const int *fds;
  pid_t parent;
  int failure;
};

static int become_sibling(void *context) {
  struct sibling *sibling = context;
  sibling->failure = csystem_become(sibling->path, sibling->program, sibling->argv, sibling->envp, sibling->fds, sibling->parent);
  _exit(127);
}

int csystem_spawn_sibling(
    const char *path, int program, char *const *argv, char *const *envp, const int *fds, int *pid) {
  // CLONE_PARENT makes the new process a child of this process's parent, so that signals and
  // waiting work as without a starter. CLONE_VM and CLONE_VFORK let the new process report what
  // execve returned. Until it executes the program, it runs in this process's memory, but on its
  // own stack.
  static _Alignas(16) char stack[64 << 10];
  struct sibling sibling = {path, program, argv, envp, fds, getppid(), 0};
  int child = clone(
      become_sibling, stack + sizeof stack, CLONE_PARENT | CLONE_VM | CLONE_VFORK | SIGCHLD, &sibling);
  if (child < 0) return errno;
  *pid = child;
  return *(volatile int *)&sibling.failure;
}
