// A view for login-engine, in lines of text. Usage: go run view.go [ENGINE [ARGUMENT ...]]
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

type object map[string]any

// part is an item or an action.
type part struct {
	ID, Kind, Role, InputType, Title, Placeholder, Text, URL, Hint string

	Enabled, Required, ReadOnly bool
	Filled                      *bool
	Value                       any
	Options                     []part
	Messages                    []message
}

type message struct{ Text string }

type section struct {
	Title string
	Items []part
}

type alert struct {
	Title, Text string
	Actions     []part
}

type snapshot struct {
	Title         string
	Sections      []section
	Actions       []part
	Alert         *alert
	Notice, Error *message
	Activity      bool
	Scene         *struct {
		ID, Principal string
		Data          json.RawMessage
	}
}

// content is what a line of the engine has in its params or its result.
type content struct {
	Snapshot *snapshot
	Revision int
	Options  []part
	Reason   string
}

type line struct {
	Method         string
	Params, Result content
	Error          *struct{ Message string }
}

var harmful = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

// join leaves out what is empty.
func join(separator string, texts ...string) string {
	var some []string
	for _, text := range texts {
		if text != "" {
			some = append(some, text)
		}
	}
	return strings.Join(some, separator)
}

func or(text, other string) string {
	if text != "" {
		return text
	}
	return other
}

// say prints texts, all but the first indented, without what could command the terminal or reorder a line.
func say(texts ...string) {
	text := harmful.ReplaceAllString(join("\n", texts...), " ")
	fmt.Println(strings.ReplaceAll(text, "\n", "\n   "))
}

// look is an item or an action as text.
func look(it part) string {
	title, value := it.Title, or(it.URL, it.Text)
	if it.Required {
		title += " *"
	}
	switch {
	case it.Role != "":
		if !it.Enabled {
			title = "(" + title + ")"
		}
		switch it.Role {
		case "primary", "dismiss", "destructive":
			return "[ " + title + " ]"
		}
		return "-> " + title
	case it.Kind == "switch":
		return "[" + map[any]string{nil: "-", true: "x", false: " "}[it.Value] + "] " + title
	case it.Kind == "selection":
		value = "(–)"
		for _, option := range it.Options {
			if option.ID == it.Value {
				value = option.Title
			}
		}
	case it.Kind == "input":
		empty := it.Placeholder
		if empty == "" && it.InputType == "date" {
			empty = "YYYY-MM-DD"
		}
		value, _ = it.Value.(string)
		value = or(value, "("+or(empty, "–")+")")
		if it.Filled != nil && *it.Filled {
			value = "********"
		}
	}
	return join(": ", title, value)
}

// draw prints a screen, and returns what can be chosen, in the order of the numbers.
func draw(screen *snapshot) (choices []part) {
	sections, actions := screen.Sections, section{Items: screen.Actions}
	fmt.Println()
	if scene := screen.Scene; scene != nil {
		say("== scene: "+scene.ID, "principal: "+or(scene.Principal, "–"), "data: "+string(scene.Data))
		sections, actions.Items = nil, nil
		for _, action := range screen.Actions {
			if action.Enabled {
				actions.Items = append(actions.Items, action)
			}
		}
	} else {
		say("== " + screen.Title)
	}
	if alert := screen.Alert; alert != nil {
		say("alert:", alert.Title, alert.Text)
		sections, actions.Items = nil, alert.Actions
	}
	for _, section := range append(sections, actions) {
		if section.Title != "" {
			say("-- " + section.Title)
		}
		for _, it := range section.Items {
			texts := []string{look(it), it.Hint}
			for _, message := range it.Messages {
				texts = append(texts, "! "+message.Text)
			}
			isField := it.Kind == "input" || it.Kind == "selection" || it.Kind == "switch"
			if it.Role != "" || isField && !it.ReadOnly {
				choices = append(choices, it)
				texts[0] = fmt.Sprintf("%d. %s", len(choices), texts[0])
			}
			say(texts...)
		}
	}
	if screen.Notice != nil {
		say("notice: " + screen.Notice.Text)
	}
	if screen.Error != nil {
		say("error: " + screen.Error.Text)
	}
	if screen.Activity {
		say("working ...")
	}
	return choices
}

// pick returns the choice that has this number, or nil.
func pick(choices []part, number string) *part {
	if index, err := strconv.Atoi(number); err == nil && 0 < index && index <= len(choices) {
		return &choices[index-1]
	}
	return nil
}

// lines reads in the background. At the end the channel gives nil.
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

// view is a session of an engine that this program starts, and the person who types.
type view struct {
	engine         *exec.Cmd
	input          io.WriteCloser
	updates, typed <-chan *string
	isTerminal     bool
	screen         *snapshot
	revision       int
}

func start(command []string) (*view, error) {
	engine := exec.Command(command[0], command[1:]...)
	engine.Stderr = os.Stderr
	input, _ := engine.StdinPipe()
	output, _ := engine.StdoutPipe()
	_, err := stty("-g")
	return &view{engine: engine, input: input, updates: lines(output), typed: lines(os.Stdin), isTerminal: err == nil}, engine.Start()
}

func stty(setting string) ([]byte, error) {
	command := exec.Command("stty", setting)
	command.Stdin = os.Stdin
	return command.Output()
}

// end leaves the terminal as it was, and no engine behind.
func (v *view) end(status int, problems ...any) {
	v.prompt("\n", "echo")
	if len(problems) > 0 {
		fmt.Fprintln(os.Stderr, problems...)
	}
	v.engine.Process.Signal(syscall.SIGTERM)
	v.input.Close()
	v.engine.Wait()
	os.Exit(status)
}

// take understands a line of the engine's.
func (v *view) take(text *string) (it line) {
	if text == nil {
		v.end(1, "the engine has stopped")
	}
	if err := json.Unmarshal([]byte(*text), &it); err != nil {
		v.end(1, err)
	}
	for _, content := range []content{it.Params, it.Result} {
		if content.Snapshot != nil {
			v.screen, v.revision = content.Snapshot, content.Revision
		}
	}
	if it.Method == "session/closed" {
		v.end(1, "the session has ended:", it.Params.Reason)
	}
	return it
}

// call makes a request, and returns its result. What the engine refuses stays as the engine has it.
func (v *view) call(method string, params object) content {
	params["session"] = "view"
	request, _ := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	v.input.Write(append(request, '\n'))
	for {
		answer := v.take(<-v.updates)
		if answer.Method != "" {
			continue // an update that came first
		}
		if answer.Error != nil {
			say("(" + answer.Error.Message + ")")
			if v.screen == nil {
				v.end(1)
			}
			v.call("session/snapshot", object{})
		}
		return answer.Result
	}
}

func (v *view) prompt(text, echo string) {
	if v.isTerminal {
		stty(echo)
	}
	fmt.Print(text)
}

// read returns the line that the person types; the view ends at the end of the input.
func (v *view) read(text *string) string {
	if text == nil && v.screen.Scene != nil {
		v.end(0)
	} else if text == nil {
		v.end(1)
	}
	return *text
}

// choose presses an action, or changes an item.
func (v *view) choose(it *part) {
	var value any
	switch {
	case it.Role != "":
		v.call("session/perform", object{"action": it.ID, "revision": v.revision})
		return
	case it.Kind == "switch":
		value = it.Value != true
	case it.Kind == "selection":
		options := v.call("session/options", object{"item": it.ID}).Options
		texts := []string{"options:"}
		for index, option := range options {
			texts = append(texts, fmt.Sprintf("%d %s", index+1, option.Title))
		}
		say(texts...)
		v.prompt("number, or nothing for none: ", "echo")
		if option := pick(options, v.read(<-v.typed)); option != nil {
			value = option.ID
		}
	case it.Filled != nil && it.InputType != "oneTimeCode":
		v.prompt("value (not shown): ", "-echo")
		value = v.read(<-v.typed)
	default:
		v.prompt("value: ", "echo")
		value = v.read(<-v.typed)
	}
	v.call("session/change", object{"item": it.ID, "value": value, "revision": v.revision})
}

func main() {
	command := os.Args[1:]
	if len(command) == 0 {
		command = []string{"login-engine"}
	}
	v, err := start(command)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		v.end(1)
	}()
	v.call("session/open", object{"transitions": "instant", "supports": []string{"restoreSecret"}})
	for choices := draw(v.screen); len(choices) > 0; choices = draw(v.screen) {
		v.prompt("> ", "echo")
		typed := v.typed
		if v.screen.Activity && !v.isTerminal {
			typed = nil // a script waits while something is under way; a person may choose meanwhile
		}
		select {
		case text := <-typed:
			if it := pick(choices, v.read(text)); it != nil {
				v.choose(it)
			}
		case text := <-v.updates:
			v.take(text)
		}
	}
	v.end(0)
}
