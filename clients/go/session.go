package loginengine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
)

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
