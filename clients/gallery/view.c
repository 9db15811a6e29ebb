/* A line-based view for login-engine. Usage: view [--verify] [ENGINE [ARGUMENT ...]]
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
#include <sys/types.h>
#include <termios.h>
#include <unistd.h>

static FILE *from_engine;
static int to_engine;
static bool is_terminal, is_verifying;
static struct termios usual;
static const char *volatile prompted = "";
static volatile sig_atomic_t is_hiding; /* what is typed at that prompt */
static json_t *screen, *edit; /* what is shown, and the edit that the engine has not counted yet */
static double revision, events;

static void set_echo(bool is_on)
{
	struct termios now = usual;
	if (!is_on)
		now.c_lflag &= ~(tcflag_t)ECHO;
	if (is_terminal)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

static void finish(void)
{
	putchar('\n'); /* ends the prompt's line */
	set_echo(true);
}

static void interrupted(int number)
{
	set_echo(true);
	_exit(128 + number);
}

/* A shell turns the echo on when the view stops. */
static void continued(int number)
{
	(void)number;
	set_echo(!is_hiding);
}

/* Handles Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues. */
static void suspend(int number)
{
	set_echo(true);
	raise(number); /* the view stops here, if a shell can continue it: the handler counts once, and blocks nothing */
	sigaction(number, &(struct sigaction){.sa_handler = suspend, .sa_flags = SA_RESTART | SA_RESETHAND | SA_NODEFER}, NULL);
	continued(number);
	if (write(STDOUT_FILENO, prompted, strlen(prompted)) < 0)
		_exit(EXIT_FAILURE);
}

/* The handlers call only async-signal-safe functions. The kernel restarts each `read` that a signal interrupts. */
static void handle_signals(void)
{
	struct sigaction action = {.sa_handler = suspend, .sa_flags = SA_RESTART | SA_RESETHAND | SA_NODEFER};
	sigaction(SIGTSTP, &action, NULL);
	action = (struct sigaction){.sa_handler = continued, .sa_flags = SA_RESTART};
	sigaction(SIGCONT, &action, NULL);
	action.sa_handler = interrupted;
	sigfillset(&action.sa_mask); /* SIGTTOU too, which would stop the view when it ends in the background */
	for (const int *number = (int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT, 0}; *number; number++)
		sigaction(*number, &action, NULL);
	signal(SIGPIPE, SIG_IGN); /* an engine that has stopped is noticed when its lines end */
}

static _Noreturn void fail(const char *problem)
{
	fprintf(stderr, "%s\n", problem);
	exit(EXIT_FAILURE);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

static bool is(const json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

/* Whether a word is in a list of words separated by spaces. */
static bool is_one_of(const char *word, const char *words)
{
	size_t length = strlen(word);
	for (const char *at = words; length && (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

/* Returns the index of the part with this id in a list, or the list's length. */
static size_t find(const json_t *parts, const char *wanted)
{
	size_t index = 0;
	while (index < json_array_size(parts) && strcmp(text_of(json_array_get(parts, index), "id"), wanted) != 0)
		index++;
	return index;
}

/* Applies a command to the screen. */
static void apply(const json_t *it)
{
	const char *name = text_of(it, "command"), *item = text_of(it, "item");
	json_t *sections = json_object_get(screen, "sections"), *actions = json_object_get(screen, "actions"), *section;
	size_t at = (size_t)json_number_value(json_object_get(it, "index")), index;
	size_t action = find(actions, text_of(it, "action")), named = find(sections, text_of(it, "section"));
	json_t *members = json_copy((json_t *)it);
	json_object_del(members, "command");
	if (is_one_of(name, "showScreen")) {
		json_object_update(screen, members);
		json_object_update_new(screen, json_pack("{sb sn sn sn sn sn sn}", "activity", 0,
		                                         "error", "notice", "alert", "scene", "retryAt", "focus"));
	} else if (is_one_of(name, "setState setRetryAt setFocus showError showNotice showAlert showScene")) {
		json_object_update(screen, members);
	} else if (is_one_of(name, "hideError hideNotice hideAlert")) {
		json_object_set_new(screen, name[4] == 'E' ? "error" : name[4] == 'N' ? "notice" : "alert", json_null());
	} else if (is_one_of(name, "showActivity hideActivity")) {
		json_object_set_new(screen, "activity", json_boolean(name[0] == 's'));
	} else if (is_one_of(name, "setAction")) {
		json_object_del(members, "action");
		json_object_update(json_array_get(actions, action), members);
	} else if (is_one_of(name, "replaceAction")) {
		json_array_set(actions, action, json_object_get(it, "newAction"));
	} else if (is_one_of(name, "insertSection")) {
		json_array_insert(sections, at, json_object_get(it, "newSection"));
	} else if (is_one_of(name, "removeSection")) {
		json_array_remove(sections, named);
	} else if (is_one_of(name, "insertItem")) {
		json_array_insert(json_object_get(json_array_get(sections, named), "items"), at, json_object_get(it, "newItem"));
	} else if (is_one_of(name, "setItem removeItem")) {
		json_object_del(members, "item");
		json_array_foreach(sections, index, section) {
			json_t *items = json_object_get(section, "items");
			if (name[0] == 's')
				json_object_update(json_array_get(items, find(items, item)), members);
			else
				json_array_remove(items, find(items, item));
		}
	}
	json_decref(members);
}

/* Returns the length of a character at the start of a text that could control the terminal or reorder a line, or 0. */
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

/* Prints a text, with U+FFFD in place of such characters, and its further lines indented. */
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
		else if (count)
			fputs("\xef\xbf\xbd", stdout);
		else
			putchar(*at);
		at += count ? count : 1;
	}
	putchar('\n');
	free(text);
}

/* Prints an item or an action. */
static void draw_part(const json_t *part, const char *number)
{
	const char *kind = text_of(part, "kind"), *title = text_of(part, "title"), *shown = text_of(part, "value");
	const char *before = "", *after = ""; /* around the value */
	if (json_object_get(part, "role")) {
		say(is(part, "enabled") ? "%s[%s]" : "%s(%s)", number, title);
		return;
	}
	if (is_one_of(kind, "switch")) {
		shown = is(part, "value") ? "[x]" : "[ ]";
	} else if (is_one_of(kind, "selection")) {
		json_t *options = json_object_get(part, "options");
		shown = text_of(json_array_get(options, find(options, shown)), "title");
		shown = *shown ? shown : "–";
	} else if (!is_one_of(kind, "input")) {
		shown = *text_of(part, "url") ? text_of(part, "url") : text_of(part, "text");
	} else if (is(part, "filled")) {
		shown = "********";
	} else if (!*shown) {
		before = "(", after = ")";
		shown = is_one_of(text_of(part, "inputType"), "date") ? "YYYY-MM-DD" : "–";
		shown = *text_of(part, "placeholder") ? text_of(part, "placeholder") : shown;
	}
	say("%s%s%s%s%s%s", number, title, *title && *shown ? ": " : "", before, shown, after);
}

/* Prints the screen, and returns the choices, by the number to type. */
static json_t *draw(void)
{
	json_t *alert = json_object_get(screen, "alert"), *scene = json_object_get(screen, "scene");
	bool has_alert = json_is_object(alert), has_scene = json_is_object(scene);
	json_t *all = has_alert || has_scene ? json_array() : json_copy(json_object_get(screen, "sections"));
	json_t *choices = json_object(), *section, *part, *message;
	json_array_append_new(all, json_pack("{sO?}", "items", json_object_get(has_alert ? alert : screen, "actions")));
	size_t at, index, number;
	putchar('\n');
	if (has_scene)
		say("== scene: %s%s%s", text_of(scene, "id"), *text_of(scene, "principal") ? "\n" : "", text_of(scene, "principal"));
	else
		say("== %s", text_of(screen, "title"));
	for (at = 0; at < 3; at++) {
		message = json_object_get(screen, ((const char *[]){"alert", "notice", "error"})[at]);
		if (json_is_object(message))
			say("%s%s! %s", text_of(message, "title"), *text_of(message, "title") ? "\n" : "", text_of(message, "text"));
	}
	json_array_foreach(all, at, section) {
		if (*text_of(section, "title"))
			say("-- %s", text_of(section, "title"));
		json_array_foreach(json_object_get(section, "items"), index, part) {
			char key[24] = "";
			bool is_field = is_one_of(text_of(part, "kind"), "input selection switch") && !is(part, "readOnly");
			if (has_scene && !is(part, "enabled"))
				continue;
			if (json_object_get(part, "role") || is_field) {
				snprintf(key, sizeof key, "%zu", json_object_size(choices) + 1);
				json_object_set(choices, key, part);
				strcat(key, ". ");
			}
			draw_part(part, key);
			if (*text_of(part, "hint"))
				say("   %s", text_of(part, "hint"));
			json_array_foreach(json_object_get(part, "messages"), number, message)
				say("   ! %s", text_of(message, "text"));
		}
	}
	if (is(screen, "activity"))
		say("...");
	json_decref(all);
	return choices;
}

/* Reads and applies the engine's next line. The caller drops the reference to the result. */
static json_t *receive(void)
{
	char *line = NULL;
	size_t room = 0, index;
	if (getline(&line, &room, from_engine) < 0)
		fail("the engine has stopped");
	/* Replace U+0000, at which a text in C would end, by U+0001, which is not printed either. */
	for (char *at = line; (at = strchr(at, '\\')); at += 2)
		if (strncmp(at, "\\u0000", 6) == 0)
			at[5] = '1';
	json_t *message = json_loads(line, JSON_DECODE_INT_AS_REAL, NULL), *it;
	free(line);
	json_t *content = json_object_get(message, json_object_get(message, "params") ? "params" : "result");
	json_t *snapshot = json_object_get(content, "snapshot"), *count = json_object_get(content, "events");
	if (count && json_number_value(count) > events) { /* the engine has counted the edit; its commands undo one that it refuses */
		apply(edit);
		events = json_number_value(count);
	}
	json_array_foreach(json_object_get(content, "commands"), index, it)
		apply(it);
	if (json_object_get(content, "revision"))
		revision = json_number_value(json_object_get(content, "revision"));
	if (snapshot && is_verifying && !json_equal(screen, snapshot))
		fail("the commands do not lead to the snapshot");
	if (snapshot) { /* also what commands of later versions have done */
		json_decref(screen);
		screen = json_incref(snapshot);
	}
	if (is_one_of(text_of(message, "method"), "session/closed"))
		fail("the session has ended");
	return message;
}

/* Sends a request, whose params it takes over, and returns the response. */
static json_t *call(const char *method, json_t *params)
{
	json_object_set_new(params, "session", json_string("view"));
	json_t *request = json_pack("{ss si ss so}", "jsonrpc", "2.0", "id", 1, "method", method, "params", params), *message;
	char *line = json_dumps(request, JSON_COMPACT);
	dprintf(to_engine, "%s\n", line);
	explicit_bzero(line, strlen(line));
	free(line);
	json_decref(request);
	while (json_object_get(message = receive(), "method")) /* an update that came first */
		json_decref(message);
	if (json_object_get(message, "error"))
		say("! %s", text_of(json_object_get(message, "error"), "message"));
	return message;
}

static void prompt(const char *text, bool echoes)
{
	prompted = text;
	is_hiding = !echoes;
	set_echo(echoes);
	fputs(text, stdout);
	fflush(stdout);
}

/* Reads a line from the person, which the caller frees. The view ends at the end of the input. */
static char *read_line(void)
{
	char *line = NULL;
	size_t room = 0;
	if (getline(&line, &room, stdin) < 0)
		exit(json_is_object(json_object_get(screen, "scene")) ? EXIT_SUCCESS : EXIT_FAILURE);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* Presses an action, or edits an item. */
static void choose(const json_t *part)
{
	const char *id = text_of(part, "id");
	bool is_secret = json_object_get(part, "filled");
	json_t *value = json_null(), *option;
	size_t index;
	char *line, *rest;
	if (json_object_get(part, "role")) {
		json_decref(call("session/press", json_pack("{ss sf}", "action", id, "revision", revision)));
		return;
	}
	json_t *name = json_string(id); /* the part may be gone once the engine has answered */
	if (is_one_of(text_of(part, "kind"), "switch")) {
		value = json_boolean(!is(part, "value"));
	} else if (is_one_of(text_of(part, "kind"), "selection")) {
		json_t *answer = call("session/options", json_pack("{sO}", "item", name));
		json_t *options = json_object_get(json_object_get(answer, "result"), "options");
		json_array_foreach(options, index, option)
			say("   %zu. %s", index + 1, text_of(option, "title"));
		for (bool is_right = false; !is_right; free(line)) {
			prompt("value: ", true);
			line = read_line();
			index = strtoul(line, &rest, 10);
			option = *rest ? NULL : json_array_get(options, index - 1);
			value = option ? json_incref(json_object_get(option, "id")) : json_null();
			is_right = option || !*line;
			if (!is_right)
				say("! Type one number from 1 to %zu, or nothing for none.", json_array_size(options));
		}
		json_decref(answer);
	} else {
		prompt("value: ", !is_secret);
		line = read_line();
		value = json_string(line);
		explicit_bzero(line, strlen(line));
		free(line);
	}
	json_t *shown = is_secret ? json_boolean(json_string_length(value)) : json_incref(value);
	edit = json_pack("{ss sO so}", "command", "setItem", "item", name, is_secret ? "filled" : "value", shown);
	json_decref(call("session/edit", json_pack("{so so* sf}", "item", name, "value", value, "revision", revision)));
	json_decref(edit);
	edit = NULL;
}

static void start(char **command)
{
	int in[2], out[2];
	pid_t process = pipe(in) < 0 || pipe(out) < 0 ? -1 : fork();
	if (process < 0)
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
	from_engine = fdopen(out[0], "r");
}

int main(int count, char **arguments)
{
	is_verifying = count > 1 && strcmp(arguments[1], "--verify") == 0;
	arguments += is_verifying ? 2 : 1;
	start(*arguments ? arguments : (char *[]){"login-engine", NULL});
	setvbuf(from_engine, NULL, _IONBF, 0); /* unbuffered, so that `poll` reports every line */
	setvbuf(stdin, NULL, _IONBF, 0);
	is_terminal = tcgetattr(STDIN_FILENO, &usual) == 0;
	screen = json_object();
	handle_signals();
	atexit(finish);
	json_decref(call("session/open", json_pack("{ss ss}", "detail", "full", "transitions", "instant")));
	for (json_t *choices; json_object_size(choices = draw()) > 0; json_decref(choices)) {
		prompt("> ", true);
		/* A person may choose during a request; a script waits. */
		struct pollfd ready[] = {{fileno(from_engine), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
		while (poll(ready, is_terminal || !is(screen, "activity") ? 2 : 1, -1) < 0)
			continue; /* signals interrupt it */
		if (ready[0].revents) {
			json_decref(receive());
		} else {
			char *line = read_line();
			json_t *part = json_object_get(choices, line);
			free(line);
			if (part)
				choose(part);
			else
				say("! Type one number from 1 to %zu.", json_object_size(choices));
		}
	}
	return EXIT_SUCCESS;
}
