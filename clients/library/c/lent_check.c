// Answers a question with a pointer to the authenticator's name inside the lent effects, and fails if the library cannot read it there.
// Usage: lent_check
#define _GNU_SOURCE
#include <login_engine.h>
#include <stdio.h>
#include <string.h>

static login_engine_error error;

static int fail(const char *what) {
  fprintf(stderr, "lent_check: %s: %s\n", what, error.text);
  return 1;
}

int main(void) {
  static const char lines[] =
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/open\",\"params\":{\"session\":\"a\",\"screen\":\"login\"}}\n"
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"a\",\"item\":\"email\",\"value\":\"ada@example.com\"}}\n"
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/edit\",\"params\":{\"session\":\"a\",\"item\":\"password\",\"value\":\"correct horse\"}}\n"
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/press\",\"params\":{\"session\":\"a\",\"action\":\"submit\"}}\n";
  static const char key[] = "\"authenticator\":\"";
  static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"outcome\":\"accepted\",\"principal\":\"ada\"}}";
  login_engine *engine;
  login_engine_text effects, output;
  size_t taken;
  if (login_engine_create(NULL, 0, 0, 0, &engine, &error) != LOGIN_ENGINE_OK) return fail("create");
  if (login_engine_feed(engine, lines, sizeof lines - 1, &taken, &error) != LOGIN_ENGINE_OK) return fail("feed");
  if (login_engine_drain_effects(engine, &effects, &error) != LOGIN_ENGINE_OK) return fail("effects");
  if (!effects.bytes) return fail("there are no effects");
  const char *name = memmem(effects.bytes, effects.length, key, sizeof key - 1);
  if (!name) return fail("no authenticator is named");
  name += sizeof key - 1;
  const char *end = memchr(name, '"', effects.length - (size_t)(name - effects.bytes));
  if (!end) return fail("a name does not end");
  if (login_engine_answer(engine, name, (size_t)(end - name), answer, sizeof answer - 1, &error) != LOGIN_ENGINE_OK)
    return fail("answer");
  if (login_engine_drain_output(engine, &output, &error) != LOGIN_ENGINE_OK) return fail("output");
  if (!output.bytes || !memmem(output.bytes, output.length, "requestSucceeded", 16)) return fail("the session has not succeeded");
  login_engine_destroy(engine);
  return 0;
}
