// A line-based view for login-engine, which draws and does what the views of clients/gallery do. Usage: view [--verify] [ENGINE [ARGUMENT ...]]
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"

	"loginengine"
)

type view struct {
	*terminal
	engine      *loginengine.Engine
	session     *loginengine.Session
	changes     chan loginengine.Change
	screen      loginengine.Snapshot
	isVerifying bool
	// The numbers of edits and presses that the view has sent, and that the screen reflects.
	sent, counted int64
}

func main() {
	command := os.Args[1:]
	v := &view{terminal: newTerminal(), changes: make(chan loginengine.Change, 64)}
	if len(command) > 0 && command[0] == "--verify" {
		v.isVerifying, command = true, command[1:]
	}
	if len(command) == 0 {
		command = []string{"login-engine"}
	}
	program := exec.Command(command[0], command[1:]...)
	program.Stderr = os.Stderr
	var err error
	if v.engine, err = loginengine.Start(program); err != nil {
		v.end(1, err.Error())
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, append(ends, syscall.SIGTSTP, syscall.SIGCONT)...)
	go v.run()
	v.handle(signals)
}

// init keeps main on the process's first thread.
func init() {
	runtime.LockOSThread()
}

func (v *view) run() {
	params := loginengine.SessionOpenParams{Session: "view", Transitions: loginengine.TransitionsInstant}
	var err error
	v.session, err = v.engine.Open(context.Background(), params, func(change loginengine.Change) { v.changes <- change })
	v.shows(err)
	v.apply(<-v.changes)
	for choices := draw(v.screen); len(choices) > 0; choices = draw(v.screen) {
		v.prompt("> ", true)
		person := v.lines
		if v.screen.Activity && !v.isTerminal {
			person = nil // a script waits during a request; a person may choose
		}
		select {
		case line := <-person:
			if it, isThere := choices[v.read(line)]; isThere {
				v.choose(it)
			} else {
				say(fmt.Sprintf("! Type one number from 1 to %d.", len(choices)))
			}
		case change := <-v.changes:
			v.apply(change)
		}
	}
	v.end(0, "")
}

// shows shows why the engine has refused something.
func (v *view) shows(err error) {
	var refusal *loginengine.Error
	if errors.As(err, &refusal) {
		say("! " + refusal.Message)
	} else if err != nil {
		v.end(1, "the engine has stopped")
	}
}

// sends waits until the engine has answered an event, and then applies the updates up to the one that counts it.
func (v *view) sends(answer *loginengine.Answer) {
	v.sent++
	v.shows(answer.Wait(context.Background()))
	for v.counted < v.sent {
		v.apply(<-v.changes)
	}
}

func (v *view) apply(change loginengine.Change) {
	switch {
	case change.Violation && v.isVerifying:
		v.end(1, fmt.Sprintf("the commands do not lead to the snapshot of revision %d", change.Update.Revision))
	case change.Update != nil:
		v.screen, v.counted = change.Snapshot, change.Update.Events
	case change.Closed == "ended":
		v.end(1, "the engine has stopped")
	case change.Closed != "":
		v.end(1, "the session has ended: "+change.Closed)
	}
}

// read returns a line from the person. The view ends at the end of the input.
func (v *view) read(line *string) string {
	if line == nil && v.screen.Scene != nil {
		v.end(0, "")
	} else if line == nil {
		v.end(1, "")
	}
	return *line
}

// choose presses an action, or edits an item.
func (v *view) choose(it choice) {
	if it.item == nil {
		v.sends(v.session.Press(it.action))
		return
	}
	var value any
	switch it.item.Kind {
	case loginengine.ItemKindSwitch:
		value = it.item.Value != true
	case loginengine.ItemKindSelection:
		value = v.option(it.item.ID)
	default:
		v.prompt("value: ", it.item.Filled == nil)
		value = v.read(<-v.lines)
	}
	v.sends(v.session.Edit(it.item.ID, value))
}

func (v *view) option(item string) any {
	params := loginengine.SessionOptionsParams{Session: v.session.Name, Item: item}
	result, err := loginengine.Call(context.Background(), v.engine, loginengine.SessionOptions, params)
	v.shows(err)
	for index, option := range result.Options {
		say(fmt.Sprintf("   %d. %s", index+1, option.Title))
	}
	for {
		v.prompt("value: ", true)
		line := v.read(<-v.lines)
		for index, option := range result.Options {
			if line == strconv.Itoa(index+1) {
				return option.ID
			}
		}
		if line == "" {
			return nil
		}
		say(fmt.Sprintf("! Type one number from 1 to %d, or nothing for none.", len(result.Options)))
	}
}
