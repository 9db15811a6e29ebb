//! What the engine shows: a snapshot as a JSON document, which keeps the members that a later version of the protocol adds.

use serde_json::{json, Value};

/// Carries out a command: protocol/commands.md. Returns false, and does nothing, for a command of a later version.
pub fn apply(shown: &mut Value, command: &Value) -> bool {
    match command["command"].as_str().unwrap_or("") {
        "showScreen" => {
            *shown = json!({"activity": false, "error": null, "notice": null, "alert": null, "scene": null, "retryAt": null, "focus": null});
            set(shown, command);
        }
        "setState" | "setRetryAt" | "setFocus" | "showError" | "showNotice" | "showAlert" | "showScene" => set(shown, command),
        "hideError" => shown["error"] = Value::Null,
        "hideNotice" => shown["notice"] = Value::Null,
        "hideAlert" => shown["alert"] = Value::Null,
        "showActivity" => shown["activity"] = true.into(),
        "hideActivity" => shown["activity"] = false.into(),
        "setItem" => change_item(shown, &command["item"], |items, at| set(&mut items[at], command)),
        "removeItem" => change_item(shown, &command["item"], remove),
        "insertItem" => change(&mut shown["sections"], &command["section"], |sections, at| {
            insert(&mut sections[at]["items"], &command["index"], &command["newItem"])
        }),
        "insertSection" => insert(&mut shown["sections"], &command["index"], &command["newSection"]),
        "removeSection" => change(&mut shown["sections"], &command["section"], remove),
        "setAction" => change(&mut shown["actions"], &command["action"], |actions, at| set(&mut actions[at], command)),
        "replaceAction" => change(&mut shown["actions"], &command["action"], |actions, at| actions[at] = command["newAction"].clone()),
        _ => return false,
    }
    true
}

/// Enters an edit that the engine has counted. An item without a value stays as it is.
pub fn enter(shown: &mut Value, item: &str, value: &Value) {
    change_item(shown, &item.into(), |items, at| {
        if items[at].get("filled").is_some() {
            items[at]["filled"] = (value != "").into();
        } else if items[at].get("value").is_some() {
            items[at]["value"] = value.clone();
        }
    });
}

/// Sets the members of a command in a part, except those that only name the part.
fn set(part: &mut Value, command: &Value) {
    for (name, value) in command.as_object().into_iter().flatten() {
        if !["command", "item", "action"].contains(&name.as_str()) {
            part[name] = value.clone();
        }
    }
}

fn change_item(shown: &mut Value, id: &Value, by: impl Fn(&mut Vec<Value>, usize)) {
    for section in shown["sections"].as_array_mut().into_iter().flatten() {
        change(&mut section["items"], id, &by);
    }
}

fn change(parts: &mut Value, id: &Value, by: impl Fn(&mut Vec<Value>, usize)) {
    if let Some(parts) = parts.as_array_mut() {
        if let Some(at) = parts.iter().position(|part| part["id"] == *id) {
            by(parts, at);
        }
    }
}

fn insert(parts: &mut Value, index: &Value, part: &Value) {
    if let (Some(parts), Some(index)) = (parts.as_array_mut(), index.as_u64()) {
        parts.insert(parts.len().min(index as usize), part.clone());
    }
}

fn remove(parts: &mut Vec<Value>, at: usize) {
    parts.remove(at);
}
