"""Input from a terminal: keys, replies that are not keys, and Ctrl-Z, after which a shell sets its own terminal modes."""

import shlex
import signal
import termios
import time

from flows import field, flow
from programs import ability, has, lacks, same
from terminal import Terminal

# Terminal input that is no key of this view.
ANSWERS = {
    "a colour": "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "a colour that ends with the bell": "\x1b]11;rgb:0000/0000/0000\x07",
    "a title with letters of several bytes": "\x1b]lläng ✜\x1b\\",
    "a clipboard": "\x1b]52;c;" + "QUJD" * 20 + "\x07",
    "a capability": "\x1bP1+r544e=787465726d\x1b\\",
    "a version": "\x1bP>|XTerm(390)\x1b\\",
    "a string with keys in it": "\x1bPq\rx\x03\x04\x1a\t\x07\x1b\x1b\\",
    "a graphic": "\x1b_Gi=1;OK\x1b\\",
    "a private message": "\x1b^hello\x1b\\",
    "a start of string": "\x1bXhello\x1b\\",
    "attributes": "\x1b[?64;1;2;6;22c",
    "a position": "\x1b[24;80R",
    "a mode": "\x1b[?2004;1$y",
    "a size": "\x1b[8;24;72t",
    "the focus": "\x1b[I\x1b[O",
    "the mouse (SGR)": "\x1b[<0;10;10M\x1b[<0;10;10m",
    "the mouse (X10)": b"\x1b[M !!\x1b[M#\xe9\x81",
    "the mouse (urxvt)": "\x1b[0;10;10M",
    "a key (kitty)": "\x1b[97;5u\x1b[13u",
    "a key that was let go (kitty)": "\x1b[1;1:3A\x1b[13;1:3u",
    "a key (modifyOtherKeys)": "\x1b[27;5;13~",
    "a function key": "\x1b[15~\x1bOP\x1b[[A",
    "too many parameters": "\x1b[" + "1;" * 60 + "A",
    "a colour in C1": "\x9d11;rgb:0000/0000/0000\x9c",
    "a capability in C1": "\x901+r544e=787465726d\x9c",
    "the mouse in C1": "\x9b<0;10;10M",
    "others of C1": "\x85\x80\x84\x9c",
}
UNFINISHED = ["\x1b]11;rgb", "\x1bPq", "\x1b_", "\x1b^", "\x1bX", "\x1b[1;", "\x1b[M!", "\x1bO", "\x1b[[", "\x9d11", "\x1b]11;\x1b", b"\xe6\xbc"]


def encoded(text):
    return text if isinstance(text, bytes) else text.encode()


def holds(text):
    """A condition: the focused field shows this text."""
    return lambda terminal: any(row.split("│")[1].strip() == f"› {text}".strip() for row in terminal.rows() if row.startswith("│ ›"))


@ability
def replies_of_the_terminal_are_not_keys(programs):
    with programs.terminal(flow([field("name"), field("other")])) as terminal:
        terminal.wait("[ Do it ]")
        for name, answer in ANSWERS.items():
            pieces = encoded(answer)
            # A lone first byte would be the Escape key if the rest is late. The last cut sends the whole reply.
            cuts = [*range(2, len(pieces)), len(pieces)] if len(pieces) < 60 else [2, 30, len(pieces)]
            for cut in cuts:
                for piece in (pieces[:cut], pieces[cut:], b"x"):
                    terminal.send(piece)
            try:
                terminal.wait(holds("x" * len(cuts)))
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from error
            terminal.send(b"\x15")
            terminal.wait(holds(""))
        lacks("working", terminal.rows())
        has("[ Do it ]", terminal.rows())
        terminal.send(b"\x1bOM")
        # The keypad's Enter is a key, and the demo authenticator accepts everyone.
        terminal.wait("principal")
        same(terminal.quit(), 0)


@ability
def a_reply_within_a_secret_is_not_part_of_it(programs):
    with programs.terminal() as terminal:
        terminal.wait("[ ]")
        terminal.press("\t")
        terminal.wait(lambda _: any("│ ›" in row for row in terminal.rows()))
        terminal.send(b"\x1b]11;rgb:0000/0000/0000\x1b\\")
        terminal.send(b"\x1b[<0;10;10M")
        terminal.send(b"x")
        terminal.wait(holds("•"))
        lacks("│   !", terminal.rows())
        same(terminal.quit(), 0)


@ability
def the_late_rest_of_a_reply_belongs_to_it(programs):
    with programs.terminal(flow([field("name")])) as terminal:
        terminal.wait("[ Do it ]")
        for first, rest in [("\x1b]11;rgb", ":0/0/0\x1b\\"), ("\x1b[<0;1", "0;10M"), ("\x1b]11;x\x1b", "\\"), ("\x1bO", "P")]:
            terminal.send(first.encode())
            time.sleep(0.2)
            terminal.send(rest.encode())
        terminal.send(b"x")
        terminal.wait(holds("x"))
        same(terminal.quit(), 0)


@ability
def an_unfinished_reply_does_not_block_the_keyboard(programs):
    with programs.terminal(flow([field("name")])) as terminal:
        terminal.wait("[ Do it ]")
        for number, beginning in enumerate(UNFINISHED, 1):
            terminal.send(encoded(beginning))
            time.sleep(1.1)
            terminal.send(b"x")
            try:
                terminal.wait(holds("x" * number))
            except AssertionError as error:
                raise AssertionError(f"{beginning!r}: {error}") from error
        terminal.send(b"\x15\x1b[200~pasted")
        terminal.wait(holds("pasted"))
        terminal.send(b"\x1b]11;")
        # Another sequence ends the unfinished one at once.
        terminal.send(b"\x1b[A")
        terminal.wait("› [ Do it ]")
        same(terminal.quit(), 0)


@ability
def an_unfinished_reply_takes_no_memory(programs):
    def peak(terminal):
        with open(f"/proc/{terminal.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

    with programs.terminal(flow([field("name")])) as terminal:
        terminal.wait("[ Do it ]")
        for beginning in (b"\x1b]", b"\x1b[", b"\x1b[200~"):
            terminal.send(beginning + b"1" * 4_000)
            before = peak(terminal)
            terminal.send(b"1" * 2_000_000)
            assert peak(terminal) - before < 1_500, f"{beginning}: {peak(terminal) - before} KiB more"
            time.sleep(1.1)
        same(terminal.quit(), 0)


@ability
def a_lone_escape_is_a_key(programs):
    item = {"id": "pick", "apiKey": "pick", "kind": "selection", "title": "pick", "options": [{"id": "a", "title": "first"}]}
    with programs.terminal(flow([item])) as terminal:
        terminal.wait("[ Do it ]")
        terminal.press(" ")
        terminal.wait("┏")
        terminal.press("\x1b")
        terminal.wait(lambda _: not any("┏" in row for row in terminal.rows()))
        same(terminal.quit(), 0)


# MARK: Ctrl-Z


def shell(programs, command, **members):
    """A shell with job control, in which the view was started."""
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], PS1="ready> ", **members)
    terminal.wait("ready>")
    command = [programs.view, *command, "--engine", programs.engine, "--", "--authenticator", "demo"]
    terminal.press(shlex.join(map(str, command)) + "\r")
    return terminal


def stop(terminal):
    before = terminal.written.count(b"Stopped")
    terminal.press("\x1a")
    terminal.wait(lambda _: terminal.written.count(b"Stopped") > before)
    # The prompt shows that the shell reads lines again.
    terminal.wait(lambda _: b"ready> " in terminal.written.split(b"Stopped")[-1])


def go_on(terminal, text):
    """Continues the view, and waits until it has drawn the text again and set its own terminal modes."""
    drawn = terminal.written.count(text)
    terminal.press("fg\r")
    terminal.wait(lambda _: terminal.written.count(text) > drawn and not terminal.has_modes(termios.ICANON | termios.ECHO))


@ability
def ctrl_z_stops_the_full_screen_and_fg_continues_it(programs):
    with shell(programs, [], rows=24) as terminal:
        terminal.wait("[ ] Keep")
        for word in ("ada", "@example.com"):
            terminal.press(word)
            terminal.wait(word)
            drawn = len(terminal.written)
            stop(terminal)
            assert b"\x1b[?1049l" in terminal.written[drawn:], "the alternate screen is still shown"
            terminal.press("stty -a | grep -o '[- ]echo '; echo at the \"shell\"\r")
            terminal.wait("at the shell")
            has(" echo", terminal.rows())
            go_on(terminal, b"[ ] Keep")
        has("› ada@example.com", terminal.rows())
        terminal.press("\tpassword\r")
        terminal.wait("principal: ada@example.com")
        asked = terminal.written.count(b"ready> ")
        terminal.press("\x03")
        terminal.wait(lambda _: terminal.written.count(b"ready> ") > asked)
        terminal.press("echo status is $?\r")
        terminal.wait("status is 0")


@ability
def ctrl_z_stops_a_script_together_with_the_view(programs):
    for options in ([], ["--plain"]):
        with Terminal(["bash", "--norc", "--noprofile", "-i"], PS1="ready> ") as terminal:
            terminal.wait("ready>")
            view = shlex.join(map(str, [programs.view, *options, "--engine", programs.engine, "--", "--authenticator", "demo"]))
            terminal.press(f"sh -c {shlex.quote(view + '; echo it has ended')}\r")
            terminal.wait("Keep")
            stop(terminal)
            go_on(terminal, b"Keep")
            terminal.press("q\r" if options else "\x03")
            terminal.wait("it has ended")


@ability
def ctrl_z_does_nothing_if_no_shell_could_continue_the_view(programs):
    with Terminal(["bash", "--norc", "--noprofile", "-i"], PS1="ready> ") as terminal:
        terminal.wait("ready>")
        view = shlex.join(map(str, [programs.view, "--engine", programs.engine, "--", "--authenticator", "demo"]))
        # In a command substitution the view is no job of the shell.
        terminal.press(f'x=$({view}); echo status is "$?"\r')
        terminal.wait("[ ] Keep")
        terminal.press("ada\x1a@example.com")
        terminal.wait("› ada@example.com")
        terminal.press("\x03")
        terminal.wait(lambda _: b"status is 0" in terminal.written)


@ability
def a_secret_is_not_echoed_after_ctrl_z(programs):
    with shell(programs, ["--plain"]) as terminal:
        terminal.wait("2. Password")
        terminal.press("1 ada@example.com\r")
        terminal.wait("1. Email: ada@example.com")
        terminal.press("2\r")
        terminal.wait("value:")
        terminal.send(b"pass")
        stop(terminal)
        go_on(terminal, b"value: ")
        terminal.press("word\r")
        terminal.wait("2. Password: (filled, hidden)")
        terminal.press("!1\r")
        terminal.wait("== principal: ada@example.com")
        for part in (b"pass\x1a", b"word", b"pass"):
            assert part not in terminal.written.replace(b"password", b"").replace(b"Password", b""), part
        terminal.press("q\r")
        terminal.wait(lambda _: "\n".join(terminal.rows()).rstrip().endswith("ready>"))
        terminal.press("stty -a | grep -o '[- ]echo '; echo at the \"shell\"\r")
        terminal.wait("at the shell")
        has(" echo", terminal.rows())


@ability
def a_secret_is_not_echoed_after_sigstop(programs):
    for options, first in ([["--plain"], "2. Password"], [[], "[ ]"]):
        with Terminal([programs.view, *options, "--engine", programs.engine, "--", "--authenticator", "demo"]) as terminal:
            terminal.wait(first)
            terminal.press("2\r" if options else "\t")
            if options:
                terminal.wait("value:")
            terminal.process.send_signal(signal.SIGSTOP)
            terminal.set_modes(termios.ICANON | termios.ECHO)
            terminal.process.send_signal(signal.SIGCONT)
            terminal.wait(lambda _: not terminal.has_modes(termios.ECHO | termios.ICANON))
            terminal.press("geheim" + "\r" * len(options))
            terminal.wait("(filled, hidden)" if options else "••••••")
            assert b"geheim" not in terminal.written
            same(terminal.quit(), 130 if options else 0)
            assert terminal.has_modes(termios.ICANON) and terminal.has_modes(termios.ECHO)

