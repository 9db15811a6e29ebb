"""Signs up and logs in with login-terminal inside a root file system, as a user at a keyboard does. Usage: in_terminal.py ROOT"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time


class Terminal:
    def __init__(self, root: str, *arguments: str) -> None:
        self.drawn = ""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            environment = {"PATH": "/usr/bin:/bin", "HOME": "/home/ada", "TERM": "xterm", "LANG": "C.UTF-8"}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
            os.chroot(root)
            os.chdir("/home/ada")
            os.execve("/usr/bin/login-terminal", ["login-terminal", *arguments], environment)

    def read(self, seconds: float) -> bool:
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            self.drawn += os.read(self.terminal, 65536).decode(errors="replace")
        except OSError:
            return False
        return True

    def wait(self, text: str) -> None:
        """Waits until a text is drawn, whatever moves and colours are between its words. What was drawn before does not count again."""
        until = time.monotonic() + 60
        pattern = r"(?:\s|\x1b\[[0-9;?]*[A-Za-z])+".join(re.escape(word) for word in text.split())
        while not (match := re.search(pattern, self.drawn)):
            if not self.read(max(0.0, until - time.monotonic())):
                sys.exit(f"{text!r} is not drawn, but:\n{self.drawn[-3000:]}")
        self.drawn = self.drawn[match.end() :]
        print(f"drawn: {text}")
        while self.read(0.3):
            pass

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self.terminal, key.encode())
            while self.read(0.2):
                pass

    def end(self) -> None:
        self.press("\x03")
        os.waitpid(self.process, 0)


root = sys.argv[1]
first = Terminal(root, "--screen", "setup")
first.wait("Email")
first.press("ada@example.com", "\t", "ada", "\t", "correct horse", "\r")
first.wait("ada")
first.end()
second = Terminal(root)
second.wait("Email")
second.press("ada@example.com", "\t", "wrong horses", "\r")
second.wait("is wrong")
second.press("\x15", "correct horse", "\r")
second.wait("principal")
second.end()
