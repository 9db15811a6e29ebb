// A line-based view for login-engine. Usage: go run view.go [--verify] [ENGINE [ARGUMENT ...]]
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

type object = map[string]any

var overlays = []string{"error", "notice", "alert", "scene", "retryAt", "focus"}

var ends = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

var fields = map[string]bool{"input": true, "selection": true, "switch": true}

// list returns the objects that a member of an object holds, if any.
func list(it object, member string) (objects []object) {
	values, _ := it[member].([]any)
	for _, value := range values {
		objects = append(objects, value.(object))
	}
	return objects
}

// text returns a member of an object if it is a text, and "" otherwise.
func text(it object, member string) string {
	text, _ := it[member].(string)
	return text
}

// change replaces the part with this id in a member's list.
func change(it object, member string, id any, by func(part object) []any) {
	parts := []any{}
	for _, part := range list(it, member) {
		if part["id"] == id {
			parts = append(parts, by(part)...)
		} else {
			parts = append(parts, part)
		}
	}
	it[member] = parts
}

func insert(it object, member string, index, part any) {
	parts, at := it[member].([]any), int(index.(float64))
	it[member] = append(parts[:at:at], append([]any{part}, parts[at:]...)...)
}

// apply applies a command to a screen.
func apply(screen, it object) {
	updated := func(part object) []any {
		for name, value := range it {
			if name != "command" && name != "item" && name != "action" {
				part[name] = value
			}
		}
		return []any{part}
	}
	without := func(object) []any { return nil }
	switch name := text(it, "command"); name {
	case "showScreen":
		for _, member := range overlays {
			screen[member] = nil
		}
		screen["activity"] = false
		updated(screen)
	case "setState", "setRetryAt", "setFocus", "showError", "showNotice", "showAlert", "showScene":
		updated(screen)
	case "hideError", "hideNotice", "hideAlert":
		screen[strings.ToLower(name[4:])] = nil
	case "showActivity", "hideActivity":
		screen["activity"] = name == "showActivity"
	case "setItem":
		for _, section := range list(screen, "sections") {
			change(section, "items", it["item"], updated)
		}
	case "setAction":
		change(screen, "actions", it["action"], updated)
	case "replaceAction":
		change(screen, "actions", it["action"], func(object) []any { return []any{it["newAction"]} })
	case "insertSection":
		insert(screen, "sections", it["index"], it["newSection"])
	case "removeSection":
		change(screen, "sections", it["section"], without)
	case "insertItem":
		change(screen, "sections", it["section"], func(section object) []any {
			insert(section, "items", it["index"], it["newItem"])
			return []any{section}
		})
	case "removeItem":
		for _, section := range list(screen, "sections") {
			change(section, "items", it["item"], without)
		}
	}
}

var harmful = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

// say prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line.
func say(texts ...string) {
	some := []string{}
	for _, text := range texts {
		if text != "" {
			some = append(some, harmful.ReplaceAllString(text, "�"))
		}
	}
	fmt.Println(strings.ReplaceAll(strings.Join(some, "\n"), "\n", "\n   "))
}

// look formats an item or an action.
func look(part object) string {
	title, value := text(part, "title"), text(part, "value")
	switch kind := text(part, "kind"); {
	case part["role"] != nil && part["enabled"] == true:
		return "[" + title + "]"
	case part["role"] != nil:
		return "(" + title + ")"
	case kind == "switch" && part["value"] == true:
		value = "[x]"
	case kind == "switch":
		value = "[ ]"
	case kind == "selection":
		value = "–"
		for _, option := range list(part, "options") {
			if option["id"] == part["value"] {
				value = text(option, "title")
			}
		}
	case kind == "input" && part["filled"] == true:
		value = "********"
	case kind == "input" && value == "":
		empty := "–"
		if text(part, "inputType") == "date" {
			empty = "YYYY-MM-DD"
		}
		if placeholder := text(part, "placeholder"); placeholder != "" {
			empty = placeholder
		}
		value = "(" + empty + ")"
	case kind != "input":
		value = text(part, "url") + text(part, "text")
	}
	if title != "" && value != "" {
		title += ": "
	}
	return title + value
}

// draw prints a screen, and returns the choices, by the number to type.
func draw(screen object) map[string]object {
	choices := map[string]object{}
	alert, _ := screen["alert"].(object)
	scene, _ := screen["scene"].(object)
	fmt.Println()
	if scene != nil {
		say("== scene: "+text(scene, "id"), text(scene, "principal"))
	} else {
		say("== " + text(screen, "title"))
	}
	for _, kind := range []string{"alert", "notice", "error"} {
		if message, _ := screen[kind].(object); message != nil {
			say(text(message, "title"), "! "+text(message, "text"))
		}
	}
	sections, actions := list(screen, "sections"), screen["actions"]
	if alert != nil {
		sections, actions = nil, alert["actions"]
	} else if scene != nil {
		sections = nil
	}
	for _, section := range append(sections, object{"items": actions}) {
		if title := text(section, "title"); title != "" {
			say("-- " + title)
		}
		for _, part := range list(section, "items") {
			if scene != nil && part["enabled"] == false {
				continue
			}
			texts := []string{look(part), text(part, "hint")}
			for _, message := range list(part, "messages") {
				texts = append(texts, "! "+text(message, "text"))
			}
			if part["role"] != nil || fields[text(part, "kind")] && part["readOnly"] == nil {
				number := strconv.Itoa(len(choices) + 1)
				choices[number] = part
				texts[0] = number + ". " + texts[0]
			}
			say(texts...)
		}
	}
	if screen["activity"] == true {
		say("...")
	}
	return choices
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
			line = strings.TrimSuffix(line, "\n")
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

// view is a session with an engine that this program starts, and its input.
type view struct {
	input                   io.WriteCloser
	engine, person          <-chan *string
	isTerminal, isVerifying bool
	screen, edit            object // not counted by the engine yet
	revision, events        float64
	lock                    sync.Mutex // guards the terminal and the two below
	prompted                string
	echoes                  bool
}

// terminal gets or sets the modes of the terminal, if there is one: TIOCGETA and TIOCSETA on macOS.
func terminal(request uintptr, modes *syscall.Termios) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, os.Stdin.Fd(), request, uintptr(unsafe.Pointer(modes)))
	return errno == 0
}

func setEcho(isOn bool) {
	var modes syscall.Termios
	if terminal(syscall.TCGETS, &modes) {
		modes.Lflag &^= syscall.ECHO
		if isOn {
			modes.Lflag |= syscall.ECHO
		}
		terminal(syscall.TCSETS, &modes)
	}
}

func (v *view) prompt(text string, echoes bool) {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.prompted, v.echoes = text, echoes
	setEcho(echoes)
	fmt.Print(text)
}

// handle handles signals. It runs on the process's first thread, where a signal that it sends to the process acts at once.
func (v *view) handle(signals chan os.Signal) {
	for it := range signals {
		v.lock.Lock()
		switch it {
		case syscall.SIGTSTP: // Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues
			setEcho(true)
			// A shell that can continue the view has given it its own process group. Go cannot restore the default action of SIGTSTP.
			if session, _, _ := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0); int(session) != syscall.Getpgrp() {
				signal.Reset(ends...) // the echo is on, so these may end the view at once
				syscall.Kill(os.Getpid(), syscall.SIGSTOP)
				signal.Notify(signals, ends...)
			}
			fmt.Print(v.prompted)
			syscall.Kill(os.Getpid(), syscall.SIGCONT)
		case syscall.SIGCONT: // a shell turns the echo on when the view stops
			setEcho(v.echoes)
		default:
			signal.Ignore(syscall.SIGTTOU) // in the background this would otherwise stop the view
			setEcho(true)
			os.Exit(1)
		}
		v.lock.Unlock()
	}
}

// end restores the terminal and exits.
func (v *view) end(status int, problem string) {
	v.prompt("\n", true)
	if problem != "" {
		fmt.Fprintln(os.Stderr, problem)
	}
	os.Exit(status)
}

// receive applies a line from the engine.
func (v *view) receive(line *string) (message object) {
	if line == nil {
		v.end(1, "the engine has stopped")
	}
	if err := json.Unmarshal([]byte(*line), &message); err != nil {
		v.end(1, err.Error())
	}
	content, _ := message["params"].(object)
	if result, ok := message["result"].(object); ok {
		content = result
	}
	if events, _ := content["events"].(float64); events > v.events {
		apply(v.screen, v.edit) // the engine has counted it; its commands undo a refused edit
		v.events = events
	}
	for _, command := range list(content, "commands") {
		apply(v.screen, command)
	}
	if revision, ok := content["revision"].(float64); ok {
		v.revision = revision
	}
	if snapshot, ok := content["snapshot"].(object); ok {
		if v.isVerifying && !reflect.DeepEqual(v.screen, snapshot) {
			v.end(1, fmt.Sprintf("the commands do not lead to the snapshot of revision %.0f", v.revision))
		}
		v.screen = snapshot // includes the effects of commands of later versions
	}
	if message["method"] == "session/closed" {
		v.end(1, "the session has ended: "+text(content, "reason"))
	}
	return message
}

// call sends a request, and returns its result.
func (v *view) call(method string, params object) object {
	params["session"] = "view"
	request, _ := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	v.input.Write(append(request, '\n'))
	for {
		message := v.receive(<-v.engine)
		if message["method"] != nil {
			continue // an update that came first
		}
		if failure, ok := message["error"].(object); ok {
			say("! " + text(failure, "message"))
		}
		result, _ := message["result"].(object)
		return result
	}
}

// read returns a line from the person. The view ends at the end of the input.
func (v *view) read(line *string) string {
	if line == nil && v.screen["scene"] != nil {
		v.end(0, "")
	} else if line == nil {
		v.end(1, "")
	}
	return strings.ToValidUTF8(*line, "�") // JSON requires UTF-8
}

// choose presses an action, or edits an item.
func (v *view) choose(part object) {
	var value any
	filled := part["filled"]
	switch kind := text(part, "kind"); {
	case part["role"] != nil:
		v.call("session/press", object{"action": part["id"], "revision": v.revision})
		return
	case kind == "switch":
		value = part["value"] != true
	case kind == "selection":
		ids := object{}
		for index, option := range list(v.call("session/options", object{"item": part["id"]}), "options") {
			say(fmt.Sprintf("   %d. %s", index+1, text(option, "title")))
			ids[strconv.Itoa(index+1)] = option["id"]
		}
		for isRight := false; !isRight; {
			v.prompt("value: ", true)
			line := v.read(<-v.person)
			value, isRight = ids[line]
			if isRight = isRight || line == ""; !isRight {
				say(fmt.Sprintf("! Type one number from 1 to %d, or nothing for none.", len(ids)))
			}
		}
	case filled != nil:
		v.prompt("value: ", false)
		value = v.read(<-v.person)
	default:
		v.prompt("value: ", true)
		value = v.read(<-v.person)
	}
	v.edit = object{"command": "setItem", "item": part["id"], "value": value}
	if filled != nil {
		v.edit = object{"command": "setItem", "item": part["id"], "filled": value != ""}
	}
	v.call("session/edit", object{"item": part["id"], "value": value, "revision": v.revision})
	v.edit = nil
}

func main() {
	isVerifying := len(os.Args) > 1 && os.Args[1] == "--verify"
	command := os.Args[1:]
	if isVerifying {
		command = os.Args[2:]
	}
	if len(command) == 0 {
		command = []string{"login-engine"}
	}
	engine := exec.Command(command[0], command[1:]...)
	engine.Stderr = os.Stderr
	input, _ := engine.StdinPipe()
	output, _ := engine.StdoutPipe()
	v := &view{input: input, engine: lines(output), person: lines(person{}), isVerifying: isVerifying, screen: object{}}
	v.isTerminal = terminal(syscall.TCGETS, &syscall.Termios{})
	if err := engine.Start(); err != nil {
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
	v.call("session/open", object{"detail": "full", "transitions": "instant"})
	for choices := draw(v.screen); len(choices) > 0; choices = draw(v.screen) {
		v.prompt("> ", true)
		person := v.person
		if v.screen["activity"] == true && !v.isTerminal {
			person = nil // a script waits during a request; a person may choose
		}
		select {
		case line := <-person:
			if part := choices[v.read(line)]; part != nil {
				v.choose(part)
			} else {
				say(fmt.Sprintf("! Type one number from 1 to %d.", len(choices)))
			}
		case line := <-v.engine:
			v.receive(line)
		}
	}
	v.end(0, "")
}
