//! The state of a session by the rules of protocol/updates.md, "Typing fast".

use crate::model;
use crate::wire::{Action, ActionRole, Item, SessionUpdateParams, Snapshot};
use serde_json::{from_value, json, Value};
use std::collections::HashMap;

/// What has happened to a session.
#[derive(Debug)]
pub enum Change {
    Updated {
        update: SessionUpdateParams,
        /// What the engine shows now, also if the detail is commands.
        snapshot: Snapshot,
        /// Whether the update's commands did not lead to its snapshot: a defect of the engine or of this crate.
        is_violation: bool,
    },
    /// An authenticator's secret for the application: keep it out of logs.
    Granted(Value),
    /// The session has ended: `idleTimeout`, `refused`, or `ended` if the engine has ended.
    Closed(String),
    /// This version of the crate cannot read the update.
    Unreadable(serde_json::Error),
}

pub(crate) struct Form {
    pub model: Value,
    pub snapshot: Option<Snapshot>,
    pub revision: i64,
    sent: i64,
    counted: i64,
    /// The number of the last event that is no edit.
    pressed: i64,
    under_way: Vec<(i64, String, Value)>,
    /// The number of an item's last edit, and what its field holds.
    drafts: HashMap<String, (i64, Value)>,
}

impl Form {
    pub fn new() -> Self {
        Self {
            model: json!({}),
            snapshot: None,
            revision: 0,
            sent: 0,
            counted: 0,
            pressed: 0,
            under_way: Vec::new(),
            drafts: HashMap::new(),
        }
    }

    /// Whether the engine has counted everything that was sent.
    pub fn is_level(&self) -> bool {
        self.counted >= self.sent && self.revision > 0
    }

    pub fn has_pressed(&self) -> bool {
        self.pressed > self.counted
    }

    pub fn primary(&self) -> Option<&Action> {
        self.snapshot.as_ref()?.actions.iter().find(|action| action.role == ActionRole::Primary)
    }

    /// Returns what a field holds: null for a secret that the engine has and that was not typed here.
    pub fn value(&self, item: &Item) -> Value {
        match self.drafts.get(item.id()) {
            Some((_, value)) => value.clone(),
            None => held(&serde_json::to_value(item).unwrap_or_default(), &Value::Null),
        }
    }

    /// Numbers an event that is sent.
    pub fn record(&mut self, method: &str, params: &Value) {
        if !["session/edit", "session/press", "session/submit"].contains(&method) {
            return;
        }
        self.sent += 1;
        if method != "session/edit" {
            self.pressed = self.sent;
        } else if let Some(item) = params["item"].as_str() {
            self.under_way.push((self.sent, item.to_string(), params["value"].clone()));
            self.drafts.insert(item.to_string(), (self.sent, params["value"].clone()));
        }
    }

    /// Applies an update, and says whether it shows a new screen.
    pub fn update(&mut self, mut params: Value) -> (Change, bool) {
        let revision = params["revision"].as_i64().unwrap_or(0);
        // Only the answer to a refused event repeats the revision.
        self.take(params["events"].as_i64().unwrap_or(0), revision == self.revision);
        self.revision = revision;
        let commands = params["commands"].as_array();
        let (mut is_known, mut is_shown, mut is_violation) = (commands.is_some(), false, false);
        for command in commands.into_iter().flatten() {
            is_known &= model::apply(&mut self.model, command);
            is_shown |= command["command"] == "showScreen";
        }
        if let Some(snapshot) = params.get("snapshot") {
            is_violation = is_known && self.model != *snapshot;
            self.model = snapshot.clone();
        }
        let before = self.snapshot.take();
        let read = from_value(params.take()).and_then(|update| Ok((update, from_value::<Snapshot>(self.model.clone())?)));
        let (update, snapshot) = match read {
            Ok(both) => both,
            Err(error) => return (Change::Unreadable(error), true),
        };
        let is_new = before.map_or(true, |it| it.screen != snapshot.screen || is_shown && it.locale == snapshot.locale);
        self.settle(is_new || snapshot.scene.is_some());
        self.snapshot = Some(snapshot.clone());
        (Change::Updated { update, snapshot, is_violation }, is_new)
    }

    /// Notes how many events the engine has counted. It has accepted their edits, except the last event if that was refused.
    fn take(&mut self, events: i64, is_refusal: bool) {
        self.counted = events;
        for (number, item, value) in &self.under_way {
            if *number < events || *number == events && !is_refusal {
                model::enter(&mut self.model, item, value);
            } else if *number == events && self.drafts.get(item).map_or(false, |draft| draft.0 == events) {
                self.drafts.insert(item.clone(), (events, Value::Null));
            }
        }
        self.under_way.retain(|edit| edit.0 > events);
    }

    /// Keeps the user's input where the user is ahead. The other fields hold what the engine has, and a filled secret its text.
    fn settle(&mut self, is_new: bool) {
        let sections = self.model["sections"].as_array().into_iter().flatten();
        let items = sections.flat_map(|section| section["items"].as_array().into_iter().flatten());
        let mut kept = HashMap::new();
        for item in items {
            let id = item["id"].as_str().unwrap_or("");
            if let Some((number, value)) = self.drafts.remove(id) {
                if !is_new || item["filled"] == true {
                    let value = if number > self.counted { value } else { held(item, &value) };
                    kept.insert(id.to_string(), (number, value));
                }
            }
        }
        self.drafts = kept;
    }
}

/// Returns what a field holds once the engine has counted its edits. Only the field knows the text of a secret.
fn held(item: &Value, text: &Value) -> Value {
    match item.get("filled") {
        None => item["value"].clone(),
        Some(filled) => if filled == true { text.clone() } else { "".into() },
    }
}
