package loginengine

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"sync"
	"testing"
	"time"
)

var ctx = context.Background()

// gate keeps further updates from being read while a test has it.
var gate sync.Mutex

func begin(t *testing.T, arguments ...string) *Engine {
	engine, err := Start(exec.Command(program, append([]string{"--log-level", "error", "--authenticator", "demo"}, arguments...)...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Errorf("the engine ended with %v", err)
		}
	})
	return engine
}

func open(t *testing.T, engine *Engine, params SessionOpenParams) *Session {
	session, err := engine.Open(ctx, params, func(change Change) {
		if change.Violation {
			t.Error("the commands do not lead to the snapshot")
		}
		gate.Lock()
		defer gate.Unlock()
	})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func settled(Snapshot) bool     { return true }
func decided(it Snapshot) bool  { return !it.Activity && (it.Error != nil || it.Scene != nil) }
func itemOf(it Snapshot) []Item { return it.Sections[0].Items }

func TestPressIsHeldBack(t *testing.T) {
	for _, detail := range []Detail{DetailFull, DetailCommands, DetailSnapshot} {
		session := open(t, begin(t), SessionOpenParams{Detail: detail})
		session.Edit("email", "ada@example.com")
		session.Edit("password", "wrong")
		if err := session.Press("").Wait(ctx); err != nil {
			t.Fatal(err)
		}
		snapshot, _ := session.Wait(ctx, decided)
		if snapshot.Error == nil || session.Value(itemOf(snapshot)[1]) != "wrong" {
			t.Errorf("%s: no error, or the secret has left its field", detail)
		}
		gate.Lock()
		session.Edit("password", "right")
		first, second := session.Press(""), session.Press("")
		gate.Unlock()
		if first.Wait(ctx) != nil || second.Wait(ctx) != ErrDropped {
			t.Errorf("%s: a double click presses twice", detail)
		}
		if snapshot, _ = session.Wait(ctx, decided); snapshot.Scene == nil || snapshot.Scene.Principal != "ada@example.com" {
			t.Errorf("%s: no scene", detail)
		}
	}
}

func TestDraftsAreKeptUntilCounted(t *testing.T) {
	session := open(t, begin(t), SessionOpenParams{})
	snapshot, _ := session.Wait(ctx, settled)
	answer := session.Edit("email", "ada")
	if session.Value(itemOf(snapshot)[0]) != "ada" {
		t.Error("the field does not hold what was typed")
	}
	answer.Wait(ctx)
	refused := session.Edit("email", true)
	var refusal *Error
	if err := refused.Wait(ctx); !errors.As(err, &refusal) || refusal.Code != -32602 || refusal.Data.Code != ErrorDataCodeInvalidParams {
		t.Errorf("the refusal is %v", err)
	}
	snapshot, _ = session.Wait(ctx, settled)
	if session.Value(itemOf(snapshot)[0]) != "ada" {
		t.Error("the refused edit is not undone")
	}
}

func TestPressForAnotherScreenIsDropped(t *testing.T) {
	session := open(t, begin(t), SessionOpenParams{})
	session.engine.lock.Lock() // nothing that the engine writes is read until both presses are made
	session.drafts["email"] = edit{1, "email", "ada"}
	session.sent++
	session.held = session.engine.newAnswer()
	held := session.held
	session.engine.write([]byte(`{"jsonrpc":"2.0","method":"session/press","params":{"session":"` + session.Name + `","action":"setup"}}`))
	session.engine.lock.Unlock()
	if err := held.Wait(ctx); err != ErrDropped {
		t.Errorf("the press was not dropped: %v", err)
	}
}

func TestRequests(t *testing.T) {
	engine := begin(t)
	described, err := Call(ctx, engine, EngineDescribe, EngineDescribeParams{})
	if err != nil || described.Name != "login-engine" || described.Limits.MaxSessions == 0 {
		t.Errorf("described as %v, %v", described, err)
	}
	session := open(t, engine, SessionOpenParams{Session: "s"})
	var refusal *Error
	if _, err = engine.Open(ctx, SessionOpenParams{Session: "s"}, nil); !errors.As(err, &refusal) || refusal.Data.Code != ErrorDataCodeSessionExists {
		t.Errorf("a second session of the name: %v", err)
	}
	submit := SessionSubmitParams{Session: "s", Values: map[string]any{"email": "ada@example.com", "password": "right"}}
	if result, err := Call(ctx, engine, SessionSubmit, submit); err != nil || result.Outcome != OutcomeAccepted {
		t.Errorf("submitted: %v, %v", result, err)
	}
	if err = session.Close(ctx); err != nil {
		t.Error(err)
	}
	if err = session.Edit("email", "x").Wait(ctx); !errors.As(err, &refusal) || refusal.Data.Code != ErrorDataCodeUnknownSession {
		t.Errorf("an edit of a closed session: %v", err)
	}
	if _, err = session.Wait(ctx, func(Snapshot) bool { return false }); err != ErrClosed {
		t.Errorf("a wait for a closed session: %v", err)
	}
}

func TestSubmitIsCancelled(t *testing.T) {
	engine := begin(t)
	open(t, engine, SessionOpenParams{Session: "s"})
	limited, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	values := map[string]any{"email": "slow@example.com", "password": "x"}
	if _, err := Call(limited, engine, SessionSubmit, SessionSubmitParams{Session: "s", Values: values}); err != context.DeadlineExceeded {
		t.Errorf("the submit ended with %v", err)
	}
	if result, err := Call(ctx, engine, SessionSnapshot, SessionSnapshotParams{Session: "s"}); err != nil || result.Snapshot.Activity {
		t.Errorf("the request is still pending: %v", err)
	}
}

func TestEngineThatEnds(t *testing.T) {
	engine, err := Start(exec.Command("/bin/false"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = engine.Open(ctx, SessionOpenParams{}, nil); err != ErrClosed {
		t.Errorf("opened: %v", err)
	}
	if engine.Close() == nil {
		t.Error("the exit status is lost")
	}
	if _, err = Start(exec.Command("/nonexistent")); err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestLaterVersions(t *testing.T) {
	session := &Session{engine: &Engine{}, model: Model{}, drafts: map[string]edit{}, wake: make(chan struct{})}
	var change Change
	session.changed = func(it Change) { change = it }
	session.update(read([]byte(`{"method":"session/update","params":{"session":"s","revision":1,"events":0,"later":1,"commands":[
		{"command":"showScreen","screen":"a","sections":[{"id":"s","items":[{"id":"i","kind":"later","title":"T","text":"U","new":[1]}]}],"actions":[]},
		{"command":"setItem","item":"i","new":[2]},{"command":"later"}]}}`)))
	item := itemOf(change.Snapshot)[0]
	if item.Kind != "later" || item.Title != "T" || item.Text != "U" {
		t.Errorf("an unknown kind is read as %v", item)
	}
	text, _ := json.Marshal(session.model["sections"])
	if string(text) != `[{"id":"s","items":[{"id":"i","kind":"later","new":[2],"text":"U","title":"T"}]}]` {
		t.Errorf("the model lost what it does not know: %s", text)
	}
	session.update(read([]byte(`{"method":"session/update","params":{"session":"s","revision":2,"events":0,
		"commands":[{"command":"setState","state":"validated"}],"snapshot":{"screen":"b","sections":[],"actions":[]}}}`)))
	if !change.Violation || change.Snapshot.Screen != "b" {
		t.Error("a violation is not reported, or its snapshot is not taken")
	}
}
