#include "CSystem.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>

int csystem_forbid_dumps(void) {
  struct rlimit none = {0, 0};
  int limited = setrlimit(RLIMIT_CORE, &none);
  int hidden = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return limited == 0 && hidden == 0 ? 0 : -1;
}

static void set_disposition(int signal, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, NULL);
}

void csystem_default_crash_signals(void) {
  static const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) set_disposition(crashes[i], SIG_DFL);
}

void csystem_ignore_sigpipe(void) { set_disposition(SIGPIPE, SIG_IGN); }

int csystem_random(void *memory, size_t count) {
  unsigned char *next = memory;
  while (count > 0) {
    ssize_t got = getrandom(next, count, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    next += got;
    count -= (size_t)got;
  }
  return 0;
}
