package loginengine

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What the tests need to know of the machine: the engine, and the root of the repository.
var program, root = os.Getenv("LOGIN_ENGINE"), "../.."

type step struct {
	In, Out           json.RawMessage
	Raw, RawBase16    *string
	Length            int
	Unterminated, End bool
}

// line returns what the transcript's view writes in a step.
func (s step) line() (line []byte) {
	switch {
	case s.In != nil:
		return s.In // as written, because numbers have several spellings
	case s.Raw != nil:
		line = []byte(*s.Raw)
	case s.RawBase16 != nil:
		line, _ = hex.DecodeString(*s.RawBase16)
	}
	if missing := s.Length - len(line); missing > 0 {
		line = append(line, strings.Repeat("x", missing)...)
	}
	return line
}

// player is the view of a transcript: its sessions follow what is sent and what comes.
type player struct {
	*testing.T
	engine           *Engine
	opening, closing map[string]string // names of sessions by the ids of requests
	unnamed          bool
	updates          int
}

func (p *player) adopt(name string) {
	if p.engine.sessions[name] == nil {
		p.engine.adopt(name, func(change Change) {
			if change.Update != nil && change.Update.Commands != nil {
				p.updates++
			}
			if change.Violation {
				p.Errorf("the commands do not lead to the snapshot of revision %d of %s", change.Update.Revision, name)
			}
		})
	}
}

// parts returns the lines of a batch, or the line itself.
func parts(line []byte) (lines []json.RawMessage) {
	if json.Unmarshal(line, &lines) != nil {
		lines = []json.RawMessage{line}
	}
	return lines
}

// sends notes which sessions a line opens and closes, and counts its events.
func (p *player) sends(line []byte) {
	isBatch := len(line) > 0 && line[0] == '['
	for _, line := range parts(line) {
		it := read(line)
		about := it.about
		id, _ := json.Marshal(it.ID)
		switch {
		case it.Method == "session/open" && about.Session == "":
			p.unnamed = true
		case it.Method == "session/open" && p.engine.sessions[about.Session] == nil:
			p.adopt(about.Session)
			p.opening[string(id)] = about.Session
		case it.Method == "session/close" && it.ID == nil:
			p.close(about.Session)
		case it.Method == "session/close":
			p.closing[string(id)] = about.Session
		case about.Session != "" && p.unnamed: // the view guesses the name that the engine gives
			p.adopt(about.Session)
		}
		if session := p.engine.sessions[about.Session]; session != nil && isBatch {
			session.record(it) // the client itself sends no batches
		}
	}
}

func (p *player) close(name string) {
	for other := range p.engine.sessions {
		if name == "" || name == other {
			delete(p.engine.sessions, other)
		}
	}
}

func (p *player) takes(line []byte) {
	for _, line := range parts(line) {
		it := read(line)
		if it.Method == "session/update" && it.about.Commands != nil {
			p.adopt(it.about.Session)
			p.unnamed = false
		}
		p.engine.receive(line)
		id, _ := json.Marshal(it.ID)
		if name, isClosing := p.closing[string(id)]; isClosing && it.Method == "" && it.Error == nil {
			p.close(name)
		}
		if session := p.engine.sessions[p.opening[string(id)]]; session != nil && it.Error != nil && session.revision == 0 {
			p.close(session.Name)
		}
	}
}

func play(t *testing.T, path string) (updates int) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name, _ := filepath.Rel(root, path)
	command := exec.Command(program, "mock", "--timeout", "60", name)
	command.Dir = root // the paths of flows are relative to it
	complaints := &strings.Builder{}
	command.Stderr = complaints
	received := make(chan []byte)
	taken := make(chan bool)
	engine, err := start(command, func(_ *Engine, line []byte) {
		received <- line
		<-taken
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &player{T: t, engine: engine, opening: map[string]string{}, closing: map[string]string{}}
	take := func() (isThere bool) {
		select {
		case line := <-received:
			p.takes(line)
			taken <- true
			return true
		case <-engine.ended:
			return false
		}
	}
	for _, line := range strings.Split(string(text), "\n") {
		var it step
		json.Unmarshal([]byte(line), &it)
		if it.In != nil || it.Raw != nil || it.RawBase16 != nil {
			bytes := it.line()
			p.sends(bytes)
			engine.lock.Lock()
			if it.Unterminated {
				engine.outgoing <- bytes
			} else {
				engine.write(bytes)
			}
			engine.lock.Unlock()
		}
		if it.End || it.Unterminated {
			engine.endInput()
		}
		if it.Out != nil && !take() {
			break
		}
	}
	engine.endInput()
	for take() {
	}
	if err := engine.Close(); err != nil {
		t.Errorf("the mock ended with %v: %s", err, complaints)
	}
	return p.updates
}

func TestTranscripts(t *testing.T) {
	paths, _ := filepath.Glob(root + "/protocol/transcripts/*/*.jsonl")
	if len(paths) < 385 {
		t.Fatalf("%d transcripts", len(paths))
	}
	updates, slots := make(chan int, len(paths)), make(chan bool, 4*runtime.NumCPU())
	t.Run("all", func(t *testing.T) {
		for _, path := range paths {
			path := path
			t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				slots <- true // mocks sometimes wait for a timer
				defer func() { <-slots }()
				updates <- play(t, path)
			})
		}
	})
	close(updates)
	total := 0
	for count := range updates {
		total += count
	}
	if total < 2000 {
		t.Errorf("the transcripts have %d updates", total)
	}
}
