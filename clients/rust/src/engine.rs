//! An engine's process, its lines, and the handles of its sessions.

use crate::form::{Change, Form};
use crate::wire::{self, Request, RevisionResult, Snapshot};
use crate::Error;
use serde_json::{json, Value};
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::marker::PhantomData;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{spawn, JoinHandle};

type Reply = Result<Value, Error>;
type Listener = Box<dyn FnMut(Change) + Send>;

/// What the threads share: the one that reads from the engine, the one that writes to it, and those of the application.
#[derive(Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
pub(crate) struct State {
    /// A thread writes what comes here, so that nobody waits until the engine reads.
    pub outgoing: Option<Sender<Vec<u8>>>,
    last_id: u64,
    answers: HashMap<u64, Sender<Reply>>,
    pub sessions: HashMap<String, Followed>,
}

/// A session that this process follows.
pub(crate) struct Followed {
    pub form: Form,
    listener: Option<Listener>,
    /// A press that waits until the engine has counted all edits.
    held: Option<(Option<String>, Sender<Reply>)>,
}

/// A running engine. Dropping it ends the engine's input, so that the engine exits.
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
    reader: Option<JoinHandle<io::Result<ExitStatus>>>,
}

impl Engine {
    /// Starts the engine of a command, such as `Command::new("login-engine").args(["--accounts", "accounts.sqlite3"])`.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        Self::start_with(command, |shared, line| shared.receive(line))
    }

    pub(crate) fn start_with(command: &mut Command, receive: impl Fn(&Shared, &[u8]) + Send + 'static) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (mut input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel::<Vec<u8>>();
        // If writing fails, the engine ends, which the reader notices.
        spawn(move || lines.into_iter().try_for_each(|line| input.write_all(&line)));
        let shared = Arc::new(Shared::default());
        shared.lock().outgoing = Some(sender);
        let shared_by_reader = shared.clone();
        let reader = spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                receive(&shared_by_reader, &line?);
            }
            shared_by_reader.end();
            child.wait()
        });
        Ok(Self { shared, reader: Some(reader) })
    }

    /// Sends a request at once.
    pub fn call<R: Request>(&self, params: &R) -> Answer<R::Answer> {
        self.shared.call(params)
    }

    /// Opens a session, and returns once its first update has come. The detail is full unless the params say otherwise. `listener` is called with
    /// each change, by the thread that reads from the engine, so it must not wait for answers.
    pub fn open(&self, mut params: wire::SessionOpenParams, listener: impl FnMut(Change) + Send + 'static) -> Result<Session, Error> {
        let name = params.session.get_or_insert_with(|| format!("session-{}", self.shared.lock().last_id + 1)).clone();
        params.detail.get_or_insert(wire::Detail::Full);
        // If there is a session of this name, the engine refuses.
        let is_first = self.shared.lock().adopt(&name, Box::new(listener));
        let answer = self.call(&params).wait();
        if is_first && answer.is_err() {
            self.shared.lock().sessions.remove(&name);
        }
        answer.map(|_| Session { shared: self.shared.clone(), name })
    }

    /// Ends the engine's input, and waits for its exit. Pending logins finish first.
    pub fn close(mut self) -> io::Result<ExitStatus> {
        self.shared.lock().outgoing = None;
        self.reader.take().expect("the engine is closed once").join().expect("the reader does not panic")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.shared.lock().outgoing = None;
    }
}

/// The engine's answer to a request, which was written at once.
pub struct Answer<T> {
    reply: Receiver<Reply>,
    result: PhantomData<T>,
}

impl<T: serde::de::DeserializeOwned> Answer<T> {
    pub fn wait(self) -> Result<T, Error> {
        let result = self.reply.recv().unwrap_or(Err(Error::Closed))?;
        serde_json::from_value(result).map_err(Error::Unreadable)
    }
}

/// An open session.
pub struct Session {
    shared: Arc<Shared>,
    pub name: String,
}

impl Session {
    /// Sends the whole new value of an item.
    pub fn edit(&self, item: &str, value: impl Into<Value>) -> Answer<RevisionResult> {
        let params = wire::SessionEditParams { session: self.name.clone(), item: item.to_string(), value: value.into(), revision: self.revision() };
        self.shared.call(&params)
    }

    /// Presses an action, or the primary action, once the engine has counted all edits: they may change what the button does.
    pub fn press(&self, action: Option<&str>) -> Answer<RevisionResult> {
        let (sender, reply) = channel();
        let mut state = self.shared.lock();
        match state.sessions.get_mut(&self.name) {
            None => drop(sender.send(Err(Error::Closed))),
            Some(it) if it.held.is_some() || it.form.has_pressed() => drop(sender.send(Err(Error::Dropped))),
            Some(it) => it.held = Some((action.map(str::to_string), sender)),
        }
        state.release(&self.name);
        Answer { reply, result: PhantomData }
    }

    /// Returns what an item's field holds: null for a secret that the engine has and that was not typed here.
    pub fn value(&self, item: &wire::Item) -> Value {
        self.shared.lock().sessions.get(&self.name).map_or(Value::Null, |it| it.form.value(item))
    }

    /// Waits until the engine has counted all events and the condition holds, and returns the snapshot.
    pub fn wait(&self, condition: impl Fn(&Snapshot) -> bool) -> Result<Snapshot, Error> {
        let mut state = self.shared.lock();
        loop {
            let form = &state.sessions.get(&self.name).ok_or(Error::Closed)?.form;
            match &form.snapshot {
                Some(snapshot) if form.is_level() && condition(snapshot) => return Ok(snapshot.clone()),
                _ => state = self.shared.changed.wait(state).expect("no thread panics with the lock"),
            }
        }
    }

    /// Closes the session, which forgets its secrets and cancels a pending login.
    pub fn close(self) -> Result<(), Error> {
        let answer = self.shared.call(&wire::SessionCloseParams { session: Some(self.name.clone()) }).wait();
        self.shared.lock().sessions.remove(&self.name);
        answer.map(drop)
    }

    fn revision(&self) -> Option<i64> {
        self.shared.lock().sessions.get(&self.name).map(|it| it.form.revision)
    }
}

impl Shared {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics with the lock")
    }

    fn call<R: Request>(&self, params: &R) -> Answer<R::Answer> {
        let (sender, reply) = channel();
        self.lock().send(R::METHOD, json!(params), sender);
        Answer { reply, result: PhantomData }
    }

    /// Handles a line. The engine's requests (`--authenticator frontend`), whose ids are texts, are not answered.
    pub fn receive(&self, line: &[u8]) {
        let mut message: Value = serde_json::from_slice(line).unwrap_or_default();
        let (mut params, mut state) = (message["params"].take(), self.lock());
        if let Some(sender) = message["id"].as_u64().and_then(|id| state.answers.remove(&id)) {
            let _ = sender.send(match message.get_mut("error") {
                None => Ok(message["result"].take()),
                Some(error) => Err(serde_json::from_value(error.take()).map_or_else(Error::Unreadable, Error::Refused)),
            });
        }
        let name = params["session"].as_str().unwrap_or("").to_string();
        let Followed { form, listener, held } = match state.sessions.get_mut(&name) {
            Some(session) => session,
            None => return,
        };
        let change = match message["method"].as_str().unwrap_or("") {
            "session/update" => {
                let (change, is_new) = form.update(params);
                if is_new {
                    held.take().map(|(_, sender)| sender.send(Err(Error::Dropped)));
                }
                change
            }
            "session/granted" => Change::Granted(params["secret"].take()),
            "session/closed" => Change::Closed(params["reason"].as_str().unwrap_or("").to_string()),
            _ => return,
        };
        let mut listener = listener.take();
        if let Change::Closed(_) = change {
            state.sessions.remove(&name);
        }
        state.release(&name);
        drop(state);
        self.changed.notify_all();
        if let Some(listener) = &mut listener {
            listener(change);
        }
        if let Some(session) = self.lock().sessions.get_mut(&name) {
            session.listener = listener;
        }
    }

    fn end(&self) {
        let mut state = self.lock();
        state.outgoing = None;
        state.answers.clear();
        let sessions = std::mem::take(&mut state.sessions);
        drop(state);
        self.changed.notify_all();
        for mut listener in sessions.into_values().filter_map(|it| it.listener) {
            listener(Change::Closed("ended".to_string()));
        }
    }
}

impl State {
    pub fn adopt(&mut self, name: &str, listener: Listener) -> bool {
        let is_first = !self.sessions.contains_key(name);
        if is_first {
            self.sessions.insert(name.to_string(), Followed { form: Form::new(), listener: Some(listener), held: None });
        }
        is_first
    }

    fn send(&mut self, method: &str, params: Value, sender: Sender<Reply>) {
        self.last_id += 1;
        let line = json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}).to_string();
        // Without an engine the sender is dropped, which the answer takes for its end.
        if self.outgoing.is_some() {
            self.answers.insert(self.last_id, sender);
            self.write(line.into_bytes());
        }
    }

    /// Writes a line, and counts it if it is an event.
    pub fn write(&mut self, mut line: Vec<u8>) {
        let message: Value = serde_json::from_slice(&line).unwrap_or_default();
        if let Some(session) = message["params"]["session"].as_str().and_then(|name| self.sessions.get_mut(name)) {
            session.form.record(message["method"].as_str().unwrap_or(""), &message["params"]);
        }
        line.push(b'\n');
        if let Some(outgoing) = &self.outgoing {
            let _ = outgoing.send(line);
        }
    }

    /// Sends the press that waits, if the engine has counted everything.
    fn release(&mut self, name: &str) {
        let session = match self.sessions.get_mut(name) {
            Some(session) if session.form.is_level() => session,
            _ => return,
        };
        if let Some((action, sender)) = session.held.take() {
            let action = action.or_else(|| session.form.primary().map(|it| it.id.clone())).unwrap_or_default();
            let params = wire::SessionPressParams { session: name.to_string(), action, revision: Some(session.form.revision) };
            self.send(wire::SessionPressParams::METHOD, json!(params), sender);
        }
    }
}
