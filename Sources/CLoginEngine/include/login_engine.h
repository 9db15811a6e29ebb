/* login-engine inside another program: a login engine as a C library.
 *
 * The program that calls the library is the HOST. It acts as the view, the clock and the
 * authenticators. The library has no threads, processes, files, descriptors or clock. It never
 * waits, does nothing between two calls, and changes no signal handler, resource limit or dump
 * setting. Link liblogin_engine.so; no Swift runtime is needed.
 *
 * A turn of the host:
 *   1. Pass something in: login_engine_feed, _end_input, _answer, _fail or _advance.
 *   2. Take the effects until there are none. Answer the questions among them, at once or later.
 *   3. Take the output until there is none, and pass it to the view.
 *   4. Wait for the next input, at most until login_engine_next_deadline. Then call
 *      login_engine_advance.
 *
 * TEXT is passed in as UTF-8 with an explicit length; NUL is a byte like any other. The library
 * copies what it keeps.
 * LENT TEXT comes out as login_engine_text: complete lines, each with a final '\n', without a final
 * NUL. The library owns it. It is valid until the next call with the same engine, which zeroes and
 * frees it, even if that call fails. The arguments of that call may lie in lent text: for example,
 * login_engine_answer accepts the name inside an effect. Questions contain passwords: wipe your
 * copies.
 *
 * THREADS: calls with one engine must not overlap, and must not be made from a signal handler. They
 * may be made from different threads. Different engines are independent and may be used at the same
 * time.
 *
 * ERRORS: a function that returns login_engine_status returns LOGIN_ENGINE_OK or a reason. After an
 * error, nothing was accepted or changed, except that lent text is gone. The caller may pass a
 * login_engine_error, or NULL, for the reason as text. The text never contains a value of a line, an
 * answer or a question. A fault in a line of the view is not an error of the call: the output reports
 * it as the protocol defines. Results are written only on LOGIN_ENGINE_OK. NULL for a required
 * pointer is an error; other invalid pointers cannot be detected.
 */
#ifndef LOGIN_ENGINE_H
#define LOGIN_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#define LOGIN_ENGINE_OPTIONAL _Nullable
#else
#define LOGIN_ENGINE_OPTIONAL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** One engine with all of its sessions. */
typedef struct login_engine login_engine;

/** The result of a call. */
typedef int32_t login_engine_status;

enum {
  /** The call succeeded. */
  LOGIN_ENGINE_OK = 0,
  /** An argument is NULL, too large, or not what the function accepts. */
  LOGIN_ENGINE_BAD_ARGUMENT = 1,
  /** The options are not JSON, have an unknown or invalid member, or contain an invalid flow. */
  LOGIN_ENGINE_BAD_OPTIONS = 2,
  /** An answer is not one line of JSON that holds an object. */
  LOGIN_ENGINE_BAD_ANSWER = 3,
  /** The call comes too early or too late: after the end of the input, or for an authenticator that
   * is stopped. */
  LOGIN_ENGINE_WRONG_STATE = 4,
  /** There is no room: take the effects and the output, then call again. */
  LOGIN_ENGINE_NO_ROOM = 5
};

/** The size of an error text in bytes, including the final NUL. Longer texts are cut. */
#define LOGIN_ENGINE_ERROR_BYTES 512

/** The reason why a call failed, for people. The caller owns it. It is written only when a call
 * fails. */
typedef struct login_engine_error {
  /** The text in UTF-8, NUL-terminated. */
  char text[LOGIN_ENGINE_ERROR_BYTES];
} login_engine_error;

/** Text that the library lends. */
typedef struct login_engine_text {
  /** The text; NULL if `length` is 0. */
  const char *LOGIN_ENGINE_OPTIONAL bytes;
  /** The length of the text in bytes. */
  size_t length;
} login_engine_text;

/** What login_engine_next_deadline gets if there is no deadline. */
#define LOGIN_ENGINE_NEVER UINT64_MAX

/** The version of this interface: 1. Functions and members may be added within a version. */
uint32_t login_engine_api_version(void);

/**
 * Creates an engine.
 *
 * `options` is a JSON object of at most 16 MiB, or empty for `{}`. All members are optional:
 *   "flows"           Array of flow definitions, each the JSON object of a flow file. The first is
 *                     the default flow. The built-in flows follow them.
 *   "authenticators"  Object: which authenticator decides which requests. A key is "FLOW/REQUEST",
 *                     "REQUEST", "FLOW/" followed by "*", or "*"; the most specific one applies. Its
 *                     value is the name of the authenticator in effects, of 1 to 64 letters, digits,
 *                     '_', '-' and '.'. The name "accounts" is refused: the library has no accounts of
 *                     its own. "frontend" is the view itself: questions are in the output, answers in
 *                     the input. "host" decides requests that match no key.
 *   "lockstep"        true: no line is handled while a question is open. Default false.
 *   "manualClock"     UTC milliseconds, 0 to 2^52: the engine's clock starts there and moves only by
 *                     the protocol's clock/advance.
 *   "run"             The prefix of the idempotency keys of the engine's questions: 1 to 64 letters,
 *                     digits, "_", "-" and ".". Engines that use the same authenticators must have
 *                     different prefixes. Default: a random prefix.
 *   "maxSessions"     1 to 100000000; default 100000.
 *   "maxLineBytes"    256 to 268435456; default 1048576.
 *   "maxValueBytes"   1 to 1048576; default 4096.
 *   "idleTimeoutMs"   0 to 31536000000; default 0, never.
 *   "drainTimeoutMs"  0 to 31536000000; default 30000.
 *   "logLevel"        "error", "warning", "info" or "debug": the log is among the effects. Without it
 *                     there is no log.
 *
 * `steady_ms` and `utc_ms` are the current time; see login_engine_advance. On LOGIN_ENGINE_OK the
 * caller owns `*engine`, and frees it with login_engine_destroy.
 */
login_engine_status login_engine_create(const char *LOGIN_ENGINE_OPTIONAL options, size_t options_length,
                                        uint64_t steady_ms, uint64_t utc_ms,
                                        login_engine *LOGIN_ENGINE_OPTIONAL *LOGIN_ENGINE_OPTIONAL engine,
                                        login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Destroys an engine: wipes what may hold a secret and frees all of its memory, without further
 * effects or output. NULL is allowed. */
void login_engine_destroy(login_engine *LOGIN_ENGINE_OPTIONAL engine);

/**
 * Passes in bytes that the view has written: JSON-RPC messages, one per line, split anywhere.
 *
 * `*taken` is the number of bytes accepted. Fewer than `length` is not an error: take effects and
 * output, answer the questions, and pass in the rest.
 */
login_engine_status login_engine_feed(login_engine *LOGIN_ENGINE_OPTIONAL engine, const char *LOGIN_ENGINE_OPTIONAL bytes,
                                      size_t length, size_t *LOGIN_ENGINE_OPTIONAL taken,
                                      login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Ends the input of the view. Open questions may still be answered, for at most "drainTimeoutMs".
 * Calling it a second time is an error. */
login_engine_status login_engine_end_input(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                           login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Sets the time and fires due timers. All events happen at the time that was set last, so call this
 * first in each turn.
 *
 * `steady_ms` are milliseconds of a monotonic clock with any start; a value before an earlier one
 * counts as the earlier one. `utc_ms` are milliseconds since 1970-01-01T00:00:00Z. Values over 2^62
 * count as 2^62.
 */
login_engine_status login_engine_advance(login_engine *LOGIN_ENGINE_OPTIONAL engine, uint64_t steady_ms, uint64_t utc_ms,
                                         login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Gets the steady time by which login_engine_advance has to be called if nothing else happens, or
 * LOGIN_ENGINE_NEVER. */
login_engine_status login_engine_next_deadline(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                               uint64_t *LOGIN_ENGINE_OPTIONAL steady_ms,
                                               login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Takes lines for the view: replies and notifications, as the program writes them to standard output.
 * `*lines` is empty if there are none at the moment. Taking lines may make room for more, so call it
 * until `*lines` is empty. While more than 1 MiB of output waits, the engine does nothing else.
 */
login_engine_status login_engine_drain_output(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                              login_engine_text *LOGIN_ENGINE_OPTIONAL lines,
                                              login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Takes the effects for the host, one JSON object per line. `*lines` is empty if there are none at
 * the moment; call it until `*lines` is empty.
 *   {"effect":"ask","authenticator":NAME,"line":{…}}     `line` is a JSON-RPC request of the
 *       authenticator protocol, as the program sends it. Decide it, and pass the response to
 *       login_engine_answer. authenticator/describe need not be answered.
 *   {"effect":"cancel","authenticator":NAME,"line":{…}}  The attempt in `line`, a notification, is
 *       cancelled: answers to it are not needed any more.
 *   {"effect":"start","authenticator":NAME}              Questions will follow. No earlier question is
 *       open.
 *   {"effect":"stop","authenticator":NAME,"reason":"…"}  The authenticator has failed, or the engine
 *       ends. Answers to its questions are not needed any more.
 *   {"effect":"log","level":"…","text":"…"}              A line of the log, if requested by
 *       "logLevel". Lines are dropped while too many effects wait.
 * Ignore unknown effects and members. "effect" and "authenticator" come first, and "line" last.
 */
login_engine_status login_engine_drain_effects(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                               login_engine_text *LOGIN_ENGINE_OPTIONAL lines,
                                               login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Passes in a line of an authenticator: a response to a question, or an authenticator/notify, with or
 * without its newline.
 *
 * `authenticator` is the name in the effect. The line has to be a JSON object of at most 1 MiB, or
 * "maxLineBytes" if that is more. An invalid answer ends its question with `network.invalidAnswer`,
 * and a line whose id cannot be that of a question fails the authenticator, as in the protocol. An
 * answer to a question that is not open, because it is late or was never asked, changes nothing and
 * is not an error.
 */
login_engine_status login_engine_answer(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                        const char *LOGIN_ENGINE_OPTIONAL authenticator, size_t authenticator_length,
                                        const char *LOGIN_ENGINE_OPTIONAL line, size_t line_length,
                                        login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Reports that an authenticator has failed: its open questions fail with `network.exited`. Once the
 * authenticator is needed again, a "start" effect follows, with a delay that grows with each failure.
 */
login_engine_status login_engine_fail(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                      const char *LOGIN_ENGINE_OPTIONAL authenticator, size_t authenticator_length,
                                      login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Sets `*finished` to 1 if, after login_engine_end_input, every question is decided or given up and
 * all output is taken; to 0 otherwise. */
login_engine_status login_engine_is_finished(login_engine *LOGIN_ENGINE_OPTIONAL engine, int32_t *LOGIN_ENGINE_OPTIONAL finished,
                                             login_engine_error *LOGIN_ENGINE_OPTIONAL error);

#ifdef __cplusplus
}
#endif

#endif
