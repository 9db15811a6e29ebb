/* A view for login-engine, in lines of text. Usage: view [ENGINE [ARGUMENT ...]]
 * Build, with libjansson-dev: cc -o view view.c -ljansson */

#define _GNU_SOURCE
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Where lines come from, and what was read of them. */
struct source {
	int descriptor;
	char *bytes;
	size_t length, room;
};

static struct source engine, person = {.descriptor = STDIN_FILENO};
static int to_engine;
static pid_t process;
static bool is_terminal;
static struct termios usual;
static json_t *screen; /* the snapshot that was given last */
static json_int_t revision;

/* Leaves the terminal as it was, and no engine behind. */
static void clean_up(void)
{
	if (is_terminal)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
	kill(process, SIGTERM);
}

static void finish(void)
{
	putchar('\n'); /* ends the line of a prompt */
	clean_up();
}

static void interrupted(int number)
{
	clean_up();
	_exit(128 + number);
}

static _Noreturn void fail(const char *problem)
{
	fprintf(stderr, "%s\n", problem);
	exit(EXIT_FAILURE);
}

/* How many bytes at the start of a text could command the terminal or reorder a line. */
static size_t harmful(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	if ((at[0] < 0x20 && at[0] != '\n') || at[0] == 0x7f)
		return 1;
	if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f) /* U+0080 to U+009F */
		return 2;
	if (at[0] == 0xe2 && ((at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae) || /* U+202A to U+202E */
	                      (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9)))  /* U+2066 to U+2069 */
		return 3;
	return 0;
}

/* Prints a text without that, and its further lines indented. */
static void say(const char *format, ...)
{
	char *text;
	va_list values;
	va_start(values, format);
	if (vasprintf(&text, format, values) < 0)
		fail("there is no memory");
	va_end(values);
	for (const char *at = text; *at;) {
		size_t count = harmful(at);
		if (*at == '\n')
			fputs("\n   ", stdout);
		else
			putchar(count ? ' ' : *at);
		at += count ? count : 1;
	}
	putchar('\n');
	free(text);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static bool is(const json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(word, *words) != 0)
		words++;
	return *words;
}

static bool is_kind(const json_t *part, const char *kind) { return strcmp(text_of(part, "kind"), kind) == 0; }

static bool is_choice(const json_t *part)
{
	static const char *const fields[] = {"input", "selection", "switch", NULL};
	return json_object_get(part, "role") || (is_one_of(text_of(part, "kind"), fields) && !is(part, "readOnly"));
}

/* An item or an action as text, which the caller frees. */
static char *look(const json_t *part)
{
	static const char *const buttons[] = {"primary", "dismiss", "destructive", NULL};
	const char *title = text_of(part, "title"), *star = is(part, "required") ? " *" : "", *shown = text_of(part, "value");
	const char *before = "", *after = ""; /* what is shown */
	char *text = NULL;
	int status;
	if (json_object_get(part, "role")) {
		const char *format = is_one_of(text_of(part, "role"), buttons) ? "[ %s%s%s ]" : "-> %s%s%s";
		bool is_enabled = is(part, "enabled");
		status = asprintf(&text, format, is_enabled ? "" : "(", title, is_enabled ? "" : ")");
	} else if (is_kind(part, "switch")) {
		const json_t *value = json_object_get(part, "value");
		status = asprintf(&text, "[%c] %s%s", json_is_true(value) ? 'x' : json_is_false(value) ? ' ' : '-', title, star);
	} else {
		if (is_kind(part, "selection")) {
			size_t index;
			json_t *option, *value = json_object_get(part, "value");
			shown = "(–)";
			json_array_foreach(json_object_get(part, "options"), index, option)
				if (json_equal(json_object_get(option, "id"), value))
					shown = text_of(option, "title");
		} else if (!is_kind(part, "input")) {
			shown = *text_of(part, "url") ? text_of(part, "url") : text_of(part, "text");
		} else if (is(part, "filled")) {
			shown = "********";
		} else if (!*shown) {
			before = "(", after = ")";
			shown = text_of(part, "placeholder");
			if (!*shown)
				shown = strcmp(text_of(part, "inputType"), "date") == 0 ? "YYYY-MM-DD" : "–";
		}
		const char *colon = (*title || *star) && *shown ? ": " : "";
		status = asprintf(&text, "%s%s%s%s%s%s", title, star, colon, before, shown, after);
	}
	if (status < 0)
		fail("there is no memory");
	return text;
}

/* Prints items or actions, and adds what can be chosen to the choices. */
static void draw_parts(const json_t *parts, json_t *choices)
{
	size_t index, number;
	json_t *part, *message;
	json_array_foreach(parts, index, part) {
		char *text = look(part);
		if (is_choice(part) && json_array_append(choices, part) == 0)
			say("%zu. %s", json_array_size(choices), text);
		else
			say("%s", text);
		free(text);
		if (*text_of(part, "hint"))
			say("   %s", text_of(part, "hint"));
		json_array_foreach(json_object_get(part, "messages"), number, message)
			say("   ! %s", text_of(message, "text"));
	}
}

/* Prints the screen, and returns what can be chosen, in the order of the numbers. */
static json_t *draw(void)
{
	json_t *choices = json_array(), *alert = json_object_get(screen, "alert"), *scene = json_object_get(screen, "scene");
	json_t *actions = json_object_get(json_is_object(alert) ? alert : screen, "actions"), *each;
	size_t index;
	putchar('\n');
	if (json_is_object(scene)) {
		char *data = json_dumps(json_object_get(scene, "data"), JSON_COMPACT | JSON_ENCODE_ANY);
		const char *principal = text_of(scene, "principal");
		say("== scene: %s\nprincipal: %s\ndata: %s", text_of(scene, "id"), *principal ? principal : "–", data);
		free(data);
		json_t *enabled = json_array();
		json_array_foreach(actions, index, each)
			if (is(each, "enabled"))
				json_array_append(enabled, each);
		draw_parts(enabled, choices);
		json_decref(enabled);
	} else {
		say("== %s", text_of(screen, "title"));
		if (json_is_object(alert))
			say("alert:\n%s%s%s", text_of(alert, "title"), *text_of(alert, "title") ? "\n" : "", text_of(alert, "text"));
		else
			json_array_foreach(json_object_get(screen, "sections"), index, each) {
				if (*text_of(each, "title"))
					say("-- %s", text_of(each, "title"));
				draw_parts(json_object_get(each, "items"), choices);
			}
		draw_parts(actions, choices);
	}
	if (json_is_object(json_object_get(screen, "notice")))
		say("notice: %s", text_of(json_object_get(screen, "notice"), "text"));
	if (json_is_object(json_object_get(screen, "error")))
		say("error: %s", text_of(json_object_get(screen, "error"), "text"));
	if (is(screen, "activity"))
		say("working ...");
	return choices;
}

/* The choice that has this number, or NULL. */
static json_t *pick(const json_t *choices, const char *number)
{
	return json_array_get(choices, strtoul(number, NULL, 10) - 1);
}

/* The next line of a source without its end, which the caller frees, or NULL at the end. */
static char *next_line(struct source *source)
{
	char *end;
	while (!(end = source->length ? memchr(source->bytes, '\n', source->length) : NULL)) {
		if (source->room - source->length < 4096 && !(source->bytes = realloc(source->bytes, source->room += 65536)))
			fail("there is no memory");
		ssize_t count = read(source->descriptor, source->bytes + source->length, source->room - source->length);
		if (count <= 0)
			return NULL;
		source->length += (size_t)count;
	}
	size_t length = (size_t)(end - source->bytes);
	char *line = strndup(source->bytes, length);
	source->length -= length + 1;
	memmove(source->bytes, end + 1, source->length);
	return line;
}

/* Takes the engine's next line. The caller drops the reference to the result. */
static json_t *receive(void)
{
	char *line = next_line(&engine);
	if (!line)
		fail("the engine has stopped");
	/* U+0001, which is not printed either, stands for U+0000, at which a text in C would end. */
	for (char *at = line; (at = strchr(at, '\\')); at += 2)
		if (strncmp(at, "\\u0000", 6) == 0)
			at[5] = '1';
	json_t *message = json_loads(line, JSON_DECODE_INT_AS_REAL, NULL);
	free(line);
	if (!message)
		fail("the engine wrote something else than JSON");
	json_t *content = json_object_get(message, json_object_get(message, "params") ? "params" : "result");
	json_t *snapshot = json_object_get(content, "snapshot");
	if (snapshot) {
		json_decref(screen);
		screen = json_incref(snapshot);
		revision = (json_int_t)json_number_value(json_object_get(content, "revision"));
	}
	if (strcmp(text_of(message, "method"), "session/closed") == 0)
		fail("the session has ended");
	return message;
}

/* Makes a request, whose params it takes over, and returns the response. What the engine refuses stays as the engine has it. */
static json_t *call(const char *method, json_t *params)
{
	json_object_set_new(params, "session", json_string("view"));
	json_t *request = json_pack("{ss si ss so}", "jsonrpc", "2.0", "id", 1, "method", method, "params", params);
	char *line = json_dumps(request, JSON_COMPACT);
	dprintf(to_engine, "%s\n", line);
	memset(line, 0, strlen(line));
	free(line);
	json_decref(request);
	json_t *message = receive();
	while (json_object_get(message, "method")) { /* an update that came first */
		json_decref(message);
		message = receive();
	}
	json_t *error = json_object_get(message, "error");
	if (error) {
		say("(%s)", text_of(error, "message"));
		if (!screen)
			exit(EXIT_FAILURE);
		json_decref(call("session/snapshot", json_object()));
	}
	return message;
}

static void prompt(const char *text, bool echoes)
{
	if (is_terminal) {
		struct termios now = usual;
		if (!echoes)
			now.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
	}
	fputs(text, stdout);
	fflush(stdout);
}

/* The line that the person types, which the caller frees; the view ends at the end of the input. */
static char *read_line(void)
{
	char *line = next_line(&person);
	if (!line)
		exit(json_is_object(json_object_get(screen, "scene")) ? EXIT_SUCCESS : EXIT_FAILURE);
	return line;
}

/* Presses an action, or changes an item. */
static void choose(const json_t *part)
{
	const char *id = text_of(part, "id");
	json_t *value = json_null(), *options;
	size_t index;
	char *line;
	if (json_object_get(part, "role")) {
		json_decref(call("session/perform", json_pack("{ss sI}", "action", id, "revision", revision)));
		return;
	}
	if (is_kind(part, "switch")) {
		value = json_boolean(!is(part, "value"));
	} else if (is_kind(part, "selection")) {
		json_t *answer = call("session/options", json_pack("{ss}", "item", id)), *option;
		options = json_object_get(json_object_get(answer, "result"), "options");
		puts("options:");
		json_array_foreach(options, index, option)
			say("   %zu %s", index + 1, text_of(option, "title"));
		prompt("number, or nothing for none: ", true);
		line = read_line();
		option = pick(options, line);
		value = option ? json_incref(json_object_get(option, "id")) : json_null();
		free(line);
		json_decref(answer);
	} else {
		bool is_masked = json_object_get(part, "filled") && strcmp(text_of(part, "inputType"), "oneTimeCode") != 0;
		prompt(is_masked ? "value (not shown): " : "value: ", !is_masked);
		line = read_line();
		value = json_string(line);
		memset(line, 0, strlen(line));
		free(line);
	}
	json_decref(call("session/change", json_pack("{ss so* sI}", "item", id, "value", value, "revision", revision)));
}

static void start(char **command)
{
	int in[2], out[2];
	if (pipe(in) < 0 || pipe(out) < 0 || (process = fork()) < 0)
		fail("no engine can be started");
	if (process == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	to_engine = in[1];
	engine.descriptor = out[0];
}

int main(int count, char **arguments)
{
	static char *usual_engine[] = {"login-engine", NULL};
	start(count > 1 ? arguments + 1 : usual_engine);
	is_terminal = tcgetattr(STDIN_FILENO, &usual) == 0;
	signal(SIGPIPE, SIG_IGN); /* an engine that has ended is noticed when its lines end */
	signal(SIGINT, interrupted);
	atexit(finish);
	json_decref(call("session/open", json_pack("{ss s[s]}", "transitions", "instant", "supports", "restoreSecret")));
	for (json_t *choices; json_array_size(choices = draw()) > 0; json_decref(choices)) {
		prompt("> ", true);
		/* A person may choose while something is under way; a script waits. */
		bool may_choose = is_terminal || !is(screen, "activity");
		struct pollfd ready[] = {{engine.descriptor, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
		if (!engine.length && !person.length)
			poll(ready, may_choose ? 2 : 1, -1);
		if (may_choose && (person.length || ready[1].revents)) {
			char *line = read_line();
			json_t *part = pick(choices, line);
			free(line);
			if (part)
				choose(part);
		} else {
			json_decref(receive());
		}
	}
	return EXIT_SUCCESS;
}
