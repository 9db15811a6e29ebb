package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

var ends = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// terminal is where the person types. It turns the echo off for secrets, and on again when the view stops or ends.
type terminal struct {
	isTerminal bool
	lines      <-chan *string // nil at the end of the input
	lock       sync.Mutex     // guards the terminal and the two below
	prompted   string
	echoes     bool
}

func newTerminal() *terminal {
	return &terminal{isTerminal: modes(syscall.TCGETS, &syscall.Termios{}), lines: lines(person{}), echoes: true}
}

// modes gets or sets the modes of the terminal, if there is one: TIOCGETA and TIOCSETA on macOS.
func modes(request uintptr, modes *syscall.Termios) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, os.Stdin.Fd(), request, uintptr(unsafe.Pointer(modes)))
	return errno == 0
}

func setEcho(isOn bool) {
	var now syscall.Termios
	if modes(syscall.TCGETS, &now) {
		now.Lflag &^= syscall.ECHO
		if isOn {
			now.Lflag |= syscall.ECHO
		}
		modes(syscall.TCSETS, &now)
	}
}

func (t *terminal) prompt(text string, echoes bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.prompted, t.echoes = text, echoes
	setEcho(echoes)
	fmt.Print(text)
}

// handle handles signals. It runs on the process's first thread, where a signal that it sends to the process acts at once.
func (t *terminal) handle(signals chan os.Signal) {
	for it := range signals {
		t.lock.Lock()
		switch it {
		case syscall.SIGTSTP: // Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues
			setEcho(true)
			// A shell that can continue the view has given it its own process group. Go cannot restore the default action of SIGTSTP.
			if session, _, _ := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0); int(session) != syscall.Getpgrp() {
				signal.Reset(ends...) // the echo is on, so these may end the view at once
				syscall.Kill(os.Getpid(), syscall.SIGSTOP)
				signal.Notify(signals, ends...)
			}
			fmt.Print(t.prompted)
			syscall.Kill(os.Getpid(), syscall.SIGCONT)
		case syscall.SIGCONT: // a shell turns the echo on when the view stops
			setEcho(t.echoes)
		default:
			signal.Ignore(syscall.SIGTTOU) // in the background this would otherwise stop the view
			setEcho(true)
			os.Exit(1)
		}
		t.lock.Unlock()
	}
}

// end restores the terminal and exits.
func (t *terminal) end(status int, problem string) {
	t.prompt("\n", true)
	if problem != "" {
		fmt.Fprintln(os.Stderr, problem)
	}
	os.Exit(status)
}

// lines reads in the background. The channel yields nil at the end.
func lines(stream io.Reader) <-chan *string {
	channel := make(chan *string)
	go func() {
		defer close(channel)
		reader := bufio.NewReader(stream)
		for {
			line, err := reader.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.ToValidUTF8(strings.TrimSuffix(line, "\n"), "�") // JSON requires UTF-8
			channel <- &line
		}
	}()
	return channel
}

// person waits before it reads: in the background a read would stop the view, even while SIGTERM is about to end it.
type person struct{}

func (person) Read(buffer []byte) (int, error) {
	for input := (syscall.FdSet{}); ; {
		input.Bits[0] = 1 // standard input
		if _, err := syscall.Select(1, &input, nil, nil, nil); err != syscall.EINTR {
			return os.Stdin.Read(buffer)
		}
	}
}
