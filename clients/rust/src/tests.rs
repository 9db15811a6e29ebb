use crate::wire::*;
use crate::{Change, Engine, Error, Session};
use serde_json::{json, Value};
use std::process::Command;
use std::sync::{Arc, Mutex};

fn begin() -> Engine {
    let mut command = Command::new(std::env::var("LOGIN_ENGINE").expect("LOGIN_ENGINE names the engine"));
    Engine::start(command.args(["--log-level", "error", "--authenticator", "demo"])).unwrap()
}

fn open(engine: &Engine, detail: Detail) -> (Session, Arc<Mutex<()>>) {
    let params = SessionOpenParams { session: Some("s".to_string()), detail: Some(detail), ..Default::default() };
    // While a test has the gate, no further update is read.
    let gate = Arc::new(Mutex::new(()));
    let opened = gate.clone();
    let listener = move |change| {
        assert!(!matches!(change, Change::Updated { is_violation: true, .. } | Change::Unreadable(_)));
        drop(opened.lock());
    };
    (engine.open(params, listener).unwrap(), gate)
}

fn item(snapshot: &Snapshot, index: usize) -> &Item {
    &snapshot.sections[0].items[index]
}

#[test]
fn a_press_is_held_back() {
    for detail in [Detail::Full, Detail::Commands, Detail::Snapshot] {
        let engine = begin();
        let (session, gate) = open(&engine, detail);
        session.edit("email", "ada@example.com");
        session.edit("password", "wrong");
        session.press(None).wait().unwrap();
        let snapshot = session.wait(|it| it.error.is_some()).unwrap();
        assert_eq!(session.value(item(&snapshot, 1)), "wrong");
        let closed = gate.lock().unwrap();
        session.edit("password", "right");
        let (first, second) = (session.press(None), session.press(None));
        drop(closed);
        assert!(first.wait().is_ok() && matches!(second.wait(), Err(Error::Dropped)));
        assert_eq!(session.wait(|it| it.scene.is_some()).unwrap().scene.unwrap().principal.unwrap(), "ada@example.com");
        session.close().unwrap();
        assert!(engine.close().unwrap().success());
    }
}

#[test]
fn drafts_are_kept_until_they_are_counted() {
    let engine = begin();
    let (session, _) = open(&engine, Detail::Full);
    let snapshot = session.wait(|_| true).unwrap();
    let answer = session.edit("email", "ada");
    assert_eq!(session.value(item(&snapshot, 0)), "ada");
    answer.wait().unwrap();
    match session.edit("email", true).wait() {
        Err(Error::Refused(error)) => assert_eq!((error.code, error.data.code), (-32602, ErrorDataCode::InvalidParams)),
        other => panic!("{other:?}"),
    }
    assert_eq!(session.value(item(&session.wait(|_| true).unwrap(), 0)), "ada");
}

#[test]
fn requests_have_typed_results() {
    let engine = begin();
    assert_eq!(engine.call(&EngineDescribeParams::default()).wait().unwrap().name, "login-engine");
    let (session, _) = open(&engine, Detail::Full);
    let again = engine.open(SessionOpenParams { session: Some("s".to_string()), ..Default::default() }, |_| {});
    assert!(matches!(again.err(), Some(Error::Refused(error)) if error.data.code == ErrorDataCode::SessionExists));
    let values = [("email", "ada@example.com"), ("password", "right")].map(|(item, value)| (item.to_string(), value.into()));
    let params = SessionSubmitParams { session: Some("s".to_string()), values: Some(values.into()), ..Default::default() };
    assert_eq!(engine.call(&params).wait().unwrap().outcome, Some(Outcome::Accepted));
    engine.call(&SessionCloseParams { session: Some("s".to_string()) }).wait().unwrap();
    assert!(matches!(session.edit("email", "x").wait(), Err(Error::Refused(error)) if error.data.code == ErrorDataCode::UnknownSession));
}

#[test]
fn an_engine_that_ends_closes_everything() {
    let engine = Engine::start(&mut Command::new("/bin/false")).unwrap();
    assert!(matches!(engine.open(SessionOpenParams::default(), |_| {}).err(), Some(Error::Closed)));
    assert!(!engine.close().unwrap().success());
    assert!(Engine::start(&mut Command::new("/nonexistent")).is_err());
}

#[test]
fn later_versions_can_be_read() {
    let mut form = crate::form::Form::new();
    let (change, _) = form.update(json!({"session": "s", "revision": 1, "events": 0, "later": 1, "commands": [
        {"command": "showScreen", "screen": "a", "state": "later", "title": "", "locale": "en", "direction": "ltr", "actions": [],
         "sections": [{"id": "s", "items": [{"id": "i", "kind": "later", "title": "T", "new": [1]}]}]},
        {"command": "setItem", "item": "i", "new": [2]}, {"command": "later"}]}));
    let expected = json!({"id": "i", "kind": "later", "title": "T", "new": [2]});
    assert_eq!(form.model["sections"][0]["items"][0], expected);
    match change {
        Change::Updated { snapshot, .. } => assert_eq!((item(&snapshot, 0), &snapshot.state), (&Item::Unknown(expected), &State::Other("later".into()))),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_violation_is_reported_and_its_snapshot_is_shown() {
    let mut form = crate::form::Form::new();
    let snapshot = |state: &str| -> Value {
        json!({"screen": "a", "state": state, "title": "", "locale": "en", "direction": "ltr", "sections": [], "actions": [], "activity": false,
            "error": null, "notice": null, "alert": null, "scene": null, "retryAt": null, "focus": null})
    };
    form.update(json!({"session": "s", "revision": 1, "events": 0, "snapshot": snapshot("initial")}));
    let commands = json!([{"command": "setState", "state": "validated"}]);
    for (state, expected) in [("validated", false), ("initial", true)] {
        let (change, _) = form.update(json!({"session": "s", "revision": 2, "events": 0, "snapshot": snapshot(state), "commands": commands}));
        assert!(matches!(change, Change::Updated { is_violation, .. } if is_violation == expected));
        assert_eq!(form.model["state"], state);
    }
}
