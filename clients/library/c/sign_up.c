// README's sign-up in one process: this program is the view, the clock and the authenticator of an engine.
#include <login_engine.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const typed[] = {
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/open\",\"params\":{\"session\":\"new\",\"screen\":\"setup\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"new\",\"item\":\"email\",\"value\":\"ada@example.com\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"new\",\"item\":\"userName\",\"value\":\"ada\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"new\",\"item\":\"password\",\"value\":\"correct horse\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/press\",\"params\":{\"session\":\"new\",\"action\":\"submit\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/open\",\"params\":{\"session\":\"back\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"back\",\"item\":\"email\",\"value\":\"ada@example.com\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"back\",\"item\":\"password\",\"value\":\"wrong horse\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/press\",\"params\":{\"session\":\"back\",\"action\":\"submit\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"back\",\"item\":\"password\",\"value\":\"correct horse\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/press\",\"params\":{\"session\":\"back\",\"action\":\"submit\"}}\n",
};

static login_engine *engine;
static login_engine_error error;

static void check(login_engine_status status) {
  if (status == LOGIN_ENGINE_OK) return;
  fprintf(stderr, "sign_up: %s\n", error.text);
  exit(1);
}

static uint64_t milliseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/// Copies the text after `key`, up to a character in `ends`. This suffices for the example, whose
/// texts have no escapes; a real host needs a JSON parser.
static bool find(const char *line, const char *key, const char *ends, char *value, size_t size) {
  const char *found = strstr(line, key);
  if (!found) return false;
  found += strlen(key);
  size_t length = strcspn(found, ends);
  if (length >= size) return false;
  memcpy(value, found, length);
  value[length] = 0;
  return true;
}

// -- The view

static void show(const char *line) {
  char session[64], revision[32], state[64];
  if (find(line, "\"session\":\"", "\"", session, sizeof session) &&
      find(line, "\"revision\":", ",}", revision, sizeof revision) &&
      find(line, "\"state\":\"", "\"", state, sizeof state))
    printf("%s %s: %s\n", session, revision, state);
}

// -- The authenticator, which has one account

static char known[64];

static void decide(const char *line) {
  char id[32], request[64], password[64], answer[256];
  // Notices and authenticator/describe need no answer.
  if (!strstr(line, "\"authenticator/submit\"") || !find(line, "\"id\":", ",", id, sizeof id) ||
      !find(line, "\"request\":\"", "\"", request, sizeof request) ||
      !find(line, "\"password\":\"", "\"", password, sizeof password))
    return;
  if (strcmp(request, "setup") == 0) strcpy(known, password);
  const char *outcome = strcmp(password, known) == 0 ? "\"accepted\",\"principal\":\"ada\""
                                                      : "\"rejected\",\"reason\":\"invalidCredentials\"";
  memset(password, 0, sizeof password);
  int length = snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"outcome\":%s}}", id, outcome);
  check(login_engine_answer(engine, "host", 4, answer, (size_t)length, &error));
}

// -- The host

/// Takes lines from the engine and passes each to `handle`. Returns whether there were any.
static bool drain(login_engine_status take(login_engine *, login_engine_text *, login_engine_error *),
                  void handle(const char *line)) {
  login_engine_text text;
  check(take(engine, &text, &error));
  if (text.length == 0) return false;
  // The next call wipes lent text, so answering needs a copy, which the host has to wipe.
  char *lines = malloc(text.length + 1);
  if (!lines) exit(1);
  memcpy(lines, text.bytes, text.length);
  lines[text.length] = 0;
  for (char *line = lines, *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    handle(line);
  }
  memset(lines, 0, text.length);
  free(lines);
  return true;
}

static void turn(void) {
  bool any;
  do {
    any = drain(login_engine_drain_effects, decide);
    any |= drain(login_engine_drain_output, show);
  } while (any);
}

int main(void) {
  const char options[] = "{\"lockstep\":true}";
  check(login_engine_create(options, strlen(options), milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_REALTIME), &engine,
                            &error));
  for (size_t index = 0; index < sizeof typed / sizeof *typed; index++) {
    check(login_engine_advance(engine, milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_REALTIME), &error));
    size_t left = strlen(typed[index]);
    for (const char *rest = typed[index]; left > 0;) {
      size_t taken;
      check(login_engine_feed(engine, rest, left, &taken, &error));
      rest += taken;
      left -= taken;
      turn();
    }
  }
  check(login_engine_end_input(engine, &error));
  turn();
  int32_t finished;
  check(login_engine_is_finished(engine, &finished, &error));
  login_engine_destroy(engine);
  return finished ? 0 : 1;
}
