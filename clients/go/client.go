// Package loginengine starts a login-engine, and follows the login forms that it runs: protocol/README.md.
package loginengine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"reflect"
	"sync"
)

var (
	// ErrClosed is the result of calls after the session or the engine has ended.
	ErrClosed = errors.New("the session or the engine has ended")
	// ErrDropped is the result of a press that was not sent, because another one waits or because the screen has changed.
	ErrDropped = errors.New("the press was dropped")
)

func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Data.Code) }

// Engine is a running engine. Its methods may be called from any goroutine.
type Engine struct {
	command  *exec.Cmd
	lock     sync.Mutex  // guards the members below and the sessions
	outgoing chan []byte // written by a goroutine, so that nobody waits until the engine reads
	isClosed bool
	lastID   int64
	answers  map[int64]*Answer
	sessions map[string]*Session
	ended    chan struct{}
	failure  error
}

// Start starts the engine of a command, such as exec.CommandContext(ctx, "login-engine", "--accounts", "accounts.sqlite3").
func Start(command *exec.Cmd) (*Engine, error) { return start(command, (*Engine).receive) }

func start(command *exec.Cmd, receive func(*Engine, []byte)) (*Engine, error) {
	e := &Engine{command: command, outgoing: make(chan []byte, 4096), answers: map[int64]*Answer{}, sessions: map[string]*Session{}, ended: make(chan struct{})}
	input, inputError := command.StdinPipe()
	output, outputError := command.StdoutPipe()
	for _, err := range []error{inputError, outputError, command.Start()} {
		if err != nil {
			return nil, err
		}
	}
	go func() {
		for line := range e.outgoing {
			input.Write(line) // a failure means that the engine ends, which `read` notices
		}
		input.Close()
	}()
	go e.read(output, receive)
	return e, nil
}

// Close ends the engine's input, waits for its exit, and returns the error of the exit. Pending logins finish first.
func (e *Engine) Close() error {
	e.endInput()
	<-e.ended
	return e.failure
}

func (e *Engine) endInput() {
	e.lock.Lock()
	defer e.lock.Unlock()
	if !e.isClosed {
		e.isClosed = true
		close(e.outgoing)
	}
}

func (e *Engine) read(output io.Reader, receive func(*Engine, []byte)) {
	reader := bufio.NewReader(output)
	for line, err := reader.ReadBytes('\n'); err == nil; line, err = reader.ReadBytes('\n') {
		receive(e, line)
	}
	e.failure = e.command.Wait()
	e.endInput()
	e.lock.Lock()
	for _, answer := range e.answers {
		answer.settle(nil, ErrClosed)
	}
	sessions := e.sessions
	e.sessions = map[string]*Session{}
	e.lock.Unlock()
	for _, session := range sessions {
		session.end("ended")
	}
	close(e.ended)
}

// Answer is what the engine says to a request that was written at once.
type Answer struct {
	engine *Engine
	id     int64
	Done   chan struct{} // closed when there is an answer, which Wait then returns at once
	result json.RawMessage
	err    error
}

// Wait returns nil, an *Error if the engine has refused the request, or why it was not sent. The end of the context cancels a pending submit.
func (a *Answer) Wait(ctx context.Context) error {
	select {
	case <-a.Done:
		return a.err
	case <-ctx.Done():
		a.engine.lock.Lock()
		defer a.engine.lock.Unlock()
		a.engine.write([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, a.id)))
		return ctx.Err()
	}
}

func (a *Answer) settle(result json.RawMessage, err error) {
	a.result, a.err = result, err
	close(a.Done)
}

// Call sends a request, and returns its result, or an *Error if the engine refuses it.
func Call[Params, Result any](ctx context.Context, e *Engine, method Method[Params, Result], params Params) (result Result, err error) {
	e.lock.Lock()
	answer := e.send(e.newAnswer(), method.Name, params)
	e.lock.Unlock()
	if err = answer.Wait(ctx); err == nil {
		err = json.Unmarshal(answer.result, &result)
	}
	return result, err
}

func (e *Engine) newAnswer() *Answer {
	e.lastID++
	return &Answer{engine: e, id: e.lastID, Done: make(chan struct{})}
}

func (e *Engine) send(answer *Answer, method string, params any) *Answer {
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": answer.id, "method": method, "params": params})
	if err == nil && e.isClosed {
		err = ErrClosed
	}
	if err != nil {
		answer.settle(nil, err)
		return answer
	}
	e.answers[answer.id] = answer
	e.write(line)
	return answer
}

// message is a line to or from the engine, as far as this file needs to know.
type message struct {
	ID             any
	Method         string
	Params, Result json.RawMessage
	Error          *Error
	about          struct {
		SessionUpdateParams
		Item          string
		Value, Secret any
		Reason        string
	}
}

func read(line []byte) (it message) {
	json.Unmarshal(line, &it)
	convert(it.Params, &it.about)
	return it
}

// write sends a line, and counts it if it is an event.
func (e *Engine) write(line []byte) {
	if it := read(line); e.sessions[it.about.Session] != nil {
		e.sessions[it.about.Session].record(it)
	}
	if !e.isClosed {
		e.outgoing <- append(line, '\n')
	}
}

// receive handles a line. It does not answer the engine's requests (`--authenticator frontend`), whose ids are texts.
func (e *Engine) receive(line []byte) {
	it := read(line)
	id, _ := it.ID.(float64)
	e.lock.Lock()
	answer, session := e.answers[int64(id)], e.sessions[it.about.Session]
	delete(e.answers, int64(id))
	e.lock.Unlock()
	if answer != nil && it.Error != nil {
		answer.settle(nil, it.Error)
	} else if answer != nil {
		answer.settle(it.Result, nil)
	} else if session != nil && it.Method == "session/update" {
		session.update(it)
	} else if session != nil && it.Method == "session/granted" {
		session.tell(Change{Granted: it.about.Secret})
	} else if session != nil && it.Method == "session/closed" {
		session.end(it.about.Reason)
	}
}

// Change is what has happened to a session: an update, a grant or the end.
type Change struct {
	Update    *SessionUpdateParams
	Snapshot  Snapshot // what the engine shows since the update, also if the detail is commands
	Violation bool     // whether the update's commands did not lead to its snapshot: a defect of the engine or of this package
	Granted   any      // an authenticator's secret for the application: keep it out of logs
	Closed    string   // idleTimeout, refused, closed, or ended if the engine has ended
}

// Session follows a form by the rules of protocol/updates.md, "Typing fast". Its methods may be called from any goroutine.
type Session struct {
	Name                    string
	engine                  *Engine
	changed                 func(Change)
	wake                    chan struct{} // closed with each change, and then replaced
	model                   Model
	snapshot                Snapshot
	revision, sent, counted int64
	pressed                 int64 // the number of the last event that is no edit
	underWay                []edit
	drafts                  map[string]edit // what the fields of edited items hold
	held                    *Answer         // a press that waits until the engine has counted all edits
	heldAction              string
	isClosed                bool
}

type edit struct {
	number int64
	item   string
	value  any
}

// Open opens a session, with the detail full unless the params say otherwise, and returns once its first update has come. `changed` is called with each
// change, by the goroutine that reads from the engine, so it must not wait for answers. It may be nil.
func (e *Engine) Open(ctx context.Context, params SessionOpenParams, changed func(Change)) (*Session, error) {
	e.lock.Lock()
	answer := e.newAnswer()
	if params.Session == "" {
		params.Session = fmt.Sprintf("session-%d", answer.id)
	}
	if params.Detail == "" {
		params.Detail = DetailFull
	}
	session := e.adopt(params.Session, changed)
	e.send(answer, SessionOpen.Name, params)
	e.lock.Unlock()
	err := answer.Wait(ctx)
	if err != nil {
		session.end("refused")
	}
	return session, err
}

func (e *Engine) adopt(name string, changed func(Change)) *Session {
	session := &Session{Name: name, engine: e, changed: changed, wake: make(chan struct{}), model: Model{}, drafts: map[string]edit{}}
	if e.sessions[name] == nil { // otherwise the engine refuses the name
		e.sessions[name] = session
	}
	return session
}

// Value returns what an item's field holds: nil for a secret that the engine has and that was not typed here.
func (s *Session) Value(item Item) any {
	s.engine.lock.Lock()
	defer s.engine.lock.Unlock()
	if draft, isEdited := s.drafts[item.ID]; isEdited {
		return draft.value
	}
	return held(item, nil)
}

// held returns what a field holds once the engine has counted its edits. Only the field knows the text of a secret.
func held(item Item, text any) any {
	if item.Filled == nil {
		return item.Value
	} else if *item.Filled {
		return text
	}
	return ""
}

// Edit sends the whole new value of an item.
func (s *Session) Edit(item string, value any) *Answer {
	s.engine.lock.Lock()
	defer s.engine.lock.Unlock()
	return s.engine.send(s.engine.newAnswer(), SessionEdit.Name, SessionEditParams{Session: s.Name, Item: item, Value: value, Revision: s.revision})
}

// Press presses an action, or the primary action for "", once the engine has counted all edits: they may change what the button does.
func (s *Session) Press(action string) *Answer {
	s.engine.lock.Lock()
	defer s.engine.lock.Unlock()
	answer := s.engine.newAnswer()
	if s.isClosed {
		answer.settle(nil, ErrClosed)
	} else if s.held != nil || s.pressed > s.counted {
		answer.settle(nil, ErrDropped)
	} else {
		s.held, s.heldAction = answer, action
		s.release()
	}
	return answer
}

// release sends the press that waits, if the engine has counted everything.
func (s *Session) release() {
	if s.held == nil || !s.isLevel() {
		return
	}
	for _, action := range s.snapshot.Actions {
		if s.heldAction == "" && action.Role == ActionRolePrimary {
			s.heldAction = action.ID
		}
	}
	s.engine.send(s.held, SessionPress.Name, SessionPressParams{Session: s.Name, Action: s.heldAction, Revision: s.revision})
	s.held = nil
}

func (s *Session) drop(err error) {
	if s.held != nil {
		s.held.settle(nil, err)
	}
	s.held = nil
}

// Wait waits until the engine has counted all events and the condition holds, and returns the snapshot.
func (s *Session) Wait(ctx context.Context, condition func(Snapshot) bool) (Snapshot, error) {
	for {
		s.engine.lock.Lock()
		snapshot, isLevel, isClosed, wake := s.snapshot, s.isLevel(), s.isClosed, s.wake
		s.engine.lock.Unlock()
		if isLevel && condition(snapshot) {
			return snapshot, nil
		} else if isClosed {
			return snapshot, ErrClosed
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return snapshot, ctx.Err()
		}
	}
}

// Close closes the session, which forgets its secrets and cancels a pending login.
func (s *Session) Close(ctx context.Context) error {
	_, err := Call(ctx, s.engine, SessionClose, SessionCloseParams{Session: s.Name})
	s.end("closed")
	return err
}

func (s *Session) isLevel() bool { return s.counted >= s.sent && s.revision > 0 }

// record numbers an event that is sent.
func (s *Session) record(it message) {
	switch it.Method {
	case SessionEdit.Name:
		s.sent++
		s.drafts[it.about.Item] = edit{s.sent, it.about.Item, it.about.Value}
		s.underWay = append(s.underWay, s.drafts[it.about.Item])
	case SessionPress.Name, SessionSubmit.Name:
		s.sent++
		s.pressed = s.sent
	}
}

func (s *Session) end(reason string) {
	s.engine.lock.Lock()
	s.isClosed, s.drafts, s.underWay = true, map[string]edit{}, nil
	s.drop(ErrClosed)
	if s.engine.sessions[s.Name] == s {
		delete(s.engine.sessions, s.Name)
	}
	s.engine.lock.Unlock()
	s.tell(Change{Closed: reason})
}

func (s *Session) tell(change Change) {
	s.engine.lock.Lock()
	close(s.wake)
	s.wake = make(chan struct{})
	s.engine.lock.Unlock()
	if s.changed != nil {
		s.changed(change)
	}
}

func (s *Session) update(it message) {
	var documents struct {
		Snapshot Model
		Commands []object
	}
	convert(it.Params, &documents)
	change := Change{Update: &it.about.SessionUpdateParams}
	s.engine.lock.Lock()
	s.take(change.Update.Events, change.Update.Revision == s.revision) // only the answer to a refused event repeats the revision
	isKnown, isShown := documents.Commands != nil, false
	for _, command := range documents.Commands {
		isKnown = s.model.Apply(command) && isKnown
		isShown = isShown || command["command"] == "showScreen"
	}
	if documents.Snapshot != nil {
		change.Violation = isKnown && !reflect.DeepEqual(s.model, documents.Snapshot)
		s.model = documents.Snapshot
	}
	before := s.snapshot
	convert(s.model, &change.Snapshot)
	s.snapshot, s.revision = change.Snapshot, change.Update.Revision
	s.settle(before.Screen != s.snapshot.Screen || isShown && before.Locale == s.snapshot.Locale)
	s.release()
	s.engine.lock.Unlock()
	s.tell(change)
}

// take notes how many events the engine has counted. It has accepted their edits, except the last event if that was refused.
func (s *Session) take(events int64, isRefusal bool) {
	s.counted = events
	later := []edit{}
	for _, it := range s.underWay {
		if it.number > events {
			later = append(later, it)
		} else if !isRefusal || it.number < events {
			s.model.Enter(it.item, it.value)
		} else if s.drafts[it.item].number == it.number {
			s.drafts[it.item] = edit{it.number, it.item, nil}
		}
	}
	s.underWay = later
}

// settle keeps the user's input where the user is ahead. The other fields hold what the engine has, and a filled secret its text.
func (s *Session) settle(isNewScreen bool) {
	kept := map[string]edit{}
	for _, section := range s.snapshot.Sections {
		for _, item := range section.Items {
			draft, isEdited := s.drafts[item.ID]
			isFilled := item.Filled != nil && *item.Filled
			if isEdited && s.snapshot.Scene == nil && (isFilled || !isNewScreen) {
				if draft.number <= s.counted {
					draft.value = held(item, draft.value)
				}
				kept[item.ID] = draft
			}
		}
	}
	s.drafts = kept
	if isNewScreen {
		s.drop(ErrDropped)
	}
}

// convert converts between JSON and values. Numbers are json.Number, because those of external items are exact.
func convert(from, into any) {
	line, _ := json.Marshal(from)
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	decoder.Decode(into)
}
