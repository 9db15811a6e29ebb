//! A line-based view for login-engine, which draws as the views of clients/gallery do. Usage: view [--verify] [ENGINE [ARGUMENT ...]]

use login_engine::wire::{Item, Message, SessionOpenParams, SessionOptionsParams, Snapshot, Transitions};
use login_engine::{Answer, Change, Engine, Error, Session};
use serde_json::Value;
use std::collections::VecDeque;
use std::io::{stdin, stdout, BufRead, Write};
use std::process::{exit, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, Sender};

/// What a number stands for: an item, or the id of an action.
enum Choice {
    Item(Item),
    Action(String),
}

enum Event {
    /// A line from the person; none at the end of the input.
    Line(Option<String>),
    Change(Change),
}

struct View {
    events: Receiver<Event>,
    lines: VecDeque<Option<String>>,
    is_terminal: bool,
    is_verifying: bool,
    screen: Option<Snapshot>,
    /// The numbers of edits and presses that the view has sent, and that the screen reflects.
    sent: i64,
    counted: i64,
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_verifying = arguments.first().map_or(false, |it| it == "--verify");
    arguments.drain(..is_verifying as usize);
    let program = if arguments.is_empty() { "login-engine".to_string() } else { arguments.remove(0) };
    let (sender, events) = channel();
    read_person(sender.clone());
    let is_terminal = Command::new("stty").stdout(Stdio::null()).stderr(Stdio::null()).status().map_or(false, |it| it.success());
    let mut view = View { events, lines: VecDeque::new(), is_terminal, is_verifying, screen: None, sent: 0, counted: 0 };
    match Engine::start(Command::new(program).args(arguments)) {
        Ok(engine) => view.run(&engine, sender),
        Err(error) => view.end(1, &error.to_string()),
    }
}

fn read_person(sender: Sender<Event>) {
    std::thread::spawn(move || {
        for line in stdin().lock().split(b'\n').flatten() {
            let _ = sender.send(Event::Line(Some(String::from_utf8_lossy(&line).into_owned())));
        }
        sender.send(Event::Line(None))
    });
}

impl View {
    fn run(&mut self, engine: &Engine, sender: Sender<Event>) {
        let params = SessionOpenParams { session: Some("view".to_string()), transitions: Some(Transitions::Instant), ..Default::default() };
        let session = match engine.open(params, move |change| drop(sender.send(Event::Change(change)))) {
            Ok(session) => session,
            Err(Error::Refused(error)) => self.end(1, &error.message),
            Err(_) => self.end(1, "the engine has stopped"),
        };
        while self.screen.is_none() {
            self.follow();
        }
        loop {
            let screen = self.screen.clone().expect("there was an update");
            let choices = draw(&screen);
            if choices.is_empty() {
                self.end(0, "");
            }
            self.prompt("> ", true);
            let is_change = loop {
                // A script waits during a request; a person may choose.
                if !self.lines.is_empty() && (self.is_terminal || !screen.activity) {
                    break false;
                } else if self.follow() {
                    break true;
                }
            };
            if is_change {
                continue;
            }
            let line = self.read();
            match line.parse::<usize>().ok().filter(|it| line == it.to_string()).and_then(|number| choices.get(number.wrapping_sub(1))) {
                Some(choice) => self.choose(engine, &session, choice),
                None => say(&[&format!("! Type one number from 1 to {}.", choices.len())]),
            }
        }
    }

    /// Waits for a line or a change. Returns whether it was a change.
    fn follow(&mut self) -> bool {
        match self.events.recv().expect("the channel has a sender") {
            Event::Line(line) => {
                self.lines.push_back(line);
                return false;
            }
            Event::Change(Change::Updated { update, snapshot, is_violation }) => {
                if is_violation && self.is_verifying {
                    self.end(1, &format!("the commands do not lead to the snapshot of revision {}", update.revision));
                }
                (self.screen, self.counted) = (Some(snapshot), update.events);
            }
            Event::Change(Change::Closed(reason)) if reason == "ended" => self.end(1, "the engine has stopped"),
            Event::Change(Change::Closed(reason)) => self.end(1, &format!("the session has ended: {reason}")),
            Event::Change(Change::Unreadable(error)) => self.end(1, &error.to_string()),
            Event::Change(Change::Granted(_)) => {}
        }
        true
    }

    /// Returns a line from the person. The view ends at the end of the input.
    fn read(&mut self) -> String {
        while self.lines.is_empty() {
            self.follow();
        }
        match self.lines.pop_front().flatten() {
            Some(line) => line,
            None => self.end(self.screen.as_ref().map_or(true, |it| it.scene.is_none()) as i32, ""),
        }
    }

    fn prompt(&self, text: &str, echoes: bool) {
        if self.is_terminal {
            let _ = Command::new("stty").arg(if echoes { "echo" } else { "-echo" }).status();
        }
        print!("{text}");
        let _ = stdout().flush();
    }

    fn end(&self, status: i32, problem: &str) -> ! {
        self.prompt("\n", true);
        if !problem.is_empty() {
            eprintln!("{problem}");
        }
        exit(status)
    }

    /// Presses an action, or edits an item.
    fn choose(&mut self, engine: &Engine, session: &Session, choice: &Choice) {
        let answer = match choice {
            Choice::Action(action) => session.press(Some(action)),
            Choice::Item(item) => {
                let value: Value = match item {
                    Item::Switch(it) => (it.value != Some(true)).into(),
                    Item::Selection(it) => self.option(engine, session, &it.id),
                    _ => {
                        self.prompt("value: ", !matches!(item, Item::SecretInput(_)));
                        self.read().into()
                    }
                };
                session.edit(item.id(), value)
            }
        };
        self.sent += 1;
        self.show(answer);
        while self.counted < self.sent {
            self.follow();
        }
    }

    fn show<T: serde::de::DeserializeOwned>(&self, answer: Answer<T>) -> Option<T> {
        match answer.wait() {
            Ok(result) => return Some(result),
            Err(Error::Refused(error)) => say(&[&format!("! {}", error.message)]),
            Err(_) => self.end(1, "the engine has stopped"),
        }
        None
    }

    fn option(&mut self, engine: &Engine, session: &Session, item: &str) -> Value {
        let params = SessionOptionsParams { session: session.name.clone(), item: item.to_string(), revision: None };
        let options = self.show(engine.call(&params)).map_or(vec![], |it| it.options);
        for (index, option) in options.iter().enumerate() {
            say(&[&format!("   {}. {}", index + 1, option.title)]);
        }
        loop {
            self.prompt("value: ", true);
            let line = self.read();
            if line.is_empty() {
                return Value::Null;
            }
            if let Some((_, option)) = options.iter().enumerate().find(|(index, _)| line == (index + 1).to_string()) {
                return option.id.clone().into();
            }
            say(&[&format!("! Type one number from 1 to {}, or nothing for none.", options.len())]);
        }
    }
}

/// Prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line.
fn say(texts: &[&str]) {
    let is_harmful = |it: char| {
        it != '\n' && it.is_control() || ('\u{202a}'..='\u{202e}').contains(&it) || ('\u{2066}'..='\u{2069}').contains(&it)
    };
    let some: Vec<String> = texts.iter().filter(|it| !it.is_empty()).map(|it| it.replace(is_harmful, "\u{fffd}").replace('\n', "\n   ")).collect();
    println!("{}", some.join("\n   "));
}

/// Returns an item's title, value, hint and messages.
fn parts(item: &Item) -> (&str, String, &str, &[Message]) {
    fn text(text: &Option<String>) -> &str {
        text.as_deref().unwrap_or("")
    }
    let empty = |placeholder: &Option<String>, other: &str| format!("({})", placeholder.as_deref().unwrap_or(other));
    match item {
        Item::PlainInput(it) => {
            let other = if String::from(it.input_type.clone()) == "date" { "YYYY-MM-DD" } else { "–" };
            let value = it.value.clone().filter(|it| !it.is_empty()).unwrap_or_else(|| empty(&it.placeholder, other));
            (text(&it.title), value, text(&it.hint), &it.messages)
        }
        Item::SecretInput(it) => {
            let value = if it.filled { "********".to_string() } else { empty(&it.placeholder, "–") };
            (text(&it.title), value, text(&it.hint), &it.messages)
        }
        Item::Selection(it) => {
            let option = it.options.iter().find(|option| Some(&option.id) == it.value.as_ref());
            (text(&it.title), option.map_or("–", |it| &it.title).to_string(), text(&it.hint), it.messages.as_deref().unwrap_or(&[]))
        }
        Item::Switch(it) => {
            let value = if it.value == Some(true) { "[x]" } else { "[ ]" };
            (text(&it.title), value.to_string(), text(&it.hint), it.messages.as_deref().unwrap_or(&[]))
        }
        Item::Text(it) => (&it.title, String::new(), "", &[]),
        Item::Link(it) => (&it.title, it.url.clone(), "", &[]),
        Item::CodeItem(it) => (text(&it.title), it.text.clone(), "", &[]),
        Item::External(it) => (text(&it.title), text(&it.text).to_string(), text(&it.hint), it.messages.as_deref().unwrap_or(&[])),
        Item::Unknown(it) => (it["title"].as_str().unwrap_or(""), it["text"].as_str().unwrap_or("").to_string(), "", &[]),
    }
}

fn is_field(item: &Item) -> bool {
    match item {
        Item::PlainInput(it) => it.read_only.is_none(),
        Item::SecretInput(_) | Item::Selection(_) | Item::Switch(_) => true,
        _ => false,
    }
}

/// Prints a screen, and returns the choices, in the order of the numbers to type.
fn draw(screen: &Snapshot) -> Vec<Choice> {
    let mut choices = vec![];
    println!();
    match &screen.scene {
        Some(scene) => say(&[&format!("== scene: {}", scene.id), scene.principal.as_deref().unwrap_or("")]),
        None => say(&[&format!("== {}", screen.title)]),
    }
    if let Some(alert) = &screen.alert {
        say(&[alert.title.as_deref().unwrap_or(""), &format!("! {}", alert.text)]);
    }
    for message in [&screen.notice, &screen.error].into_iter().flatten() {
        say(&[&format!("! {}", message.text)]);
    }
    let sections: &[_] = if screen.alert.is_some() || screen.scene.is_some() { &[] } else { &screen.sections };
    for section in sections {
        if let Some(title) = &section.title {
            say(&[&format!("-- {title}")]);
        }
        for item in &section.items {
            let (title, value, hint, messages) = parts(item);
            let mut texts = vec![[title, &value].iter().filter(|it| !it.is_empty()).copied().collect::<Vec<_>>().join(": "), hint.to_string()];
            texts.extend(messages.iter().map(|it| format!("! {}", it.text)));
            if is_field(item) {
                choices.push(Choice::Item(item.clone()));
                texts[0] = format!("{}. {}", choices.len(), texts[0]);
            }
            say(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    let actions: Vec<(&String, &String, bool)> = match &screen.alert {
        Some(alert) => alert.actions.iter().map(|it| (&it.id, &it.title, it.enabled)).collect(),
        None => screen.actions.iter().map(|it| (&it.id, &it.title, it.enabled)).collect(),
    };
    for (id, title, is_enabled) in actions {
        if is_enabled || screen.scene.is_none() {
            choices.push(Choice::Action(id.clone()));
            say(&[&format!("{}. {}", choices.len(), if is_enabled { format!("[{title}]") } else { format!("({title})") })]);
        }
    }
    if screen.activity {
        say(&["..."]);
    }
    choices
}
