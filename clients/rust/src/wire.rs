//! Generated from protocol/openrpc.json by clients/types. Do not edit.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{from_value, Value};
use std::collections::BTreeMap;

/// The params of a request.
pub trait Request: Serialize {
    const METHOD: &'static str;
    type Answer: DeserializeOwned;
}

/// Declares names, with `Other` for those of later versions.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
        #[serde(from = "String", into = "String")]
        pub enum $name {
            $($variant,)*
            Other(String),
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                match text.as_str() {
                    $($text => Self::$variant,)*
                    _ => Self::Other(text),
                }
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                match name {
                    $($name::$variant => $text.to_string(),)*
                    $name::Other(text) => text,
                }
            }
        }
    };
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    pub factor: String,
    /// When the factor was verified, in milliseconds since 1970 (UTC).
    pub at: i64,
}

names! {
    /// What updates contain: the snapshot, the commands, or both (full).
    Detail {
        Snapshot = "snapshot",
        Full = "full",
        Commands = "commands",
    }
}

names! {
    /// The result of a request: an authenticator's answer; failed: no authenticator decided; invalid: the values do not meet the rules, and none
    /// was asked; cancelled; closed.
    Outcome {
        Accepted = "accepted",
        Rejected = "rejected",
        Throttled = "throttled",
        Challenge = "challenge",
        Notice = "notice",
        Failed = "failed",
        Invalid = "invalid",
        Cancelled = "cancelled",
        Closed = "closed",
    }
}

names! {
    Severity {
        Info = "info",
        Success = "success",
        Warning = "warning",
        Error = "error",
    }
}

/// A message to the user.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub code: String,
    /// In the session's language.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<BTreeMap<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
}

names! {
    State {
        Initial = "initial",
        Unvalidated = "unvalidated",
        Validated = "validated",
        RequestPending = "requestPending",
        RequestFailed = "requestFailed",
        RequestSucceeded = "requestSucceeded",
    }
}

names! {
    /// unknown until the user edits the item or tries to submit.
    Validity {
        Unknown = "unknown",
        Valid = "valid",
        Invalid = "invalid",
    }
}

names! {
    Emphasis {
        Normal = "normal",
        Subdued = "subdued",
        Prominent = "prominent",
        Critical = "critical",
    }
}

names! {
    Keyboard {
        Text = "text",
        Ascii = "ascii",
        Email = "email",
        Number = "number",
        Phone = "phone",
        Url = "url",
    }
}

names! {
    EnterKey {
        Enter = "enter",
        Done = "done",
        Go = "go",
        Next = "next",
        Previous = "previous",
        Search = "search",
        Send = "send",
    }
}

/// A text input whose value the view knows.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlainInput {
    pub id: String,
    pub kind: String,
    /// A complete date has the form YYYY-MM-DD. While the user types, the value can be any text.
    pub input_type: PlainInputInputType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyboard: Option<Keyboard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autofill: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enter_key: Option<EnterKey>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    pub value: Option<String>,
    /// The input is never editable. Absent from all other inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    pub editable: bool,
    pub validity: Validity,
    pub messages: Vec<Message>,
}

names! {
    PlainInputInputType {
        Text = "text",
        Email = "email",
        Date = "date",
    }
}

/// A text input whose value the view never receives. filled says whether there is a value.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SecretInput {
    pub id: String,
    pub kind: String,
    pub input_type: SecretInputInputType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyboard: Option<Keyboard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autofill: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enter_key: Option<EnterKey>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    pub filled: bool,
    pub editable: bool,
    pub validity: Validity,
    pub messages: Vec<Message>,
}

names! {
    SecretInputInputType {
        Password = "password",
        NewPassword = "newPassword",
        OneTimeCode = "oneTimeCode",
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectionOption {
    pub id: String,
    pub title: String,
}

/// A choice of one option or none. It has validity and messages if it has rules or a check.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    pub id: String,
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// The number of options, if there are more than a snapshot contains. options then has only the selected one, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option_count: Option<i64>,
    pub options: Vec<SelectionOption>,
    pub value: Option<String>,
    pub editable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validity: Option<Validity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
}

/// On, off, or not set yet. It has validity and messages if it has rules.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Switch {
    pub id: String,
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    pub value: Option<bool>,
    pub editable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validity: Option<Validity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
}

/// A text to read.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Text {
    pub id: String,
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    pub title: String,
}

/// A link to a page outside the form.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    pub id: String,
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    pub title: String,
    pub url: String,
}

names! {
    CodeFormat {
        Qr = "qr",
        Plain = "plain",
    }
}

/// A text for another device or program, to scan, copy or read.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeItem {
    pub id: String,
    pub kind: String,
    pub format: CodeFormat,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub text: String,
}

/// An item of a type that only views know. It has validity and messages if it has rules.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct External {
    pub id: String,
    pub kind: String,
    pub r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emphasis: Option<Emphasis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// For views that do not know the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    pub value: Value,
    pub editable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validity: Option<Validity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Item {
    PlainInput(PlainInput),
    SecretInput(SecretInput),
    Selection(Selection),
    Switch(Switch),
    Text(Text),
    Link(Link),
    CodeItem(CodeItem),
    External(External),
    /// Of a later version.
    Unknown(Value),
}

impl Item {
    pub fn id(&self) -> &str {
        match self {
            Self::PlainInput(it) => &it.id,
            Self::SecretInput(it) => &it.id,
            Self::Selection(it) => &it.id,
            Self::Switch(it) => &it.id,
            Self::Text(it) => &it.id,
            Self::Link(it) => &it.id,
            Self::CodeItem(it) => &it.id,
            Self::External(it) => &it.id,
            Self::Unknown(it) => it["id"].as_str().unwrap_or(""),
        }
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = match value["kind"].as_str().unwrap_or("") {
            "input" if value.get("value").is_some() => from_value(value.clone()).map(Self::PlainInput),
            "input" if value.get("filled").is_some() => from_value(value.clone()).map(Self::SecretInput),
            "selection" => from_value(value.clone()).map(Self::Selection),
            "switch" => from_value(value.clone()).map(Self::Switch),
            "text" => from_value(value.clone()).map(Self::Text),
            "link" => from_value(value.clone()).map(Self::Link),
            "code" => from_value(value.clone()).map(Self::CodeItem),
            "external" => from_value(value.clone()).map(Self::External),
            _ => return Ok(Self::Unknown(value)),
        };
        Ok(read.unwrap_or(Self::Unknown(value)))
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub items: Vec<Item>,
}

/// The button. Its id says what it does now.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PrimaryAction {
    pub id: String,
    pub title: String,
    pub role: String,
    pub enabled: bool,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    pub id: String,
    pub title: String,
    pub role: ActionRole,
    pub enabled: bool,
    /// Only for links that make requests: set while only a throttle disables the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<RetryTime>,
}

names! {
    ActionRole {
        Primary = "primary",
        Link = "link",
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AlertAction {
    pub id: String,
    pub title: String,
    pub role: AlertActionRole,
    pub enabled: bool,
}

names! {
    AlertActionRole {
        Dismiss = "dismiss",
        Destructive = "destructive",
    }
}

/// A message that the user must dismiss first.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    pub id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The texts of all messages, one per line.
    pub text: String,
    pub messages: Vec<Message>,
    pub actions: Vec<AlertAction>,
}

/// What the application shows after the form: its scene of this name.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// The authenticator's data, unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<BTreeMap<String, Value>>,
    /// The values of the form's plain items, by item id.
    pub values: BTreeMap<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<Vec<Proof>>,
}

names! {
    /// The writing direction of the language.
    Direction {
        Ltr = "ltr",
        Rtl = "rtl",
    }
}

/// When the next request is possible.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetryTime {
    /// Milliseconds since 1970 (UTC).
    pub at: i64,
    /// The whole duration of the throttle in milliseconds, not the remaining time.
    pub after_ms: i64,
}

/// Where the keyboard focus belongs.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Focus {
    /// The id of an item, the primary action or an alert's action.
    pub on: String,
    pub since: i64,
}

/// Everything that the view shows.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    pub screen: String,
    pub state: State,
    pub title: String,
    pub locale: String,
    pub direction: Direction,
    pub sections: Vec<Section>,
    pub actions: Vec<Action>,
    pub activity: bool,
    pub error: Option<Message>,
    pub notice: Option<Message>,
    pub alert: Option<Alert>,
    pub scene: Option<Scene>,
    pub retry_at: Option<RetryTime>,
    pub focus: Option<Focus>,
}

/// Replaces everything. activity becomes false, and error, notice, alert, scene, retryAt and focus become null until a later command sets them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowScreen {
    pub command: String,
    pub screen: String,
    pub state: State,
    pub title: String,
    pub locale: String,
    pub direction: Direction,
    pub sections: Vec<Section>,
    pub actions: Vec<Action>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetState {
    pub command: String,
    pub state: State,
}

/// Sets some members of an item.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetItem {
    pub command: String,
    pub item: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// For a selection with optionCount: the selected option, or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<SelectionOption>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub editable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validity: Option<Validity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
}

/// Sets some members of an action.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAction {
    pub command: String,
    pub action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<RetryTime>,
}

/// Replaces an action with another.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplaceAction {
    pub command: String,
    pub action: String,
    pub new_action: PrimaryAction,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InsertSection {
    pub command: String,
    pub index: i64,
    pub new_section: Section,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoveSection {
    pub command: String,
    pub section: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InsertItem {
    pub command: String,
    pub section: String,
    pub index: i64,
    pub new_item: Item,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoveItem {
    pub command: String,
    pub item: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlainCommand {
    pub command: PlainCommandCommand,
}

names! {
    PlainCommandCommand {
        ShowActivity = "showActivity",
        HideActivity = "hideActivity",
        HideError = "hideError",
        HideNotice = "hideNotice",
        HideAlert = "hideAlert",
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowError {
    pub command: String,
    pub error: Message,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowNotice {
    pub command: String,
    pub notice: Message,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowAlert {
    pub command: String,
    pub alert: Alert,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowScene {
    pub command: String,
    pub scene: Scene,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetRetryAt {
    pub command: String,
    pub retry_at: Option<RetryTime>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetFocus {
    pub command: String,
    pub focus: Option<Focus>,
}

/// One change. An update's commands together turn what the view shows into the new snapshot.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Command {
    ShowScreen(ShowScreen),
    SetState(SetState),
    SetItem(SetItem),
    SetAction(SetAction),
    ReplaceAction(ReplaceAction),
    InsertSection(InsertSection),
    RemoveSection(RemoveSection),
    InsertItem(InsertItem),
    RemoveItem(RemoveItem),
    PlainCommand(PlainCommand),
    ShowError(ShowError),
    ShowNotice(ShowNotice),
    ShowAlert(ShowAlert),
    ShowScene(ShowScene),
    SetRetryAt(SetRetryAt),
    SetFocus(SetFocus),
    /// Of a later version.
    Unknown(Value),
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = match value["command"].as_str().unwrap_or("") {
            "showScreen" => from_value(value.clone()).map(Self::ShowScreen),
            "setState" => from_value(value.clone()).map(Self::SetState),
            "setItem" => from_value(value.clone()).map(Self::SetItem),
            "setAction" => from_value(value.clone()).map(Self::SetAction),
            "replaceAction" => from_value(value.clone()).map(Self::ReplaceAction),
            "insertSection" => from_value(value.clone()).map(Self::InsertSection),
            "removeSection" => from_value(value.clone()).map(Self::RemoveSection),
            "insertItem" => from_value(value.clone()).map(Self::InsertItem),
            "removeItem" => from_value(value.clone()).map(Self::RemoveItem),
            "showActivity" | "hideActivity" | "hideError" | "hideNotice" | "hideAlert" => from_value(value.clone()).map(Self::PlainCommand),
            "showError" => from_value(value.clone()).map(Self::ShowError),
            "showNotice" => from_value(value.clone()).map(Self::ShowNotice),
            "showAlert" => from_value(value.clone()).map(Self::ShowAlert),
            "showScene" => from_value(value.clone()).map(Self::ShowScene),
            "setRetryAt" => from_value(value.clone()).map(Self::SetRetryAt),
            "setFocus" => from_value(value.clone()).map(Self::SetFocus),
            _ => return Ok(Self::Unknown(value)),
        };
        Ok(read.unwrap_or(Self::Unknown(value)))
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionUpdateParams {
    pub session: String,
    pub revision: i64,
    /// How many edits, presses and submits the engine has taken from the view, including refused ones.
    pub events: i64,
    /// Absent with detail: commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Snapshot>,
    /// Absent with detail: snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<Command>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRefusedParams {
    /// The name in the refused notification.
    pub session: String,
    pub method: String,
    pub error: Error,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionClosedParams {
    pub session: String,
    pub reason: SessionClosedReason,
}

names! {
    SessionClosedReason {
        IdleTimeout = "idleTimeout",
        Refused = "refused",
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionGrantedParams {
    pub session: String,
    /// Any JSON value except null, as the authenticator wrote it.
    pub secret: Value,
}

/// The result of session/edit, session/press, session/presented and session/locale.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RevisionResult {
    pub revision: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenResult {
    pub session: String,
    pub revision: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotResult {
    pub session: String,
    pub revision: i64,
    /// How many updates still wait to be written after this snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued: Option<i64>,
    pub events: i64,
    pub snapshot: Snapshot,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SaveResult {
    pub saved: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmitResult {
    pub session: String,
    pub revision: i64,
    pub events: i64,
    /// Absent if the call made no request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    pub snapshot: Snapshot,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionsResult {
    pub session: String,
    pub item: String,
    pub options: Vec<SelectionOption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    pub session: String,
    pub flow: String,
    pub screen: String,
    pub state: State,
    pub revision: i64,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListResult {
    pub sessions: Vec<ListedSession>,
    /// The cursor of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

/// The result of session/close and $/cancelRequest.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CloseResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribedFlow {
    pub flow: String,
    pub screens: Vec<String>,
    pub locales: Vec<String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    pub max_sessions: i64,
    pub max_line_bytes: i64,
    pub max_value_bytes: i64,
    pub max_batch_entries: i64,
    pub max_batch_reply_bytes: i64,
    /// 0 means never.
    pub idle_timeout_ms: i64,
}

/// An authenticator: what it decides, and its own description if it has given one.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribedAuthenticator {
    /// The requests that it decides, as in --authenticator WHICH=WHAT; * stands for all others.
    pub r#for: String,
    pub kind: DescribedAuthenticatorKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<Vec<String>>,
}

names! {
    DescribedAuthenticatorKind {
        Accounts = "accounts",
        Command = "command",
        Frontend = "frontend",
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribeResult {
    pub name: String,
    pub version: String,
    pub protocol: String,
    pub flows: Vec<DescribedFlow>,
    pub limits: Limits,
    pub features: Vec<DescribeResultFeatures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authenticators: Option<Vec<DescribedAuthenticator>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<String>>,
}

names! {
    DescribeResultFeatures {
        Lockstep = "lockstep",
        ManualClock = "manualClock",
    }
}

/// Counters since the start of the run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatsResult {
    pub sessions: SessionCounts,
    pub attempts: AttemptCounts,
    pub outcomes: OutcomeCounts,
    pub latencies: Latencies,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionCounts {
    /// The current number.
    pub open: i64,
    /// Since the start of the run.
    pub opened: i64,
}

/// Counts of questions to authenticators.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptCounts {
    /// The current number.
    pub open: i64,
    pub asked: i64,
    /// Including failures such as timeouts.
    pub answered: i64,
    /// Cancelled because the answer was no longer needed.
    pub cancelled: i64,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCounts {
    pub accepted: i64,
    /// Including challenges with an error.
    pub rejected: i64,
    pub throttled: i64,
    pub challenge: i64,
    pub notice: i64,
    /// No authenticator decided.
    pub failed: i64,
}

/// The times of answers in milliseconds by the engine's clock.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Latencies {
    pub sum_ms: i64,
    pub longest_ms: i64,
    pub buckets: Vec<LatencyBucket>,
}

/// The number of answers within upToMs. The bucket without upToMs counts all answers.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LatencyBucket {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to_ms: Option<i64>,
    pub count: i64,
}

/// Why the engine refused a message. For an edit, press or submit in an open session, data has events, the number of the event.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Error {
    pub code: i64,
    /// What to do, for developers.
    pub message: String,
    pub data: ErrorData,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorData {
    pub code: ErrorDataCode,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The position in the line, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<i64>,
    /// The param at fault. For one of several values: values.ITEM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<ErrorDataAccepted>,
    /// The unknown name, if it is valid as a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flows: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screens: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub awaited: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<ErrorDataLimit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<i64>,
}

names! {
    ErrorDataCode {
        ParseError = "parseError",
        InvalidRequest = "invalidRequest",
        MethodNotFound = "methodNotFound",
        InvalidParams = "invalidParams",
        UnknownSession = "unknownSession",
        SessionExists = "sessionExists",
        NotAccepted = "notAccepted",
        StaleRevision = "staleRevision",
        UnknownItem = "unknownItem",
        UnknownAction = "unknownAction",
        UnknownFlow = "unknownFlow",
        UnknownScreen = "unknownScreen",
        Presenting = "presenting",
        NotEditable = "notEditable",
        LimitExceeded = "limitExceeded",
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDataAccepted {
    pub items: Vec<String>,
    pub actions: Vec<String>,
}

names! {
    ErrorDataLimit {
        MaxSessions = "maxSessions",
        MaxLineBytes = "maxLineBytes",
        MaxValueBytes = "maxValueBytes",
        MaxBatchReplyBytes = "maxBatchReplyBytes",
        MaxExternalBytes = "maxExternalBytes",
        MaxExternalDepth = "maxExternalDepth",
        MaxContextBytes = "maxContextBytes",
        MaxContextDepth = "maxContextDepth",
        MaxOpeningSecrets = "maxOpeningSecrets",
        MaxSavedCount = "maxSavedCount",
        MaxSavedEntries = "maxSavedEntries",
    }
}

/// The params of `engine/describe`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EngineDescribeParams {
    /// The protocol version that the view was written for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
}

impl Request for EngineDescribeParams {
    const METHOD: &'static str = "engine/describe";
    type Answer = DescribeResult;
}

/// The params of `session/open`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionOpenParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// Initial values by item id. Secret items are not allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<Transitions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Default: snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<BTreeMap<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secrets: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports: Option<Vec<String>>,
    /// Can be combined only with session, detail, principal, context, secrets and protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<Value>,
    /// The protocol version that the view was written for. The engine ignores unknown params of a view written for a later version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
}

impl Request for SessionOpenParams {
    const METHOD: &'static str = "session/open";
    type Answer = OpenResult;
}

/// The params of `session/edit`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionEditParams {
    pub session: String,
    pub item: String,
    /// The whole new value: a string, a boolean or null; for an external item any JSON value.
    pub value: Value,
    /// The revision of the snapshot that the user saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
}

impl Request for SessionEditParams {
    const METHOD: &'static str = "session/edit";
    type Answer = RevisionResult;
}

/// The params of `session/press`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionPressParams {
    pub session: String,
    pub action: String,
    /// The revision of the snapshot that the user saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
}

impl Request for SessionPressParams {
    const METHOD: &'static str = "session/press";
    type Answer = RevisionResult;
}

/// The params of `session/submit`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionSubmitParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<BTreeMap<String, Value>>,
    /// Default: the primary action, if it is submit or retry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The revision of the snapshot that the user saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// The time limit for the authenticator, if shorter than the flow's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<Transitions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Default: snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<BTreeMap<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secrets: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
}

impl Request for SessionSubmitParams {
    const METHOD: &'static str = "session/submit";
    type Answer = SubmitResult;
}

/// The params of `session/presented`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionPresentedParams {
    pub session: String,
    pub revision: i64,
}

impl Request for SessionPresentedParams {
    const METHOD: &'static str = "session/presented";
    type Answer = RevisionResult;
}

/// The params of `session/options`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionOptionsParams {
    pub session: String,
    pub item: String,
    /// The revision of the snapshot that shows the selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
}

impl Request for SessionOptionsParams {
    const METHOD: &'static str = "session/options";
    type Answer = OptionsResult;
}

/// The params of `session/list`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionListParams {
    /// next from the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<i64>,
    /// Default: 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Request for SessionListParams {
    const METHOD: &'static str = "session/list";
    type Answer = ListResult;
}

/// The params of `session/locale`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionLocaleParams {
    pub session: String,
    /// A BCP 47 language tag.
    pub locale: String,
}

impl Request for SessionLocaleParams {
    const METHOD: &'static str = "session/locale";
    type Answer = RevisionResult;
}

/// The params of `session/close`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionCloseParams {
    /// Default: all sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

impl Request for SessionCloseParams {
    const METHOD: &'static str = "session/close";
    type Answer = CloseResult;
}

/// The params of `engine/stats`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct EngineStatsParams {}

impl Request for EngineStatsParams {
    const METHOD: &'static str = "engine/stats";
    type Answer = StatsResult;
}

/// The params of `session/save`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionSaveParams {
    pub session: String,
}

impl Request for SessionSaveParams {
    const METHOD: &'static str = "session/save";
    type Answer = SaveResult;
}

/// The params of `session/snapshot`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionSnapshotParams {
    pub session: String,
}

impl Request for SessionSnapshotParams {
    const METHOD: &'static str = "session/snapshot";
    type Answer = SnapshotResult;
}

names! {
    Transitions {
        Instant = "instant",
        Acknowledged = "acknowledged",
    }
}

names! {
    Policy {
        Queue = "queue",
        Latest = "latest",
        Reject = "reject",
    }
}
