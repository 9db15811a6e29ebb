//! Plays every transcript to `login-engine mock`, and verifies each update.

use crate::{Change, Engine};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol/transcripts");

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Step {
    out: Option<Value>,
    raw: Option<String>,
    raw_base16: Option<String>,
    length: usize,
    unterminated: bool,
    end: bool,
}

impl Step {
    /// Returns what the transcript's view writes.
    fn line(&self, text: &str) -> Option<Vec<u8>> {
        if text.starts_with(r#"{"in":"#) {
            // As written, because numbers have several spellings.
            return Some(text[r#"{"in":"#.len()..text.len() - 1].as_bytes().to_vec());
        }
        let digits = |text: &String| (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect();
        let mut line: Vec<u8> = self.raw.clone().map(String::into_bytes).or_else(|| self.raw_base16.as_ref().map(digits))?;
        line.resize(self.length.max(line.len()), b'x');
        Some(line)
    }
}

/// The view of a transcript: its sessions follow what is sent and what comes.
struct Player {
    engine: Engine,
    opening: HashMap<String, String>,
    closing: HashMap<String, Option<String>>,
    is_unnamed: bool,
    tally: Arc<Mutex<Tally>>,
}

#[derive(Default)]
struct Tally {
    updates: usize,
    failures: Vec<String>,
}

/// Returns the lines of a batch, or the line itself.
fn parts(line: &[u8]) -> Vec<Value> {
    match serde_json::from_slice(line) {
        Ok(Value::Array(parts)) => parts,
        Ok(part) => vec![part],
        Err(_) => vec![],
    }
}

impl Player {
    fn adopt(&self, name: &str) {
        let (tally, name_of) = (self.tally.clone(), name.to_string());
        let listener = move |change| {
            let mut tally = tally.lock().unwrap();
            match change {
                Change::Updated { update, is_violation, .. } => {
                    tally.updates += update.commands.is_some() as usize;
                    if is_violation {
                        tally.failures.push(format!("the commands do not lead to the snapshot of revision {} of {name_of}", update.revision));
                    }
                }
                Change::Unreadable(error) => tally.failures.push(format!("an update of {name_of} cannot be read: {error}")),
                _ => {}
            }
        };
        self.engine.shared.lock().adopt(name, Box::new(listener));
    }

    fn has(&self, name: &str) -> bool {
        self.engine.shared.lock().sessions.contains_key(name)
    }

    fn close(&self, name: Option<&str>) {
        self.engine.shared.lock().sessions.retain(|other, _| name.map_or(false, |name| name != other));
    }

    /// Notes which sessions a line opens and closes, and counts its events.
    fn sends(&mut self, line: Vec<u8>, is_terminated: bool) {
        let is_batch = line.first() == Some(&b'[');
        for part in parts(&line) {
            let (method, id, params) = (part["method"].as_str().unwrap_or(""), part["id"].to_string(), &part["params"]);
            let name = params["session"].as_str();
            match (method, name) {
                ("session/open", None) => self.is_unnamed = true,
                ("session/open", Some(name)) if !self.has(name) => {
                    self.adopt(name);
                    self.opening.insert(id, name.to_string());
                }
                ("session/close", name) if part.get("id").is_none() => self.close(name),
                ("session/close", name) => drop(self.closing.insert(id, name.map(str::to_string))),
                // The view guesses the name that the engine gives.
                (_, Some(name)) if self.is_unnamed => self.adopt(name),
                _ => {}
            }
            // The client itself sends no batches.
            let mut state = self.engine.shared.lock();
            if let (true, Some(session)) = (is_batch, name.and_then(|name| state.sessions.get_mut(name))) {
                session.form.record(method, params);
            }
        }
        let mut state = self.engine.shared.lock();
        if is_terminated {
            state.write(line);
        } else {
            state.outgoing.as_ref().map(|outgoing| outgoing.send(line));
        }
    }

    fn takes(&mut self, line: &[u8]) {
        for part in parts(line) {
            let (is_answer, id, name) = (part.get("method").is_none(), part["id"].to_string(), part["params"]["session"].as_str());
            if let (true, Some(name)) = (part["method"] == "session/update" && !part["params"]["commands"].is_null(), name) {
                self.adopt(name);
                self.is_unnamed = false;
            }
            self.engine.shared.receive(part.to_string().as_bytes());
            if let (true, Some(name)) = (is_answer && part.get("error").is_none(), self.closing.get(&id)) {
                self.close(name.as_deref());
            }
            if let (true, Some(name)) = (is_answer && part.get("error").is_some(), self.opening.get(&id)) {
                if self.engine.shared.lock().sessions.get(name).map_or(false, |it| it.form.revision == 0) {
                    self.close(Some(name));
                }
            }
        }
    }
}

fn play(path: &Path) -> Tally {
    let mut command = Command::new(std::env::var("LOGIN_ENGINE").expect("LOGIN_ENGINE names the engine"));
    // The paths of flows are relative to this folder.
    command.args(["mock", "--timeout", "60"]).arg(path).current_dir(Path::new(FOLDER).join("../.."));
    let (sender, received) = channel();
    let (taken, is_taken) = channel();
    // The reader waits, so that it does not reach the end and close the sessions before the player has taken a line.
    let receive = move |_: &crate::engine::Shared, line: &[u8]| {
        let _ = sender.send(line.to_vec());
        let _ = is_taken.recv();
    };
    let engine = Engine::start_with(&mut command, receive).unwrap();
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut player = Player { engine, opening: HashMap::new(), closing: HashMap::new(), is_unnamed: false, tally: tally.clone() };
    for text in std::fs::read_to_string(path).unwrap().lines().filter(|line| !line.trim().is_empty()) {
        let step: Step = serde_json::from_str(text).unwrap();
        if let Some(line) = step.line(text.trim()) {
            player.sends(line, !step.unterminated);
        }
        if step.end || step.unterminated {
            player.engine.shared.lock().outgoing = None;
        }
        if step.out.is_some() {
            match received.recv() {
                Ok(line) => player.takes(&line),
                Err(_) => break,
            }
            let _ = taken.send(());
        }
    }
    player.engine.shared.lock().outgoing = None;
    for line in received {
        player.takes(&line);
        let _ = taken.send(());
    }
    let status = player.engine.close().unwrap();
    let mut tally = std::mem::take(&mut *tally.lock().unwrap());
    if !status.success() {
        tally.failures.push(format!("the mock ended with {status}"));
    }
    tally
}

#[test]
fn transcripts() {
    let folders = std::fs::read_dir(FOLDER).unwrap().filter_map(|it| std::fs::read_dir(it.unwrap().path()).ok());
    let mut paths: Vec<PathBuf> = folders.flatten().map(|it| it.unwrap().path()).filter(|it| it.extension().map_or(false, |it| it == "jsonl")).collect();
    paths.sort();
    let (count, queue) = (paths.len(), Arc::new(Mutex::new(paths)));
    // Mocks sometimes wait for a timer, so several run at once.
    let players = (0..12).map(|_| {
        let queue = queue.clone();
        thread::spawn(move || {
            let (mut updates, mut failures) = (0, vec![]);
            let next = || queue.lock().unwrap().pop();
            while let Some(path) = next() {
                let tally = play(&path);
                updates += tally.updates;
                failures.extend(tally.failures.into_iter().map(|it| format!("FAILED: {}: {it}", path.display())));
            }
            (updates, failures)
        })
    });
    let results: Vec<_> = players.collect::<Vec<_>>().into_iter().map(|it| it.join().unwrap()).collect();
    let failures: Vec<String> = results.iter().flat_map(|it| it.1.clone()).collect();
    let updates: usize = results.iter().map(|it| it.0).sum();
    println!("transcripts: {} passed, with {updates} updates", count - failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count >= 385 && updates > 2000);
}
