// Loads the library, runs an engine, and fails if the library has changed process state that belongs to its host.
// Usage: host_check LIBRARY
#include <dlfcn.h>
#include <login_engine.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

typedef struct {
  struct {
    void (*handler)(int);
    int flags;
  } actions[65];
  sigset_t blocked;
  stack_t stack;
  struct rlimit limits[RLIM_NLIMITS];
  int dumpable;
} state;

static void read_state(state *state) {
  memset(state, 0, sizeof *state);
  for (int signal = 1; signal <= 64; signal++) {
    struct sigaction action;
    if (sigaction(signal, NULL, &action) != 0) continue;
    state->actions[signal].handler = action.sa_handler;
    state->actions[signal].flags = action.sa_flags;
  }
  sigprocmask(SIG_BLOCK, NULL, &state->blocked);
  sigaltstack(NULL, &state->stack);
  for (int limit = 0; limit < RLIM_NLIMITS; limit++) getrlimit(limit, &state->limits[limit]);
  state->dumpable = prctl(PR_GET_DUMPABLE);
}

#define FUNCTION(name) __typeof__(&name) name##_ = (__typeof__(&name))dlsym(library, #name)

int main(int count, char **arguments) {
  static state before, after;
  if (count != 2) return 2;
  read_state(&before);
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  FUNCTION(login_engine_create);
  FUNCTION(login_engine_feed);
  FUNCTION(login_engine_drain_output);
  FUNCTION(login_engine_destroy);
  if (!login_engine_create_ || !login_engine_feed_ || !login_engine_drain_output_ || !login_engine_destroy_) return 1;
  login_engine *engine;
  login_engine_text output;
  size_t taken;
  static const char line[] = "{\"jsonrpc\":\"2.0\",\"method\":\"session/open\",\"params\":{\"session\":\"a\"}}\n";
  if (login_engine_create_(NULL, 0, 0, 0, &engine, NULL) != LOGIN_ENGINE_OK) return 1;
  if (login_engine_feed_(engine, line, sizeof line - 1, &taken, NULL) != LOGIN_ENGINE_OK) return 1;
  if (login_engine_drain_output_(engine, &output, NULL) != LOGIN_ENGINE_OK || output.length == 0) return 1;
  login_engine_destroy_(engine);
  dlclose(library);
  read_state(&after);
  for (int signal = 1; signal <= 64; signal++) {
    if (memcmp(&before.actions[signal], &after.actions[signal], sizeof before.actions[signal]) == 0) continue;
    fprintf(stderr, "the handling of signal %d has changed\n", signal);
    return 1;
  }
  if (memcmp(&before, &after, sizeof before) != 0) {
    fprintf(stderr, "a limit, the signal mask or stack, or the dump setting has changed\n");
    return 1;
  }
  return 0;
}
