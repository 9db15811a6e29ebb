// Package loginengine starts a login-engine, and follows the login forms that it runs: protocol/README.md.
package loginengine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
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
