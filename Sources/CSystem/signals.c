// Turns signals into readable descriptors. The handler sets a bit and writes to an eventfd, so no
// signal is lost however many arrive, and no thread needs to block them (as signalfd would
// require).
#include "CSystem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { receivers = 64 };

// An eventfd stays open for the next receiver, because a handler that runs on another thread may
// still be writing to it.
static struct {
  int taken, fd;
  _Atomic uint64_t wanted, pending;
} table[receivers];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handle(int signal) {
  int saved = errno;
  uint64_t bit = UINT64_C(1) << signal, one = 1;
  for (int i = 0; i < receivers; i++) {
    if (!(atomic_load(&table[i].wanted) & bit)) continue;
    atomic_fetch_or(&table[i].pending, bit);
    ssize_t ignored = write(table[i].fd, &one, sizeof one);
    (void)ignored;
  }
  errno = saved;
}

int csystem_signals_open(int *eventfd) {
  int found = -1, failure = EAGAIN;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < receivers && found < 0; i++) {
    if (table[i].taken) continue;
    if (table[i].fd == 0) {
      int fd = csystem_eventfd(1, 0);
      // 0 marks a receiver without a descriptor, so the descriptor 0 cannot be used.
      if (fd == 0) {
        fd = csystem_duplicate(0);
        close(0);
      }
      if (fd < 0) {
        failure = errno;
        break;
      }
      table[i].fd = fd;
    }
    table[i].taken = 1;
    *eventfd = table[i].fd;
    found = i;
  }
  pthread_mutex_unlock(&lock);
  if (found < 0) errno = failure;
  return found;
}

int csystem_signals_add(int receiver, int signal) {
  if (receiver < 0 || receiver >= receivers || signal < 1 || signal > 63) {
    errno = EINVAL;
    return -1;
  }
  struct sigaction old, action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  sigfillset(&action.sa_mask);
  pthread_mutex_lock(&lock);
  int result = sigaction(signal, NULL, &old);
  int ignored = result == 0 && old.sa_handler == SIG_IGN && (signal == SIGHUP || signal == SIGINT);
  if (result == 0 && !ignored) {
    atomic_fetch_or(&table[receiver].wanted, UINT64_C(1) << signal);
    result = sigaction(signal, &action, NULL);
  }
  pthread_mutex_unlock(&lock);
  // The program that started this one may have blocked the signal, and blocked signals are
  // inherited over exec.
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, signal);
  pthread_sigmask(SIG_UNBLOCK, &heard, NULL);
  return result;
}

uint64_t csystem_signals_take(int receiver) {
  if (receiver < 0 || receiver >= receivers) return 0;
  uint64_t count;
  // The descriptor is read before the bits are taken. A signal in between leaves the descriptor
  // readable, which costs only an extra turn of the loop.
  ssize_t ignored = read(table[receiver].fd, &count, sizeof count);
  (void)ignored;
  return atomic_exchange(&table[receiver].pending, 0);
}

int csystem_signals_pending(int receiver) {
  return receiver >= 0 && receiver < receivers && atomic_load(&table[receiver].pending) != 0;
}

void csystem_signals_close(int receiver) {
  if (receiver < 0 || receiver >= receivers) return;
  pthread_mutex_lock(&lock);
  uint64_t mine = atomic_exchange(&table[receiver].wanted, 0), others = 0;
  for (int i = 0; i < receivers; i++) others |= atomic_load(&table[i].wanted);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < 64; signal++)
    if ((mine & ~others) >> signal & 1) sigaction(signal, &action, NULL);
  csystem_signals_take(receiver);
  table[receiver].taken = 0;
  pthread_mutex_unlock(&lock);
}
