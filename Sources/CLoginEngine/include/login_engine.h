/* login-engine inside another program: a login engine as a C library.
 *
 * The program that calls the library is the HOST. It is the view's input and output, the clock, and the authenticator: the library has no
 * thread, process, file, descriptor or clock, never waits, and does nothing between two calls. It changes no signal handler, resource limit
 * or dump setting. Linking liblogin_engine.so is enough: it needs no Swift runtime.
 *
 * A turn of the host:
 *   1. hand something in: login_engine_feed, _end_input, _answer, _fail or _advance;
 *   2. take the effects until there are none, and answer the questions among them, at once or later;
 *   3. take the output until there is none, and give it to the view;
 *   4. wait for the next input, at most until login_engine_next_deadline; then login_engine_advance.
 *
 * TEXT goes in as bytes of UTF-8 with an explicit length; a NUL is a byte like any other. The library copies what it keeps.
 * LENT TEXT comes out as login_engine_text: the library owns it, whole lines each with a final '\n', never NUL-terminated. It is valid until
 * the next call with the same engine, which zeroes and frees it, also if that call fails. The arguments of that one call may lie in lent
 * text: the name in an effect can be handed to login_engine_answer where it stands. Questions hold passwords: wipe your copies.
 *
 * THREADS: calls with one engine must not overlap, and no call may be made from a signal handler. Which thread makes them does not matter.
 * Different engines have nothing in common and may be used at the same time.
 *
 * ERRORS: every function that returns login_engine_status tells LOGIN_ENGINE_OK or a reason; after an error, nothing was taken or changed,
 * except that lent text is gone.
 * The caller may give a login_engine_error, or NULL, for the reason in words. The words never hold a value of a line, an answer or a question.
 * What is wrong with a line of the view is no error here: the output says it, in the words of the protocol. Results are written only on
 * LOGIN_ENGINE_OK. NULL for a required pointer is an error; pointers that are neither NULL nor valid cannot be noticed.
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

/** What became of a call. */
typedef int32_t login_engine_status;

enum {
  /** It was done. */
  LOGIN_ENGINE_OK = 0,
  /** An argument is NULL, too large, or not what the function takes. */
  LOGIN_ENGINE_BAD_ARGUMENT = 1,
  /** The options are not JSON, have a member that is unknown or wrong, or a flow that is not right. */
  LOGIN_ENGINE_BAD_OPTIONS = 2,
  /** An answer is not one line of JSON that holds an object. */
  LOGIN_ENGINE_BAD_ANSWER = 3,
  /** The call comes too early or too late: after the end of the input, or for an authenticator that is stopped. */
  LOGIN_ENGINE_WRONG_STATE = 4,
  /** There is no room: take the effects and the output, then call again. */
  LOGIN_ENGINE_NO_ROOM = 5
};

/** The size of an error's words in bytes, the final NUL included. Longer words are cut. */
#define LOGIN_ENGINE_ERROR_BYTES 512

/** Why a call failed, for a person. The caller owns it; it is written only when a call fails. */
typedef struct login_engine_error {
  /** UTF-8, NUL-terminated. */
  char text[LOGIN_ENGINE_ERROR_BYTES];
} login_engine_error;

/** Text that the library lends. */
typedef struct login_engine_text {
  /** NULL if `length` is 0. */
  const char *LOGIN_ENGINE_OPTIONAL bytes;
  /** In bytes. */
  size_t length;
} login_engine_text;

/** No deadline. */
#define LOGIN_ENGINE_NEVER UINT64_MAX

/** The version of this interface: 1. Functions and members may be added within a version. */
uint32_t login_engine_api_version(void);

/**
 * Makes an engine.
 *
 * `options` is a JSON object of at most 16 MiB, or empty for `{}`. All members are optional:
 *   "flows"           array of flow definitions, each the JSON object that a flow file holds; the first is the flow for who names none.
 *                     The built-in flows come behind them.
 *   "authenticators"  object: whom to ask for what. A key is "FLOW/REQUEST", "REQUEST", "FLOW/" followed by "*", or "*" (the most exact
 *                     counts); its value is a name of 1 to 64 letters, digits, '_', '-' and '.', by which effects name that authenticator.
 *                     The name "accounts" is refused: the library has no accounts of its own.
 *                     "frontend" is the view itself: the questions are in the output, the answers among the input. What no key is about
 *                     is asked of "host".
 *   "lockstep"        true: no line is handled while a question is open. Default false.
 *   "manualClock"     UTC milliseconds, 0 to 2^52: the engine's clock begins there and moves only by the protocol's clock/advance.
 *   "run"             1 to 64 letters, digits, "_", "-" and ".": what the idempotency keys of the engine's questions begin with. No two
 *                     engines with the same authenticators may have the same. Default: a random one.
 *   "maxSessions"     1 to 100000000; default 100000.        "maxLineBytes"   256 to 268435456; default 1048576.
 *   "maxValueBytes"   1 to 1048576; default 4096.
 *   "idleTimeoutMs"   0 to 31536000000; default 0, never.     "drainTimeoutMs" 0 to 31536000000; default 30000.
 *   "logLevel"        "error", "warning", "info" or "debug": the log comes among the effects. Without it there is none.
 *
 * `steady_ms` and `utc_ms` say when it begins, see login_engine_advance. On LOGIN_ENGINE_OK, `*engine` is the caller's; give it to
 * login_engine_destroy.
 */
login_engine_status login_engine_create(const char *LOGIN_ENGINE_OPTIONAL options, size_t options_length,
                                        uint64_t steady_ms, uint64_t utc_ms,
                                        login_engine *LOGIN_ENGINE_OPTIONAL *LOGIN_ENGINE_OPTIONAL engine,
                                        login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Ends an engine: wipes what may hold a secret and frees all of its memory. Nothing more is told. NULL is taken. */
void login_engine_destroy(login_engine *LOGIN_ENGINE_OPTIONAL engine);

/**
 * Hands in bytes that the view has written: JSON-RPC messages, one per line, cut anywhere.
 *
 * `*taken` says how many were taken. If those are fewer than `length`, nothing is wrong: take effects and output, answer what is asked, and
 * hand in the rest.
 */
login_engine_status login_engine_feed(login_engine *LOGIN_ENGINE_OPTIONAL engine, const char *LOGIN_ENGINE_OPTIONAL bytes,
                                      size_t length, size_t *LOGIN_ENGINE_OPTIONAL taken,
                                      login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Says that the view will write nothing more. Open questions may still be answered, for at most "drainTimeoutMs". Twice is an error. */
login_engine_status login_engine_end_input(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                           login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Tells what time it is, and does what is due. Everything happens at the time that was told last, so call it first in each turn.
 *
 * `steady_ms` are milliseconds of a clock that does not jump, from any beginning; one that lies before an earlier one counts as that. `utc_ms` are
 * milliseconds since 1970-01-01T00:00:00Z. Values over 2^62 count as 2^62.
 */
login_engine_status login_engine_advance(login_engine *LOGIN_ENGINE_OPTIONAL engine, uint64_t steady_ms, uint64_t utc_ms,
                                         login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Tells by when login_engine_advance has to be called although nothing else comes: a steady time, or LOGIN_ENGINE_NEVER. */
login_engine_status login_engine_next_deadline(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                               uint64_t *LOGIN_ENGINE_OPTIONAL steady_ms,
                                               login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Takes lines for the view: replies and notifications, as the program writes them on its standard output. Empty if there are none for now. There may be
 * more as soon as some were taken: call it until it is empty. While more than 1 MiB waits here, nothing else happens.
 */
login_engine_status login_engine_drain_output(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                              login_engine_text *LOGIN_ENGINE_OPTIONAL lines,
                                              login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Takes what the host has to do or may want to know, one JSON object per line. Empty if there is none for now; call it until it is empty.
 *   {"effect":"ask","authenticator":NAME,"line":{…}}     `line` is a JSON-RPC request of the authenticator protocol, as the program sends it:
 *                                                        decide it, and hand the response to login_engine_answer. authenticator/describe
 *                                                        need not be answered.
 *   {"effect":"cancel","authenticator":NAME,"line":{…}}  Nobody waits for the attempt any more that `line`, a notification, names.
 *   {"effect":"start","authenticator":NAME}              Questions will follow. Nothing that was asked before is open.
 *   {"effect":"stop","authenticator":NAME,"reason":"…"}  Answers to what it was asked are of no use any more: it failed, or the engine ends.
 *   {"effect":"log","level":"…","text":"…"}              A line of the log, if asked for by "logLevel". Some are lost if nobody takes them.
 * Ignore effects and members that you do not know. "effect" and "authenticator" stand first, and "line" last.
 */
login_engine_status login_engine_drain_effects(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                               login_engine_text *LOGIN_ENGINE_OPTIONAL lines,
                                               login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Hands in a line of an authenticator: a response to a question, or an authenticator/notify, without or with its end.
 *
 * `authenticator` is the name in the effect. The line has to be a JSON object of at most 1 MiB (or "maxLineBytes", if that is more); one that
 * answers with what is not valid ends its question with `network.invalidAnswer`, and one whose id cannot be that of a question fails the
 * authenticator, as in the protocol. An answer to a question that is not open, because it comes late or was never asked, changes nothing and is no
 * error.
 */
login_engine_status login_engine_answer(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                        const char *LOGIN_ENGINE_OPTIONAL authenticator, size_t authenticator_length,
                                        const char *LOGIN_ENGINE_OPTIONAL line, size_t line_length,
                                        login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/**
 * Says that an authenticator has failed: its open questions come to nothing with `network.exited`. A "start" follows once it is needed again, and may come
 * later the more often it fails in a row.
 */
login_engine_status login_engine_fail(login_engine *LOGIN_ENGINE_OPTIONAL engine,
                                      const char *LOGIN_ENGINE_OPTIONAL authenticator, size_t authenticator_length,
                                      login_engine_error *LOGIN_ENGINE_OPTIONAL error);

/** Tells whether everything is over after login_engine_end_input (1) or not (0): all was decided or given up, and all output was taken. */
login_engine_status login_engine_is_finished(login_engine *LOGIN_ENGINE_OPTIONAL engine, int32_t *LOGIN_ENGINE_OPTIONAL finished,
                                             login_engine_error *LOGIN_ENGINE_OPTIONAL error);

#ifdef __cplusplus
}
#endif

#endif
