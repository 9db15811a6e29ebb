// Generated from protocol/openrpc.json by clients/types. Do not edit.

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The name of a flow, screen, section, item, option, action, scene, request, API key or text. */
export type Name = string;

/** The id of a request, echoed byte for byte in its response. */
export type RequestId = string | number | null;

/** How and when the user proved their identity. */
export type Proofs = Proof[];

/** Level: live. */
export interface Proof {
  factor: Factor;
  /** When the factor was verified, in milliseconds since 1970 (UTC). */
  at: number;
}

/** The name of a factor, such as the values of RFC 8176: pwd, otp, hwk. */
export type Factor = string;

/** Who is already logged in. The frontend has authenticated this user and vouches for it. At most 1,024 bytes. Not secret. */
export type Principal = string;

/** Information about the session for authenticators. Views do not show it. At most 4,096 bytes of compact JSON. Not secret. */
export type SessionContext = { [name: string]: Json };

/** The view's capabilities: types of external items, and restoreSecret. */
export type Supports = string[];

/** Secrets that the view gives to authenticators only, by name. */
export type OpeningSecrets = { [name: string]: string };

/** 1 to 128 bytes without control characters. */
export type SessionName = string;

export type Count = number;

/** Identifies what the session shows. It grows by one with each update, but not with one that only answers a refused event. */
export type Revision = number;

/** A number that an engine uses only once. A conversation keeps the number of its first question. */
export type Attempt = number;

/** A BCP 47 language tag. */
export type Locale = string;

/** What updates contain: the snapshot, the commands, or both (full). */
export type Detail = "snapshot" | "full" | "commands";

/** Params that the engine ignored because the view was written for a later version of the protocol. */
export type Ignored = Name[];

/**
 * The result of a request: an authenticator's answer; failed: no authenticator decided; invalid: the values do not meet the rules, and none was
 * asked; cancelled; closed.
 */
export type Outcome = "accepted" | "rejected" | "throttled" | "challenge" | "notice" | "failed" | "invalid" | "cancelled" | "closed";

export type ProtocolVersion = string;

/** The stable name of a message, for programs. */
export type Code = string;

/** Values for the placeholders of the text. */
export type MessageParams = { [name: string]: string | number };

export type Severity = "info" | "success" | "warning" | "error";

/** A message to the user. Level: minimal. */
export interface Message {
  code: Code;
  /** In the session's language. */
  text: string;
  params?: MessageParams;
  severity?: Severity;
}

export type Messages = Message[];

export type MessageOrNull = Message | null;

export type State = "initial" | "unvalidated" | "validated" | "requestPending" | "requestFailed" | "requestSucceeded";

/** unknown until the user edits the item or tries to submit. */
export type Validity = "unknown" | "valid" | "invalid";

export type TextOrNull = string | null;

export type Emphasis = "normal" | "subdued" | "prominent" | "critical";

export type Keyboard = "text" | "ascii" | "email" | "number" | "phone" | "url";

export type EnterKey = "enter" | "done" | "go" | "next" | "previous" | "search" | "send";

/** Tokens of HTML's autocomplete, separated by single spaces. */
export type Autofill = string;

/** An accessible description. */
export type Hint = string;

/** true if a rule requires a value; otherwise absent. */
export type Required = true;

/** A number of Unicode scalars. */
export type Length = number;

/** A regular expression with the same meaning in HTML's pattern attribute. */
export type SharedPattern = string;

/** A text input whose value the view knows. Level: minimal. */
export interface PlainInput {
  id: Name;
  kind: "input";
  /** A complete date has the form YYYY-MM-DD. While the user types, the value can be any text. */
  inputType: "text" | "email" | "date";
  keyboard?: Keyboard;
  autofill?: Autofill;
  enterKey?: EnterKey;
  emphasis?: Emphasis;
  title?: string;
  placeholder?: string;
  hint?: Hint;
  required?: Required;
  minLength?: Length;
  maxLength?: Length;
  pattern?: SharedPattern;
  value: TextOrNull;
  /** The input is never editable. Absent from all other inputs. */
  readOnly?: true;
  editable: boolean;
  validity: Validity;
  messages: Messages;
}

/** A text input whose value the view never receives. filled says whether there is a value. Level: minimal. */
export interface SecretInput {
  id: Name;
  kind: "input";
  inputType: "password" | "newPassword" | "oneTimeCode";
  keyboard?: Keyboard;
  autofill?: Autofill;
  enterKey?: EnterKey;
  emphasis?: Emphasis;
  title?: string;
  placeholder?: string;
  hint?: Hint;
  required?: Required;
  minLength?: Length;
  maxLength?: Length;
  pattern?: SharedPattern;
  filled: boolean;
  editable: boolean;
  validity: Validity;
  messages: Messages;
}

/** Level: minimal. */
export interface Option {
  id: Name;
  title: string;
}

/** A choice of one option or none. It has validity and messages if it has rules or a check. Level: minimal. */
export interface Selection {
  id: Name;
  kind: "selection";
  emphasis?: Emphasis;
  title?: string;
  hint?: Hint;
  required?: Required;
  /** The number of options, if there are more than a snapshot contains. options then has only the selected one, or none. */
  optionCount?: number;
  options: Option[];
  value: Name | null;
  editable: boolean;
  validity?: Validity;
  messages?: Messages;
}

/** On, off, or not set yet. It has validity and messages if it has rules. Level: minimal. */
export interface Switch {
  id: Name;
  kind: "switch";
  emphasis?: Emphasis;
  title?: string;
  hint?: Hint;
  required?: Required;
  value: boolean | null;
  editable: boolean;
  validity?: Validity;
  messages?: Messages;
}

/** A text to read. Level: minimal. */
export interface Text {
  id: Name;
  kind: "text";
  emphasis?: Emphasis;
  title: string;
}

/** The URL of a web page, without user information, or a mailto URL. */
export type URL = string;

/** A link to a page outside the form. Level: minimal. */
export interface Link {
  id: Name;
  kind: "link";
  emphasis?: Emphasis;
  title: string;
  url: URL;
}

/** The text of a code: 1 to 2,048 bytes of UTF-8. */
export type CodeText = string;

export type CodeFormat = "qr" | "plain";

/** A text for another device or program, to scan, copy or read. Level: minimal. */
export interface CodeItem {
  id: Name;
  kind: "code";
  format: CodeFormat;
  emphasis?: Emphasis;
  title?: string;
  text: CodeText;
}

/** Any JSON value of at most 16,384 bytes as compact JSON, with at most 32 arrays and objects within one another. */
export type ExternalValue = Json;

/** An item of a type that only views know. It has validity and messages if it has rules. Level: minimal. */
export interface External {
  id: Name;
  kind: "external";
  type: Name;
  emphasis?: Emphasis;
  title?: string;
  hint?: Hint;
  required?: Required;
  /** For views that do not know the type. */
  text?: string;
  request?: ExternalValue;
  value: ExternalValue;
  editable: boolean;
  validity?: Validity;
  messages?: Messages;
}

export type Item = PlainInput | SecretInput | Selection | Switch | Text | Link | CodeItem | External;

/** Level: minimal. */
export interface Section {
  id: Name;
  title?: string;
  items: Item[];
}

export type Sections = Section[];

/** The button. Its id says what it does now. Level: minimal. */
export interface PrimaryAction {
  id: Name;
  title: string;
  role: "primary";
  enabled: boolean;
}

/** Level: minimal. */
export interface Action {
  id: Name;
  title: string;
  role: "primary" | "link";
  enabled: boolean;
  /** Only for links that make requests: set while only a throttle disables the link. */
  retryAt?: RetryTimeOrNull;
}

/** The primary action, then the links. */
export type Actions = Action[];

/** Level: minimal. */
export interface AlertAction {
  id: Name;
  title: string;
  role: "dismiss" | "destructive";
  enabled: boolean;
}

/** A message that the user must dismiss first. Level: minimal. */
export interface Alert {
  id: Count;
  title?: string;
  /** The texts of all messages, one per line. */
  text: string;
  messages: Message[];
  actions: AlertAction[];
}

/** What the application shows after the form: its scene of this name. Level: minimal. */
export interface Scene {
  id: Name;
  principal?: string;
  /** The authenticator's data, unchanged. */
  data?: { [name: string]: Json };
  /** The values of the form's plain items, by item id. */
  values: { [name: string]: string | boolean | null };
  proofs?: Proofs;
}

/** The writing direction of the language. */
export type Direction = "ltr" | "rtl";

/** When the next request is possible. Level: live. */
export interface RetryTime {
  /** Milliseconds since 1970 (UTC). */
  at: Count;
  /** The whole duration of the throttle in milliseconds, not the remaining time. */
  afterMs: Count;
}

export type RetryTimeOrNull = RetryTime | null;

/** Where the keyboard focus belongs. Level: live. */
export interface Focus {
  /** The id of an item, the primary action or an alert's action. */
  on: Name;
  since: Revision;
}

export type FocusOrNull = Focus | null;

/** Everything that the view shows. Level: minimal. */
export interface Snapshot {
  screen: Name;
  state: State;
  title: string;
  locale: Locale;
  direction: Direction;
  sections: Sections;
  actions: Actions;
  activity: boolean;
  error: MessageOrNull;
  notice: MessageOrNull;
  alert: Alert | null;
  scene: Scene | null;
  retryAt: RetryTimeOrNull;
  focus: FocusOrNull;
}

/**
 * Replaces everything. activity becomes false, and error, notice, alert, scene, retryAt and focus become null until a later command sets them.
 * Level: commands.
 */
export interface ShowScreen {
  command: "showScreen";
  screen: Name;
  state: State;
  title: string;
  locale: Locale;
  direction: Direction;
  sections: Sections;
  actions: Actions;
}

/** Level: commands. */
export interface SetState {
  command: "setState";
  state: State;
}

/** Sets some members of an item. Level: commands. */
export interface SetItem {
  command: "setItem";
  item: Name;
  value?: ExternalValue;
  /** For a selection with optionCount: the selected option, or none. */
  options?: Option[];
  filled?: boolean;
  editable?: boolean;
  validity?: Validity;
  messages?: Messages;
}

/** Sets some members of an action. Level: commands. */
export interface SetAction {
  command: "setAction";
  action: Name;
  enabled?: boolean;
  retryAt?: RetryTimeOrNull;
}

/** Replaces an action with another. Level: commands. */
export interface ReplaceAction {
  command: "replaceAction";
  action: Name;
  newAction: PrimaryAction;
}

/** Level: commands. */
export interface InsertSection {
  command: "insertSection";
  index: Count;
  newSection: Section;
}

/** Level: commands. */
export interface RemoveSection {
  command: "removeSection";
  section: Name;
}

/** Level: commands. */
export interface InsertItem {
  command: "insertItem";
  section: Name;
  index: Count;
  newItem: Item;
}

/** Level: commands. */
export interface RemoveItem {
  command: "removeItem";
  item: Name;
}

/** Level: commands. */
export interface PlainCommand {
  command: "showActivity" | "hideActivity" | "hideError" | "hideNotice" | "hideAlert";
}

/** Level: commands. */
export interface ShowError {
  command: "showError";
  error: Message;
}

/** Level: commands. */
export interface ShowNotice {
  command: "showNotice";
  notice: Message;
}

/** Level: commands. */
export interface ShowAlert {
  command: "showAlert";
  alert: Alert;
}

/** Level: commands. */
export interface ShowScene {
  command: "showScene";
  scene: Scene;
}

/** Level: commands. */
export interface SetRetryAt {
  command: "setRetryAt";
  retryAt: RetryTimeOrNull;
}

/** Level: commands. */
export interface SetFocus {
  command: "setFocus";
  focus: FocusOrNull;
}

/** One change. An update's commands together turn what the view shows into the new snapshot. */
export type Command = ShowScreen | SetState | SetItem | SetAction | ReplaceAction | InsertSection | RemoveSection | InsertItem | RemoveItem | PlainCommand | ShowError | ShowNotice | ShowAlert | ShowScene | SetRetryAt | SetFocus;

export type Commands = Command[];

/** The idempotency key of a question. */
export type SavedKey = string;

/** A count of at most 2^40. Sessions with higher counts are not saved. */
export type SavedCount = number;

/** Milliseconds. */
export type SavedTime = number;

/** An index into the screen's initial requests. */
export type SavedIndex = number;

/** true; absent if false. */
export type SavedTrue = true;

/** A message. Texts that the flow has for the code are not saved. Level: platform. */
export interface SavedMessage {
  code: Code;
  text?: string;
  params?: { [name: string]: string | number };
  severity?: "info" | "success" | "warning" | "error";
  /** true if this text is shown even if the flow has a text for the code. */
  verbatim?: SavedTrue;
}

/** Level: platform. */
export interface SavedThrottle {
  /** When the throttle ends, in milliseconds since 1970 (UTC). */
  until: SavedTime;
  duration: SavedTime;
}

/** A throttled link. Level: platform. */
export interface SavedHeldLink {
  screen: string;
  action: string;
  /** When the throttle ends, in milliseconds since 1970 (UTC). */
  until: SavedTime;
  duration: SavedTime;
}

/** How an item differs from a blank form. Never has the value of a secret or external item. Level: platform. */
export interface SavedItem {
  value?: string | boolean | null;
  touched?: SavedTrue;
  marked?: SavedTrue;
}

/** By item id. */
export type SavedItems = { [name: string]: SavedItem };

/** A message of the authenticator about an item. Level: platform. */
export interface SavedRemark {
  item: string;
  message: SavedMessage;
  notice?: SavedTrue;
}

/** A screen that the user has left, with its values, throttle and failure. Level: platform. */
export interface SavedScreen {
  screen: string;
  items: SavedItems;
  throttle?: SavedThrottle;
  failure?: SavedMessage;
  key?: SavedKey;
}

/**
 * The pending request, which the engine that opens the session repeats with the same key; or the failed request, which a retry repeats. Level:
 * platform.
 */
export interface SavedRequest {
  source: "submit" | "link" | "begin";
  /** Only for links: the id of the link. */
  action?: string;
  /** Only for links: the state before the request. */
  from?: "initial" | "unvalidated" | "validated";
  begin?: SavedIndex;
  key?: SavedKey;
  /** Only for a pending request, in place of key: a challenge is shown, and its authenticator resumes it with this token. */
  resume?: string;
  message?: SavedMessage;
}

/** Level: platform. */
export interface SavedAlert {
  kind: "invalid" | "failure" | "notice";
  title?: string;
  messages: SavedMessage[];
}

/** Where the keyboard focus is. item is present only for the kind item. Level: platform. */
export interface SavedFocus {
  kind: "item" | "primary" | "alert";
  item?: string;
}

/** A session as session/save returns it and session/open accepts it, without secrets. See sessions.md. Level: platform. */
export interface SavedSession {
  version: 1;
  flow: Name;
  /** Identifies the flow's screens, sections, items and actions. */
  digest: string;
  locale: string;
  screen: string;
  /** The opened session starts with the next revision. */
  revision: SavedCount;
  events: SavedCount;
  state: "initial" | "unvalidated" | "validated" | "requestPending" | "requestFailed";
  request?: SavedRequest;
  items: SavedItems;
  remarks?: SavedRemark[];
  left?: SavedScreen[];
  alerts?: SavedAlert[];
  notice?: SavedMessage;
  throttle?: SavedThrottle;
  held?: SavedHeldLink[];
  /** The key of the failed request that the next attempt retries. */
  retryKey?: SavedKey;
  waitsForEdit?: SavedTrue;
  /** Background requests. */
  beside?: SavedIndex[];
  /** The ids of items to be checked. */
  checks?: string[];
  focus?: SavedFocus;
  /** Only for acknowledged sessions. */
  policy?: "queue" | "latest" | "reject";
  /** Absent if it is snapshot. */
  detail?: "full" | "commands";
  context?: SessionContext;
  supports?: Supports;
}

/** Level: minimal. */
export interface SessionUpdateParams {
  session: SessionName;
  revision: Revision;
  /** How many edits, presses and submits the engine has taken from the view, including refused ones. */
  events: number;
  /** Absent with detail: commands. */
  snapshot?: Snapshot;
  /** Absent with detail: snapshot. */
  commands?: Commands;
}

/** What the view shows from now on. Level: minimal. */
export interface SessionUpdate {
  jsonrpc: "2.0";
  method: "session/update";
  params: SessionUpdateParams;
}

/** Level: live. */
export interface SessionRefusedParams {
  /** The name in the refused notification. */
  session: string;
  method: MethodName;
  error: Error;
}

/** The engine has refused a notification. Level: live. */
export interface SessionRefused {
  jsonrpc: "2.0";
  method: "session/refused";
  params: SessionRefusedParams;
}

/** Level: platform. */
export interface SessionClosedParams {
  session: SessionName;
  reason: "idleTimeout" | "refused";
}

/** The engine has ended a session. Level: platform. */
export interface SessionClosed {
  jsonrpc: "2.0";
  method: "session/closed";
  params: SessionClosedParams;
}

/** Level: platform. */
export interface SessionGrantedParams {
  session: SessionName;
  /** Any JSON value except null, as the authenticator wrote it. */
  secret: Json;
}

/**
 * An authenticator that accepted a request gives the application a secret, such as tokens. The engine sends it once and in no other message. Level:
 * platform.
 */
export interface SessionGranted {
  jsonrpc: "2.0";
  method: "session/granted";
  params: SessionGrantedParams;
}

export type MethodName = "engine/describe" | "engine/stats" | "rpc.discover" | "session/open" | "session/edit" | "session/press" | "session/submit" | "session/presented" | "session/snapshot" | "session/save" | "session/options" | "session/list" | "session/locale" | "session/close" | "clock/advance" | "$/cancelRequest";

/** Level: minimal. */
export interface Response {
  jsonrpc: "2.0";
  id: RequestId;
  /** The result of the request's method. */
  result: RevisionResult | OpenResult | SnapshotResult | SaveResult | SubmitResult | OptionsResult | ListResult | CloseResult | AdvanceResult | DescribeResult | DiscoverResult | StatsResult;
}

/** The result of session/edit, session/press, session/presented and session/locale. Level: minimal. */
export interface RevisionResult {
  revision: Revision;
  ignored?: Ignored;
}

/** Level: minimal. */
export interface OpenResult {
  session: SessionName;
  revision: Revision;
  ignored?: Ignored;
}

/** Level: live. */
export interface SnapshotResult {
  session: SessionName;
  revision: Revision;
  /** How many updates still wait to be written after this snapshot. */
  queued?: number;
  events: Count;
  snapshot: Snapshot;
  ignored?: Ignored;
}

/** Level: platform. */
export interface SaveResult {
  saved: SavedSession;
  ignored?: Ignored;
}

/** Level: live. */
export interface SubmitResult {
  session: SessionName;
  revision: Revision;
  events: Count;
  /** Absent if the call made no request. */
  outcome?: Outcome;
  snapshot: Snapshot;
  ignored?: Ignored;
}

/** Level: live. */
export interface OptionsResult {
  session: SessionName;
  item: Name;
  options: Option[];
  ignored?: Ignored;
}

/** Level: platform. */
export interface ListedSession {
  session: SessionName;
  flow: Name;
  screen: Name;
  state: State;
  revision: Revision;
}

/** Level: platform. */
export interface ListResult {
  sessions: ListedSession[];
  /** The cursor of the next page. */
  next?: number;
}

/** The result of session/close and $/cancelRequest. Level: live. */
export interface CloseResult {
  ignored?: Ignored;
}

/** Level: platform. */
export interface AdvanceResult {
  /** The time of the engine's clock in milliseconds. */
  now: number;
}

/** Level: platform. */
export interface DescribedFlow {
  flow: Name;
  screens: Name[];
  locales: Locale[];
}

/** Level: platform. */
export interface Limits {
  maxSessions: number;
  maxLineBytes: number;
  maxValueBytes: number;
  maxBatchEntries: number;
  maxBatchReplyBytes: number;
  /** 0 means never. */
  idleTimeoutMs: number;
}

/** An authenticator: what it decides, and its own description if it has given one. Level: platform. */
export interface DescribedAuthenticator {
  /** The requests that it decides, as in --authenticator WHICH=WHAT; * stands for all others. */
  for: string;
  kind: "accounts" | "command" | "frontend";
  name?: string;
  version?: string;
  requests?: string[];
}

/** Level: platform. */
export interface DescribeResult {
  name: "login-engine";
  version: string;
  protocol: ProtocolVersion;
  flows: DescribedFlow[];
  limits: Limits;
  features: ("lockstep" | "manualClock")[];
  authenticators?: DescribedAuthenticator[];
  ignored?: Ignored;
}

/** Counters since the start of the run. Level: platform. */
export interface StatsResult {
  sessions: SessionCounts;
  attempts: AttemptCounts;
  outcomes: OutcomeCounts;
  latencies: Latencies;
}

/** Level: platform. */
export interface SessionCounts {
  /** The current number. */
  open: Count;
  /** Since the start of the run. */
  opened: Count;
}

/** Counts of questions to authenticators. Level: platform. */
export interface AttemptCounts {
  /** The current number. */
  open: Count;
  asked: Count;
  /** Including failures such as timeouts. */
  answered: Count;
  /** Cancelled because the answer was no longer needed. */
  cancelled: Count;
}

/** Level: platform. */
export interface OutcomeCounts {
  accepted: Count;
  /** Including challenges with an error. */
  rejected: Count;
  throttled: Count;
  challenge: Count;
  notice: Count;
  /** No authenticator decided. */
  failed: Count;
}

/** The times of answers in milliseconds by the engine's clock. Level: platform. */
export interface Latencies {
  sumMs: Count;
  longestMs: Count;
  buckets: LatencyBucket[];
}

/** The number of answers within upToMs. The bucket without upToMs counts all answers. Level: platform. */
export interface LatencyBucket {
  upToMs?: Count;
  count: Count;
}

/** The OpenRPC document of this protocol: protocol/openrpc.json. Level: platform. */
export interface DiscoverResult {
  openrpc: string;
  info: { [name: string]: Json };
  methods: Json[];
  "x-notifications": Json[];
  "x-requests": Json[];
  components: { [name: string]: Json };
}

/** Level: minimal. */
export interface ErrorResponse {
  jsonrpc: "2.0";
  id: RequestId;
  error: Error;
}

/** Why the engine refused a message. For an edit, press or submit in an open session, data has events, the number of the event. */
export type Error = ParseError | InvalidRequest | MethodNotFound | InvalidParams | UnknownSession | SessionExists | NotAccepted | StaleRevision | UnknownItem | UnknownAction | UnknownFlow | UnknownScreen | Presenting | NotEditable | LimitExceeded;

export type Names = Name[];

/** Level: live. */
export interface ParseError {
  code: -32700;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "parseError";
    reason: string;
    /** The position in the line, in bytes. */
    offset: number;
  };
}

/** Level: live. */
export interface InvalidRequest {
  code: -32600;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "invalidRequest";
    reason: string;
    events?: Count;
  };
}

/** Level: live. */
export interface MethodNotFound {
  code: -32601;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "methodNotFound";
  };
}

/** Level: live. */
export interface InvalidParams {
  code: -32602;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "invalidParams";
    param?: string;
    events?: Count;
  };
}

/** Level: live. */
export interface UnknownSession {
  code: 1;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "unknownSession";
  };
}

/** Level: live. */
export interface SessionExists {
  code: 2;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "sessionExists";
  };
}

/** Level: live. */
export interface NotAccepted {
  code: 3;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "notAccepted";
    state: State;
    accepted: {
      items: Names;
      actions: Names;
    };
    events?: Count;
  };
}

/** Level: live. */
export interface StaleRevision {
  code: 4;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "staleRevision";
    events?: Count;
  };
}

/** Level: live. */
export interface UnknownItem {
  code: 5;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "unknownItem";
    /** The unknown name, if it is valid as a name. */
    name?: Name;
    items: Names;
    events?: Count;
  };
}

/** Level: live. */
export interface UnknownAction {
  code: 6;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "unknownAction";
    /** The unknown name, if it is valid as a name. */
    name?: Name;
    actions: Names;
    events?: Count;
  };
}

/** Level: live. */
export interface UnknownFlow {
  code: 7;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "unknownFlow";
    /** The unknown name, if it is valid as a name. */
    name?: Name;
    flows: Names;
  };
}

/** Level: live. */
export interface UnknownScreen {
  code: 8;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "unknownScreen";
    /** The unknown name, if it is valid as a name. */
    name?: Name;
    screens: Names;
  };
}

/** Level: transitions. */
export interface Presenting {
  code: 9;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "presenting";
    awaited: Revision;
    events?: Count;
  };
}

/** Level: live. */
export interface LimitExceeded {
  code: 10;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "limitExceeded";
    limit: "maxSessions" | "maxLineBytes" | "maxValueBytes" | "maxBatchReplyBytes" | "maxExternalBytes" | "maxExternalDepth" | "maxContextBytes" | "maxContextDepth" | "maxOpeningSecrets" | "maxSavedCount" | "maxSavedEntries";
    maximum: number;
    /** The param at fault. For one of several values: values.ITEM. */
    param?: string;
    events?: Count;
  };
}

/** Level: live. */
export interface NotEditable {
  code: 11;
  /** What to do, for developers. */
  message: string;
  data: {
    code: "notEditable";
    items: Names;
    /** The param at fault. For one of several values: values.ITEM. */
    param?: string;
    events?: Count;
  };
}

/** A string, so that it differs from numeric ids of the frontend's own requests. */
export type AuthenticatorRequestId = string;

/** Only with --authenticator frontend: asks the frontend to decide a request. Level: platform. */
export interface FrontendSubmitRequest {
  jsonrpc: "2.0";
  id: AuthenticatorRequestId;
  method: "authenticator/submit";
  params: SubmitParams;
}

/** Only with --authenticator frontend: the next question of a conversation. Level: platform. */
export interface FrontendContinueRequest {
  jsonrpc: "2.0";
  id: AuthenticatorRequestId;
  method: "authenticator/continue";
  params: ContinueParams;
}

/** Only with --authenticator frontend: asks about a value that the user has not submitted yet. Level: platform. */
export interface FrontendCheckRequest {
  jsonrpc: "2.0";
  id: AuthenticatorRequestId;
  method: "authenticator/check";
  params: CheckParams;
}

/** Level: platform. */
export type NoParams = { [name: string]: never };

/** Level: platform. */
export interface EngineDescribeParams {
  /** The protocol version that the view was written for. */
  protocol?: ProtocolVersion;
}

/** Level: minimal. */
export interface SessionOpenParams {
  session?: SessionName;
  flow?: string;
  screen?: string;
  locale?: string;
  /** Initial values by item id. Secret items are not allowed. */
  values?: { [name: string]: ExternalValue };
  transitions?: "instant" | "acknowledged";
  policy?: "queue" | "latest" | "reject";
  /** Default: snapshot. */
  detail?: Detail;
  principal?: Principal;
  context?: SessionContext;
  secrets?: OpeningSecrets;
  supports?: Supports;
  /** Can be combined only with session, detail, principal, context, secrets and protocol. */
  saved?: SavedSession;
  /** The protocol version that the view was written for. The engine ignores unknown params of a view written for a later version. */
  protocol?: ProtocolVersion;
}

/** Level: minimal. */
export interface SessionEditParams {
  session: string;
  item: string;
  /** The whole new value: a string, a boolean or null; for an external item any JSON value. */
  value: Json;
  /** The revision of the snapshot that the user saw. */
  revision?: number;
}

/** Level: minimal. */
export interface SessionPressParams {
  session: string;
  action: string;
  /** The revision of the snapshot that the user saw. */
  revision?: number;
}

/** Values by item id, including secret items. */
export type SubmitValues = { [name: string]: ExternalValue };

/** With session, values is the only param of session/open that is allowed. Without session, revision is not allowed. Level: live. */
export interface SessionSubmitParams {
  session?: string;
  values?: SubmitValues;
  /** Default: the primary action, if it is submit or retry. */
  action?: string;
  /** The revision of the snapshot that the user saw. */
  revision?: number;
  /** The time limit for the authenticator, if shorter than the flow's. */
  timeoutMs?: number;
  flow?: string;
  screen?: string;
  locale?: string;
  transitions?: "instant" | "acknowledged";
  policy?: "queue" | "latest" | "reject";
  /** Default: snapshot. */
  detail?: Detail;
  principal?: Principal;
  context?: SessionContext;
  secrets?: OpeningSecrets;
  supports?: Supports;
  protocol?: ProtocolVersion;
}

/** Level: transitions. */
export interface SessionPresentedParams {
  session: string;
  revision: Count;
}

/** Level: live. */
export interface OneSessionParams {
  session: string;
}

/** Level: live. */
export interface SessionOptionsParams {
  session: string;
  item: string;
  /** The revision of the snapshot that shows the selection. */
  revision?: number;
}

/** Level: platform. */
export interface SessionListParams {
  /** next from the previous page. */
  cursor?: number;
  /** Default: 100. */
  limit?: number;
}

/** Level: live. */
export interface SessionLocaleParams {
  session: string;
  /** A BCP 47 language tag. */
  locale: string;
}

/** Level: live. */
export interface SessionCloseParams {
  /** Default: all sessions. */
  session?: string;
}

/** Level: live. */
export interface CancelRequestParams {
  /** The id of the session/submit to cancel, as it was written. */
  id: RequestId;
}

/** Level: platform. */
export interface ClockAdvanceParams {
  milliseconds: number;
}

/** Only with --authenticator frontend: the answer to a question of the engine. Level: platform. */
export interface AuthenticatorResponse {
  jsonrpc?: "2.0";
  id: string;
  result?: Answer | CheckResult;
  error?: AuthenticatorError;
}

/** Values by the apiKey of the item. */
export type Values = { [name: string]: ExternalValue };

/** Fields of the authenticator that the flow names differently: from the field (`as`) to the item's apiKey. */
export type Fields = { [name: string]: Name };

export interface SubmitParams {
  attempt: Attempt;
  retryOf?: Attempt;
  request: Name;
  /** The id of the link that makes the request. */
  action?: Name;
  /** The resume token of a challenge that was shown when another engine saved the session: resume from there. values is empty. */
  resume?: string;
  values: Values;
  fields?: Fields;
  locale: Locale;
  previous?: Previous;
  /** The name of the session. */
  session: SessionName;
  flow: Name;
  /** The flow's screen where the request was made, even while a challenge is shown. */
  screen: Name;
  key: IdempotencyKey;
  principal?: Principal;
  context?: SessionContext;
  supports?: Supports;
  secrets?: OpeningSecrets;
}

/** The same for a question and all its retries, and unique among the questions of all engines. It has no other meaning. */
export type IdempotencyKey = string;

/** The session's last accepted request, which led to the screen of this request. */
export interface Previous {
  attempt: Attempt;
  /** The last principal that an authenticator gave. */
  principal?: string;
  /** The last data that an authenticator gave. */
  data?: { [name: string]: Json };
  proofs?: Proofs;
}

export interface ContinueParams {
  /** Identifies the conversation by the number of its first question. */
  attempt: number;
  values: Values;
  /** The id of the challenge's link that was pressed. values is then empty. */
  action?: string;
  /** true if the time of wait has passed without input: has the decision been made elsewhere? values is empty. */
  poll?: true;
  retryOf?: Attempt;
  locale: Locale;
  /** The name of the session. */
  session: SessionName;
  flow: Name;
  /** The flow's screen where the request was made, even while a challenge is shown. */
  screen: Name;
  key: IdempotencyKey;
  principal?: Principal;
  context?: SessionContext;
  supports?: Supports;
  secrets?: OpeningSecrets;
}

export interface CheckParams {
  attempt: Attempt;
  /** The request that a submit of the screen makes. */
  request: Name;
  /** The apiKey of the item. */
  item: Name;
  /** The value of that item. */
  values: Values;
  fields?: Fields;
  locale: Locale;
  previous?: Previous;
  /** The name of the session. */
  session: SessionName;
  flow: Name;
  screen: Name;
  principal?: Principal;
  context?: SessionContext;
  supports?: Supports;
}

/** The answer is no longer needed. Ends a conversation at any step, or a check. */
export interface CancelNotification {
  jsonrpc: "2.0";
  method: "authenticator/cancel";
  params: {
    attempt: Attempt;
  };
}

export interface AuthenticatorError {
  code: number;
  /** Shown to the user, unless the flow has a text for network.NAME, or the error has no name and its code is one that JSON-RPC reserves. */
  message: string;
  /** If data.code is a name, the code shown is network.NAME, otherwise network.refused. */
  data?: { [name: string]: Json };
}

export type GivenCode = string;

/** Shown with the flow's text for the code if there is one, otherwise with this text. A text without a code is shown unchanged. */
export type GivenMessage = string | GivenMessageObject;

export interface GivenMessageObject {
  code?: GivenCode | null;
  text?: string | null;
  params?: { [name: string]: string | number } | null;
  severity?: "info" | "success" | "warning" | "error" | null;
}

export type GivenMessageOrNull = GivenMessage | null;

/** Messages by the apiKey of the item. */
export type GivenItemMessages = { [name: string]: GivenMessage[] } | null;

/** One message, or several messages under a title. */
export type GivenAlert = GivenMessage | {
  title?: string | null;
  messages: GivenMessage[];
};

/** Shows a message while an attempt is pending. */
export interface AuthenticatorNotify {
  jsonrpc?: "2.0";
  method: "authenticator/notify";
  params: {
    attempt: Attempt;
    message?: GivenMessageOrNull;
    alert?: GivenAlert | null;
  };
}

export type Answer = Accepted | Rejected | Throttled | Notice | Challenge;

export interface GivenProof {
  factor: Factor;
  /** When the factor was verified, in milliseconds since 1970 (UTC). Default: when the engine reads the answer. */
  at?: number | null;
}

export interface Accepted {
  outcome: "accepted";
  /** Who has logged in. */
  principal?: string | null;
  /** Data for the view's scene. Not secret. */
  data?: { [name: string]: Json } | null;
  /** How and when the user proved their identity. */
  proofs?: GivenProof[] | null;
  /** For the application only: JSON of at most 16,384 bytes and 32 levels. null means none. */
  secret?: Json;
  /** Shown as the notice if a link or the flow itself made the request. */
  message?: GivenMessage | null;
  /** How long the link that made the request is disabled. */
  retryAfterMs?: number | null;
}

export interface Rejected {
  outcome: "rejected";
  reason?: GivenCode | null;
  message?: GivenMessageOrNull;
  items?: GivenItemMessages;
}

export interface Throttled {
  outcome: "throttled";
  retryAfterMs: number;
  message?: GivenMessageOrNull;
}

export interface Notice {
  outcome: "notice";
  message: GivenMessage;
  /** The id of a screen of the flow. */
  screen?: string | null;
}

/** The answer to authenticator/check. */
export type CheckResult = ValidValue | InvalidValue | Notice;

/** The value is valid. */
export interface ValidValue {
  outcome: "valid";
}

/** The value is invalid; the message says why. */
export interface InvalidValue {
  outcome: "invalid";
  message: GivenMessage;
}

/** Asks for a further step: on a new screen, or on the same one again. */
export interface Challenge {
  outcome: "challenge";
  screen?: ChallengeScreen | null;
  error?: GivenMessageOrNull;
  notice?: GivenMessageOrNull;
  items?: GivenItemMessages;
  wait?: {
    pollAfterMs: number;
  } | null;
  expiresInMs?: number | null;
  /** A token that authenticator/submit passes on if the session continues in another engine. It replaces the token of an earlier answer. */
  resume?: string | null;
}

/** As in a flow definition, except that texts may be given directly. */
export interface ChallengeScreen {
  id: Name;
  title: ScreenText;
  sections: ChallengeSection[];
  /** Actions that are left out are those of the screen where the conversation began. */
  actions?: {
    submit?: ChallengeAction;
    cancel?: ChallengeAction;
    retry?: ChallengeAction;
  };
  /** Pressing a link sends authenticator/continue with the link's id as action. */
  links?: ChallengeAction[];
  leave?: ChallengeAction;
}

/** A key of the flow's strings, or the text itself if there is no such key. */
export type ScreenText = string;

export interface ChallengeAction {
  id: Name;
  title: ScreenText;
}

export interface ChallengeSection {
  id: Name;
  title?: string | null;
  visibleWhen?: Condition;
  items: ChallengeItem[];
}

export type ChallengeItem = ChallengeInput | ChallengeSelection | ChallengeSwitch | ChallengeText | ChallengeLink | ChallengeCode | ChallengeExternal;

export interface ChallengeInput {
  id: Name;
  apiKey?: Name;
  kind: "input";
  inputType: InputType;
  title?: string | null;
  placeholder?: string | null;
  keyboard?: Keyboard;
  autofill?: AutofillTokens;
  enterKey?: EnterKey;
  hint?: string | null;
  emphasis?: Emphasis;
  visibleWhen?: Condition;
  rules?: ChallengeRule[];
  value?: string | null;
  /** Not allowed for secret inputs. */
  readOnly?: boolean;
}

export interface ChallengeSelection {
  id: Name;
  apiKey?: Name;
  kind: "selection";
  title?: string | null;
  hint?: string | null;
  options: {
    id: Name;
    title: ScreenText;
  }[];
  emphasis?: Emphasis;
  visibleWhen?: Condition;
  rules?: ChallengeRule[];
  value?: string | null;
}

export interface ChallengeSwitch {
  id: Name;
  apiKey?: Name;
  kind: "switch";
  title?: string | null;
  hint?: string | null;
  emphasis?: Emphasis;
  visibleWhen?: Condition;
  rules?: ChallengeRule[];
  value?: boolean | null;
}

export interface ChallengeText {
  id: Name;
  kind: "text";
  title: ScreenText;
  emphasis?: Emphasis;
  visibleWhen?: Condition;
}

export interface ChallengeLink {
  id: Name;
  kind: "link";
  title: ScreenText;
  url: URL;
  emphasis?: Emphasis;
  visibleWhen?: Condition;
}

export interface ChallengeCode {
  id: Name;
  kind: "code";
  title?: string | null;
  text: CodeText;
  format: CodeFormat;
  emphasis?: Emphasis;
  visibleWhen?: Condition;
}

export interface ChallengeExternal {
  id: Name;
  apiKey?: Name;
  kind: "external";
  type: Name;
  title?: string | null;
  hint?: string | null;
  text?: string | null;
  request?: ExternalValue;
  emphasis?: Emphasis;
  visibleWhen?: Condition;
  rules?: ChallengeRule[];
  /** Shown in place of the item by views that do not support its type. */
  otherwise?: ChallengeItem[];
}

/** As in a flow definition, except that the message may include its text. */
export interface ChallengeRule {
  rule: "required" | "minLength" | "maxLength" | "email" | "equalTo" | "oneOf" | "pattern" | "date" | "minAge" | "maxAge" | "before" | "after";
  length?: number;
  /** Only for minLength. */
  acceptsEmpty?: boolean;
  item?: string;
  /** An I-Regexp (RFC 9485) of at most 1,024 bytes. */
  pattern?: string;
  values?: string[];
  years?: number;
  date?: DateBound;
  message: string | {
    code?: GivenCode;
    text?: string | null;
  };
}

/** The condition for showing this: on one earlier item, or a combination of conditions. At most 8 levels and 64 conditions on items. */
export interface Condition {
  /** The id of a switch, a selection or a plain input. */
  item?: Name;
  /** The state of a switch, the id of an option, or a text; or a list of ids or texts, any of which matches. */
  is?: boolean | string | string[];
  /** For inputs and selections. */
  isEmpty?: boolean;
  /** For inputs: an I-Regexp (RFC 9485) of at most 1,024 bytes that must match the whole text. */
  matches?: string;
  all?: Condition[];
  any?: Condition[];
  not?: Condition;
}

export type InputType = "text" | "email" | "date" | "password" | "newPassword" | "oneTimeCode";

/** Tokens of HTML's autocomplete, separated by single spaces: a field with optional prefixes and an optional final webauthn; or on or off. */
export type AutofillTokens = string;

/** A valid date (ISO 8601, years 0001 to 9999), or today: the current date in UTC. */
export type DateBound = string;

/** The params of `engine/describe`. Level: platform. */
export interface EngineDescribeParams {
  /** The protocol version that the view was written for. */
  protocol?: ProtocolVersion;
}

/** The params of `engine/stats`. Level: platform. */
export type EngineStatsParams = { [name: string]: never };

/** The params of `rpc.discover`. Level: platform. */
export type RpcDiscoverParams = { [name: string]: never };

/** The params of `session/open`. Level: minimal. */
export interface SessionOpenParams {
  session?: SessionName;
  flow?: string;
  screen?: string;
  locale?: string;
  /** Initial values by item id. Secret items are not allowed. */
  values?: { [name: string]: ExternalValue };
  transitions?: "instant" | "acknowledged";
  policy?: "queue" | "latest" | "reject";
  /** Default: snapshot. */
  detail?: Detail;
  principal?: Principal;
  context?: SessionContext;
  secrets?: OpeningSecrets;
  supports?: Supports;
  /** Can be combined only with session, detail, principal, context, secrets and protocol. */
  saved?: SavedSession;
  /** The protocol version that the view was written for. The engine ignores unknown params of a view written for a later version. */
  protocol?: ProtocolVersion;
}

/** The params of `session/save`. Level: platform. */
export interface SessionSaveParams {
  session: string;
}

/** The params of `session/edit`. Level: minimal. */
export interface SessionEditParams {
  session: string;
  item: string;
  /** The whole new value: a string, a boolean or null; for an external item any JSON value. */
  value: Json;
  /** The revision of the snapshot that the user saw. */
  revision?: number;
}

/** The params of `session/press`. Level: minimal. */
export interface SessionPressParams {
  session: string;
  action: string;
  /** The revision of the snapshot that the user saw. */
  revision?: number;
}

/** The params of `session/submit`. Level: live. */
export interface SessionSubmitParams {
  session?: string;
  values?: SubmitValues;
  /** Default: the primary action, if it is submit or retry. */
  action?: string;
  /** The revision of the snapshot that the user saw. */
  revision?: number;
  /** The time limit for the authenticator, if shorter than the flow's. */
  timeoutMs?: number;
  flow?: string;
  screen?: string;
  locale?: string;
  transitions?: "instant" | "acknowledged";
  policy?: "queue" | "latest" | "reject";
  /** Default: snapshot. */
  detail?: Detail;
  principal?: Principal;
  context?: SessionContext;
  secrets?: OpeningSecrets;
  supports?: Supports;
  protocol?: ProtocolVersion;
}

/** The params of `session/presented`. Level: transitions. */
export interface SessionPresentedParams {
  session: string;
  revision: Count;
}

/** The params of `session/snapshot`. Level: live. */
export interface SessionSnapshotParams {
  session: string;
}

/** The params of `session/options`. Level: live. */
export interface SessionOptionsParams {
  session: string;
  item: string;
  /** The revision of the snapshot that shows the selection. */
  revision?: number;
}

/** The params of `session/list`. Level: platform. */
export interface SessionListParams {
  /** next from the previous page. */
  cursor?: number;
  /** Default: 100. */
  limit?: number;
}

/** The params of `session/locale`. Level: live. */
export interface SessionLocaleParams {
  session: string;
  /** A BCP 47 language tag. */
  locale: string;
}

/** The params of `session/close`. Level: live. */
export interface SessionCloseParams {
  /** Default: all sessions. */
  session?: string;
}

/** The params of `$/cancelRequest`. Level: live. */
export interface CancelRequestParams {
  /** The id of the session/submit to cancel, as it was written. */
  id: RequestId;
}

/** The params of `clock/advance`. Level: platform. */
export interface ClockAdvanceParams {
  milliseconds: number;
}

/** The params of `authenticator/cancel`. */
export interface AuthenticatorCancelParams {
  attempt: Attempt;
}

/** The params of `authenticator/notify`. */
export interface AuthenticatorNotifyParams {
  attempt: Attempt;
  message?: GivenMessageOrNull;
  alert?: GivenAlert | null;
}

/** The methods that a client calls, with their params and results. */
export interface Methods {
  /** Describes the engine and its capabilities. Optional; no handshake is needed. */
  "engine/describe": { params: EngineDescribeParams; result: DescribeResult };
  /** Counters since the start of the run. */
  "engine/stats": { params: EngineStatsParams; result: StatsResult };
  /** Returns this document. */
  "rpc.discover": { params: RpcDiscoverParams; result: DiscoverResult };
  /** Opens a session. The first update precedes the result. */
  "session/open": { params: SessionOpenParams; result: OpenResult };
  /** Returns a session for another engine to continue, without secrets. A session at its scene is refused. */
  "session/save": { params: SessionSaveParams; result: SaveResult };
  /** Reports the new value of an item. */
  "session/edit": { params: SessionEditParams; result: RevisionResult };
  /** Reports that the user chose an action: the button, a link, or an alert's action. */
  "session/press": { params: SessionPressParams; result: RevisionResult };
  /** Sets several values and presses an action in one call. Opens a session if it names none. The response comes once the outcome is known. */
  "session/submit": { params: SessionSubmitParams; result: SubmitResult };
  /** Reports that an acknowledged view now shows this revision. */
  "session/presented": { params: SessionPresentedParams; result: RevisionResult };
  /** Returns what the session shows. */
  "session/snapshot": { params: SessionSnapshotParams; result: SnapshotResult };
  /** Returns all options of a selection that has more than a snapshot contains. */
  "session/options": { params: SessionOptionsParams; result: OptionsResult };
  /** Lists the open sessions, in pages. */
  "session/list": { params: SessionListParams; result: ListResult };
  /** Shows the session in another language. */
  "session/locale": { params: SessionLocaleParams; result: RevisionResult };
  /** Closes one session or all, and forgets their secrets. */
  "session/close": { params: SessionCloseParams; result: CloseResult };
  /** Cancels a session/submit that waits for its outcome. Has no effect if no such call has this id. */
  "$/cancelRequest": { params: CancelRequestParams; result: CloseResult };
  /** Only with --clock manual: advances the clock. */
  "clock/advance": { params: ClockAdvanceParams; result: AdvanceResult };
}

/** The notifications that a client sends. */
export interface ClientNotifications {
  /** With --authenticator frontend: shows a message while an attempt is pending. */
  "authenticator/notify": AuthenticatorNotifyParams;
}

/** The notifications that the engine sends. */
export interface EngineNotifications {
  /** What the view shows from now on. */
  "session/update": SessionUpdateParams;
  /** The engine has refused a notification. */
  "session/refused": SessionRefusedParams;
  /** An authenticator gives the application a secret, such as tokens. */
  "session/granted": SessionGrantedParams;
  /** The engine has ended a session. */
  "session/closed": SessionClosedParams;
  /** With --authenticator frontend: the answer is no longer needed. */
  "authenticator/cancel": AuthenticatorCancelParams;
}

/** The requests that the engine sends with `--authenticator frontend`. */
export interface EngineRequests {
  /** With --authenticator frontend: asks the frontend to decide a request. */
  "authenticator/submit": { params: SubmitParams; result: Answer };
  /** With --authenticator frontend: passes on the user's answer to a challenge. */
  "authenticator/continue": { params: ContinueParams; result: Answer };
  /** With --authenticator frontend: asks about a value that the user has not submitted yet. */
  "authenticator/check": { params: CheckParams; result: CheckResult };
}
