// Code generated from protocol/openrpc.json by clients/types. DO NOT EDIT.

package loginengine

// Method names a request, and binds the types of its params and its result.
type Method[Params, Result any] struct{ Name string }

// The requests of views and applications.
var (
	EngineDescribe   = Method[EngineDescribeParams, DescribeResult]{"engine/describe"}
	SessionOpen      = Method[SessionOpenParams, OpenResult]{"session/open"}
	SessionEdit      = Method[SessionEditParams, RevisionResult]{"session/edit"}
	SessionPress     = Method[SessionPressParams, RevisionResult]{"session/press"}
	SessionSubmit    = Method[SessionSubmitParams, SubmitResult]{"session/submit"}
	SessionPresented = Method[SessionPresentedParams, RevisionResult]{"session/presented"}
	SessionOptions   = Method[SessionOptionsParams, OptionsResult]{"session/options"}
	SessionList      = Method[SessionListParams, ListResult]{"session/list"}
	SessionLocale    = Method[SessionLocaleParams, RevisionResult]{"session/locale"}
	SessionClose     = Method[SessionCloseParams, CloseResult]{"session/close"}
	EngineStats      = Method[EngineStatsParams, StatsResult]{"engine/stats"}
	SessionSave      = Method[SessionSaveParams, SaveResult]{"session/save"}
	SessionSnapshot  = Method[SessionSnapshotParams, SnapshotResult]{"session/snapshot"}
)

type Proof struct {
	Factor string `json:"factor"`
	// When the factor was verified, in milliseconds since 1970 (UTC).
	At int64 `json:"at"`
}

// Detail: What updates contain: the snapshot, the commands, or both (full).
type Detail string

const (
	DetailSnapshot Detail = "snapshot"
	DetailFull     Detail = "full"
	DetailCommands Detail = "commands"
)

// Outcome: The result of a request: an authenticator's answer; failed: no authenticator decided; invalid: the values do not meet the rules, and none was
// asked; cancelled; closed.
type Outcome string

const (
	OutcomeAccepted  Outcome = "accepted"
	OutcomeRejected  Outcome = "rejected"
	OutcomeThrottled Outcome = "throttled"
	OutcomeChallenge Outcome = "challenge"
	OutcomeNotice    Outcome = "notice"
	OutcomeFailed    Outcome = "failed"
	OutcomeInvalid   Outcome = "invalid"
	OutcomeCancelled Outcome = "cancelled"
	OutcomeClosed    Outcome = "closed"
)

type Severity string

const (
	SeverityInfo    Severity = "info"
	SeveritySuccess Severity = "success"
	SeverityWarning Severity = "warning"
	SeverityError   Severity = "error"
)

// Message: A message to the user.
type Message struct {
	Code string `json:"code"`
	// In the session's language.
	Text     string         `json:"text"`
	Params   map[string]any `json:"params,omitempty"`
	Severity Severity       `json:"severity,omitempty"`
}

type State string

const (
	StateInitial          State = "initial"
	StateUnvalidated      State = "unvalidated"
	StateValidated        State = "validated"
	StateRequestPending   State = "requestPending"
	StateRequestFailed    State = "requestFailed"
	StateRequestSucceeded State = "requestSucceeded"
)

// Validity: unknown until the user edits the item or tries to submit.
type Validity string

const (
	ValidityUnknown Validity = "unknown"
	ValidityValid   Validity = "valid"
	ValidityInvalid Validity = "invalid"
)

type Emphasis string

const (
	EmphasisNormal    Emphasis = "normal"
	EmphasisSubdued   Emphasis = "subdued"
	EmphasisProminent Emphasis = "prominent"
	EmphasisCritical  Emphasis = "critical"
)

type Keyboard string

const (
	KeyboardText   Keyboard = "text"
	KeyboardAscii  Keyboard = "ascii"
	KeyboardEmail  Keyboard = "email"
	KeyboardNumber Keyboard = "number"
	KeyboardPhone  Keyboard = "phone"
	KeyboardURL    Keyboard = "url"
)

type EnterKey string

const (
	EnterKeyEnter    EnterKey = "enter"
	EnterKeyDone     EnterKey = "done"
	EnterKeyGo       EnterKey = "go"
	EnterKeyNext     EnterKey = "next"
	EnterKeyPrevious EnterKey = "previous"
	EnterKeySearch   EnterKey = "search"
	EnterKeySend     EnterKey = "send"
)

type Option struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type CodeFormat string

const (
	CodeFormatQr    CodeFormat = "qr"
	CodeFormatPlain CodeFormat = "plain"
)

type Item struct {
	ID   string   `json:"id"`
	Kind ItemKind `json:"kind"`
	// A complete date has the form YYYY-MM-DD. While the user types, the value can be any text.
	InputType   ItemInputType `json:"inputType,omitempty"`
	Keyboard    Keyboard      `json:"keyboard,omitempty"`
	Autofill    string        `json:"autofill,omitempty"`
	EnterKey    EnterKey      `json:"enterKey,omitempty"`
	Emphasis    Emphasis      `json:"emphasis,omitempty"`
	Title       string        `json:"title,omitempty"`
	Placeholder string        `json:"placeholder,omitempty"`
	Hint        string        `json:"hint,omitempty"`
	Required    bool          `json:"required,omitempty"`
	MinLength   int64         `json:"minLength,omitempty"`
	MaxLength   int64         `json:"maxLength,omitempty"`
	Pattern     string        `json:"pattern,omitempty"`
	Value       any           `json:"value,omitempty"`
	// The input is never editable. Absent from all other inputs.
	ReadOnly bool      `json:"readOnly,omitempty"`
	Editable *bool     `json:"editable,omitempty"`
	Validity Validity  `json:"validity,omitempty"`
	Messages []Message `json:"messages,omitempty"`
	Filled   *bool     `json:"filled,omitempty"`
	// The number of options, if there are more than a snapshot contains. options then has only the selected one, or none.
	OptionCount int64      `json:"optionCount,omitempty"`
	Options     []Option   `json:"options,omitempty"`
	URL         string     `json:"url,omitempty"`
	Format      CodeFormat `json:"format,omitempty"`
	// For views that do not know the type.
	Text    string `json:"text,omitempty"`
	Type    string `json:"type,omitempty"`
	Request any    `json:"request,omitempty"`
}

type ItemKind string

const (
	ItemKindInput     ItemKind = "input"
	ItemKindSelection ItemKind = "selection"
	ItemKindSwitch    ItemKind = "switch"
	ItemKindText      ItemKind = "text"
	ItemKindLink      ItemKind = "link"
	ItemKindCode      ItemKind = "code"
	ItemKindExternal  ItemKind = "external"
)

type ItemInputType string

const (
	ItemInputTypeText        ItemInputType = "text"
	ItemInputTypeEmail       ItemInputType = "email"
	ItemInputTypeDate        ItemInputType = "date"
	ItemInputTypePassword    ItemInputType = "password"
	ItemInputTypeNewPassword ItemInputType = "newPassword"
	ItemInputTypeOneTimeCode ItemInputType = "oneTimeCode"
)

type Section struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	Items []Item `json:"items"`
}

// PrimaryAction: The button. Its id says what it does now.
type PrimaryAction struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Role    string `json:"role"`
	Enabled bool   `json:"enabled"`
}

type Action struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Role    ActionRole `json:"role"`
	Enabled bool       `json:"enabled"`
	// Only for links that make requests: set while only a throttle disables the link.
	RetryAt *RetryTime `json:"retryAt,omitempty"`
}

type ActionRole string

const (
	ActionRolePrimary ActionRole = "primary"
	ActionRoleLink    ActionRole = "link"
)

type AlertAction struct {
	ID      string          `json:"id"`
	Title   string          `json:"title"`
	Role    AlertActionRole `json:"role"`
	Enabled bool            `json:"enabled"`
}

type AlertActionRole string

const (
	AlertActionRoleDismiss     AlertActionRole = "dismiss"
	AlertActionRoleDestructive AlertActionRole = "destructive"
)

// Alert: A message that the user must dismiss first.
type Alert struct {
	ID    int64  `json:"id"`
	Title string `json:"title,omitempty"`
	// The texts of all messages, one per line.
	Text     string        `json:"text"`
	Messages []Message     `json:"messages"`
	Actions  []AlertAction `json:"actions"`
}

// Scene: What the application shows after the form: its scene of this name.
type Scene struct {
	ID        string `json:"id"`
	Principal string `json:"principal,omitempty"`
	// The authenticator's data, unchanged.
	Data map[string]any `json:"data,omitempty"`
	// The values of the form's plain items, by item id.
	Values map[string]any `json:"values"`
	Proofs []Proof        `json:"proofs,omitempty"`
}

// Direction: The writing direction of the language.
type Direction string

const (
	DirectionLtr Direction = "ltr"
	DirectionRtl Direction = "rtl"
)

// RetryTime: When the next request is possible.
type RetryTime struct {
	// Milliseconds since 1970 (UTC).
	At int64 `json:"at"`
	// The whole duration of the throttle in milliseconds, not the remaining time.
	AfterMs int64 `json:"afterMs"`
}

// Focus: Where the keyboard focus belongs.
type Focus struct {
	// The id of an item, the primary action or an alert's action.
	On    string `json:"on"`
	Since int64  `json:"since"`
}

// Snapshot: Everything that the view shows.
type Snapshot struct {
	Screen    string     `json:"screen"`
	State     State      `json:"state"`
	Title     string     `json:"title"`
	Locale    string     `json:"locale"`
	Direction Direction  `json:"direction"`
	Sections  []Section  `json:"sections"`
	Actions   []Action   `json:"actions"`
	Activity  bool       `json:"activity"`
	Error     *Message   `json:"error"`
	Notice    *Message   `json:"notice"`
	Alert     *Alert     `json:"alert"`
	Scene     *Scene     `json:"scene"`
	RetryAt   *RetryTime `json:"retryAt"`
	Focus     *Focus     `json:"focus"`
}

// Command: One change. An update's commands together turn what the view shows into the new snapshot.
type Command struct {
	Command   CommandName `json:"command"`
	Screen    string      `json:"screen,omitempty"`
	State     State       `json:"state,omitempty"`
	Title     string      `json:"title,omitempty"`
	Locale    string      `json:"locale,omitempty"`
	Direction Direction   `json:"direction,omitempty"`
	Sections  []Section   `json:"sections,omitempty"`
	Actions   []Action    `json:"actions,omitempty"`
	Item      string      `json:"item,omitempty"`
	Value     any         `json:"value,omitempty"`
	// For a selection with optionCount: the selected option, or none.
	Options    []Option       `json:"options,omitempty"`
	Filled     *bool          `json:"filled,omitempty"`
	Editable   *bool          `json:"editable,omitempty"`
	Validity   Validity       `json:"validity,omitempty"`
	Messages   []Message      `json:"messages,omitempty"`
	Action     string         `json:"action,omitempty"`
	Enabled    *bool          `json:"enabled,omitempty"`
	RetryAt    *RetryTime     `json:"retryAt,omitempty"`
	NewAction  *PrimaryAction `json:"newAction,omitempty"`
	Index      int64          `json:"index,omitempty"`
	NewSection *Section       `json:"newSection,omitempty"`
	Section    string         `json:"section,omitempty"`
	NewItem    *Item          `json:"newItem,omitempty"`
	Error      *Message       `json:"error,omitempty"`
	Notice     *Message       `json:"notice,omitempty"`
	Alert      *Alert         `json:"alert,omitempty"`
	Scene      *Scene         `json:"scene,omitempty"`
	Focus      *Focus         `json:"focus,omitempty"`
}

type CommandName string

const (
	CommandNameShowScreen    CommandName = "showScreen"
	CommandNameSetState      CommandName = "setState"
	CommandNameSetItem       CommandName = "setItem"
	CommandNameSetAction     CommandName = "setAction"
	CommandNameReplaceAction CommandName = "replaceAction"
	CommandNameInsertSection CommandName = "insertSection"
	CommandNameRemoveSection CommandName = "removeSection"
	CommandNameInsertItem    CommandName = "insertItem"
	CommandNameRemoveItem    CommandName = "removeItem"
	CommandNameShowActivity  CommandName = "showActivity"
	CommandNameHideActivity  CommandName = "hideActivity"
	CommandNameHideError     CommandName = "hideError"
	CommandNameHideNotice    CommandName = "hideNotice"
	CommandNameHideAlert     CommandName = "hideAlert"
	CommandNameShowError     CommandName = "showError"
	CommandNameShowNotice    CommandName = "showNotice"
	CommandNameShowAlert     CommandName = "showAlert"
	CommandNameShowScene     CommandName = "showScene"
	CommandNameSetRetryAt    CommandName = "setRetryAt"
	CommandNameSetFocus      CommandName = "setFocus"
)

type SessionUpdateParams struct {
	Session  string `json:"session"`
	Revision int64  `json:"revision"`
	// How many edits, presses and submits the engine has taken from the view, including refused ones.
	Events int64 `json:"events"`
	// Absent with detail: commands.
	Snapshot *Snapshot `json:"snapshot,omitempty"`
	// Absent with detail: snapshot.
	Commands []Command `json:"commands,omitempty"`
}

type SessionRefusedParams struct {
	// The name in the refused notification.
	Session string `json:"session"`
	Method  string `json:"method"`
	Error   Error  `json:"error"`
}

type SessionClosedParams struct {
	Session string              `json:"session"`
	Reason  SessionClosedReason `json:"reason"`
}

type SessionClosedReason string

const (
	SessionClosedReasonIdleTimeout SessionClosedReason = "idleTimeout"
	SessionClosedReasonRefused     SessionClosedReason = "refused"
)

type SessionGrantedParams struct {
	Session string `json:"session"`
	// Any JSON value except null, as the authenticator wrote it.
	Secret any `json:"secret"`
}

// RevisionResult: The result of session/edit, session/press, session/presented and session/locale.
type RevisionResult struct {
	Revision int64    `json:"revision"`
	Ignored  []string `json:"ignored,omitempty"`
}

type OpenResult struct {
	Session  string   `json:"session"`
	Revision int64    `json:"revision"`
	Ignored  []string `json:"ignored,omitempty"`
}

type SnapshotResult struct {
	Session  string `json:"session"`
	Revision int64  `json:"revision"`
	// How many updates still wait to be written after this snapshot.
	Queued   int64    `json:"queued,omitempty"`
	Events   int64    `json:"events"`
	Snapshot Snapshot `json:"snapshot"`
	Ignored  []string `json:"ignored,omitempty"`
}

type SaveResult struct {
	Saved   any      `json:"saved"`
	Ignored []string `json:"ignored,omitempty"`
}

type SubmitResult struct {
	Session  string `json:"session"`
	Revision int64  `json:"revision"`
	Events   int64  `json:"events"`
	// Absent if the call made no request.
	Outcome  Outcome  `json:"outcome,omitempty"`
	Snapshot Snapshot `json:"snapshot"`
	Ignored  []string `json:"ignored,omitempty"`
}

type OptionsResult struct {
	Session string   `json:"session"`
	Item    string   `json:"item"`
	Options []Option `json:"options"`
	Ignored []string `json:"ignored,omitempty"`
}

type ListedSession struct {
	Session  string `json:"session"`
	Flow     string `json:"flow"`
	Screen   string `json:"screen"`
	State    State  `json:"state"`
	Revision int64  `json:"revision"`
}

type ListResult struct {
	Sessions []ListedSession `json:"sessions"`
	// The cursor of the next page.
	Next int64 `json:"next,omitempty"`
}

// CloseResult: The result of session/close and $/cancelRequest.
type CloseResult struct {
	Ignored []string `json:"ignored,omitempty"`
}

type DescribedFlow struct {
	Flow    string   `json:"flow"`
	Screens []string `json:"screens"`
	Locales []string `json:"locales"`
}

type Limits struct {
	MaxSessions        int64 `json:"maxSessions"`
	MaxLineBytes       int64 `json:"maxLineBytes"`
	MaxValueBytes      int64 `json:"maxValueBytes"`
	MaxBatchEntries    int64 `json:"maxBatchEntries"`
	MaxBatchReplyBytes int64 `json:"maxBatchReplyBytes"`
	// 0 means never.
	IdleTimeoutMs int64 `json:"idleTimeoutMs"`
}

// DescribedAuthenticator: An authenticator: what it decides, and its own description if it has given one.
type DescribedAuthenticator struct {
	// The requests that it decides, as in --authenticator WHICH=WHAT; * stands for all others.
	For      string                     `json:"for"`
	Kind     DescribedAuthenticatorKind `json:"kind"`
	Name     string                     `json:"name,omitempty"`
	Version  string                     `json:"version,omitempty"`
	Requests []string                   `json:"requests,omitempty"`
}

type DescribedAuthenticatorKind string

const (
	DescribedAuthenticatorKindAccounts DescribedAuthenticatorKind = "accounts"
	DescribedAuthenticatorKindCommand  DescribedAuthenticatorKind = "command"
	DescribedAuthenticatorKindFrontend DescribedAuthenticatorKind = "frontend"
)

type DescribeResult struct {
	Name           string                   `json:"name"`
	Version        string                   `json:"version"`
	Protocol       string                   `json:"protocol"`
	Flows          []DescribedFlow          `json:"flows"`
	Limits         Limits                   `json:"limits"`
	Features       []DescribeResultFeatures `json:"features"`
	Authenticators []DescribedAuthenticator `json:"authenticators,omitempty"`
	Ignored        []string                 `json:"ignored,omitempty"`
}

type DescribeResultFeatures string

const (
	DescribeResultFeaturesLockstep    DescribeResultFeatures = "lockstep"
	DescribeResultFeaturesManualClock DescribeResultFeatures = "manualClock"
)

// StatsResult: Counters since the start of the run.
type StatsResult struct {
	Sessions  SessionCounts `json:"sessions"`
	Attempts  AttemptCounts `json:"attempts"`
	Outcomes  OutcomeCounts `json:"outcomes"`
	Latencies Latencies     `json:"latencies"`
}

type SessionCounts struct {
	// The current number.
	Open int64 `json:"open"`
	// Since the start of the run.
	Opened int64 `json:"opened"`
}

// AttemptCounts: Counts of questions to authenticators.
type AttemptCounts struct {
	// The current number.
	Open  int64 `json:"open"`
	Asked int64 `json:"asked"`
	// Including failures such as timeouts.
	Answered int64 `json:"answered"`
	// Cancelled because the answer was no longer needed.
	Cancelled int64 `json:"cancelled"`
}

type OutcomeCounts struct {
	Accepted int64 `json:"accepted"`
	// Including challenges with an error.
	Rejected  int64 `json:"rejected"`
	Throttled int64 `json:"throttled"`
	Challenge int64 `json:"challenge"`
	Notice    int64 `json:"notice"`
	// No authenticator decided.
	Failed int64 `json:"failed"`
}

// Latencies: The times of answers in milliseconds by the engine's clock.
type Latencies struct {
	SumMs     int64           `json:"sumMs"`
	LongestMs int64           `json:"longestMs"`
	Buckets   []LatencyBucket `json:"buckets"`
}

// LatencyBucket: The number of answers within upToMs. The bucket without upToMs counts all answers.
type LatencyBucket struct {
	UpToMs int64 `json:"upToMs,omitempty"`
	Count  int64 `json:"count"`
}

// Error: Why the engine refused a message. For an edit, press or submit in an open session, data has events, the number of the event.
type Error struct {
	Code int64 `json:"code"`
	// What to do, for developers.
	Message string    `json:"message"`
	Data    ErrorData `json:"data"`
}

type ErrorData struct {
	Code   ErrorDataCode `json:"code"`
	Reason string        `json:"reason,omitempty"`
	// The position in the line, in bytes.
	Offset int64 `json:"offset,omitempty"`
	Events int64 `json:"events,omitempty"`
	// The param at fault. For one of several values: values.ITEM.
	Param    string             `json:"param,omitempty"`
	State    State              `json:"state,omitempty"`
	Accepted *ErrorDataAccepted `json:"accepted,omitempty"`
	// The unknown name, if it is valid as a name.
	Name    string         `json:"name,omitempty"`
	Items   []string       `json:"items,omitempty"`
	Actions []string       `json:"actions,omitempty"`
	Flows   []string       `json:"flows,omitempty"`
	Screens []string       `json:"screens,omitempty"`
	Awaited int64          `json:"awaited,omitempty"`
	Limit   ErrorDataLimit `json:"limit,omitempty"`
	Maximum int64          `json:"maximum,omitempty"`
}

type ErrorDataCode string

const (
	ErrorDataCodeParseError     ErrorDataCode = "parseError"
	ErrorDataCodeInvalidRequest ErrorDataCode = "invalidRequest"
	ErrorDataCodeMethodNotFound ErrorDataCode = "methodNotFound"
	ErrorDataCodeInvalidParams  ErrorDataCode = "invalidParams"
	ErrorDataCodeUnknownSession ErrorDataCode = "unknownSession"
	ErrorDataCodeSessionExists  ErrorDataCode = "sessionExists"
	ErrorDataCodeNotAccepted    ErrorDataCode = "notAccepted"
	ErrorDataCodeStaleRevision  ErrorDataCode = "staleRevision"
	ErrorDataCodeUnknownItem    ErrorDataCode = "unknownItem"
	ErrorDataCodeUnknownAction  ErrorDataCode = "unknownAction"
	ErrorDataCodeUnknownFlow    ErrorDataCode = "unknownFlow"
	ErrorDataCodeUnknownScreen  ErrorDataCode = "unknownScreen"
	ErrorDataCodePresenting     ErrorDataCode = "presenting"
	ErrorDataCodeNotEditable    ErrorDataCode = "notEditable"
	ErrorDataCodeLimitExceeded  ErrorDataCode = "limitExceeded"
)

type ErrorDataAccepted struct {
	Items   []string `json:"items"`
	Actions []string `json:"actions"`
}

type ErrorDataLimit string

const (
	ErrorDataLimitMaxSessions        ErrorDataLimit = "maxSessions"
	ErrorDataLimitMaxLineBytes       ErrorDataLimit = "maxLineBytes"
	ErrorDataLimitMaxValueBytes      ErrorDataLimit = "maxValueBytes"
	ErrorDataLimitMaxBatchReplyBytes ErrorDataLimit = "maxBatchReplyBytes"
	ErrorDataLimitMaxExternalBytes   ErrorDataLimit = "maxExternalBytes"
	ErrorDataLimitMaxExternalDepth   ErrorDataLimit = "maxExternalDepth"
	ErrorDataLimitMaxContextBytes    ErrorDataLimit = "maxContextBytes"
	ErrorDataLimitMaxContextDepth    ErrorDataLimit = "maxContextDepth"
	ErrorDataLimitMaxOpeningSecrets  ErrorDataLimit = "maxOpeningSecrets"
	ErrorDataLimitMaxSavedCount      ErrorDataLimit = "maxSavedCount"
	ErrorDataLimitMaxSavedEntries    ErrorDataLimit = "maxSavedEntries"
)

// EngineDescribeParams: The params of `engine/describe`.
type EngineDescribeParams struct {
	// The protocol version that the view was written for.
	Protocol string `json:"protocol,omitempty"`
}

// SessionOpenParams: The params of `session/open`.
type SessionOpenParams struct {
	Session string `json:"session,omitempty"`
	Flow    string `json:"flow,omitempty"`
	Screen  string `json:"screen,omitempty"`
	Locale  string `json:"locale,omitempty"`
	// Initial values by item id. Secret items are not allowed.
	Values      map[string]any `json:"values,omitempty"`
	Transitions Transitions    `json:"transitions,omitempty"`
	Policy      Policy         `json:"policy,omitempty"`
	// Default: snapshot.
	Detail    Detail            `json:"detail,omitempty"`
	Principal string            `json:"principal,omitempty"`
	Context   map[string]any    `json:"context,omitempty"`
	Secrets   map[string]string `json:"secrets,omitempty"`
	Supports  []string          `json:"supports,omitempty"`
	// Can be combined only with session, detail, principal, context, secrets and protocol.
	Saved any `json:"saved,omitempty"`
	// The protocol version that the view was written for. The engine ignores unknown params of a view written for a later version.
	Protocol string `json:"protocol,omitempty"`
}

// SessionEditParams: The params of `session/edit`.
type SessionEditParams struct {
	Session string `json:"session"`
	Item    string `json:"item"`
	// The whole new value: a string, a boolean or null; for an external item any JSON value.
	Value any `json:"value"`
	// The revision of the snapshot that the user saw.
	Revision int64 `json:"revision,omitempty"`
}

// SessionPressParams: The params of `session/press`.
type SessionPressParams struct {
	Session string `json:"session"`
	Action  string `json:"action"`
	// The revision of the snapshot that the user saw.
	Revision int64 `json:"revision,omitempty"`
}

// SessionSubmitParams: The params of `session/submit`.
type SessionSubmitParams struct {
	Session string         `json:"session,omitempty"`
	Values  map[string]any `json:"values,omitempty"`
	// Default: the primary action, if it is submit or retry.
	Action string `json:"action,omitempty"`
	// The revision of the snapshot that the user saw.
	Revision int64 `json:"revision,omitempty"`
	// The time limit for the authenticator, if shorter than the flow's.
	TimeoutMs   int64       `json:"timeoutMs,omitempty"`
	Flow        string      `json:"flow,omitempty"`
	Screen      string      `json:"screen,omitempty"`
	Locale      string      `json:"locale,omitempty"`
	Transitions Transitions `json:"transitions,omitempty"`
	Policy      Policy      `json:"policy,omitempty"`
	// Default: snapshot.
	Detail    Detail            `json:"detail,omitempty"`
	Principal string            `json:"principal,omitempty"`
	Context   map[string]any    `json:"context,omitempty"`
	Secrets   map[string]string `json:"secrets,omitempty"`
	Supports  []string          `json:"supports,omitempty"`
	Protocol  string            `json:"protocol,omitempty"`
}

// SessionPresentedParams: The params of `session/presented`.
type SessionPresentedParams struct {
	Session  string `json:"session"`
	Revision int64  `json:"revision"`
}

// SessionOptionsParams: The params of `session/options`.
type SessionOptionsParams struct {
	Session string `json:"session"`
	Item    string `json:"item"`
	// The revision of the snapshot that shows the selection.
	Revision int64 `json:"revision,omitempty"`
}

// SessionListParams: The params of `session/list`.
type SessionListParams struct {
	// next from the previous page.
	Cursor int64 `json:"cursor,omitempty"`
	// Default: 100.
	Limit int64 `json:"limit,omitempty"`
}

// SessionLocaleParams: The params of `session/locale`.
type SessionLocaleParams struct {
	Session string `json:"session"`
	// A BCP 47 language tag.
	Locale string `json:"locale"`
}

// SessionCloseParams: The params of `session/close`.
type SessionCloseParams struct {
	// Default: all sessions.
	Session string `json:"session,omitempty"`
}

// EngineStatsParams: The params of `engine/stats`.
type EngineStatsParams struct{}

// SessionSaveParams: The params of `session/save`.
type SessionSaveParams struct {
	Session string `json:"session"`
}

// SessionSnapshotParams: The params of `session/snapshot`.
type SessionSnapshotParams struct {
	Session string `json:"session"`
}

type Transitions string

const (
	TransitionsInstant      Transitions = "instant"
	TransitionsAcknowledged Transitions = "acknowledged"
)

type Policy string

const (
	PolicyQueue  Policy = "queue"
	PolicyLatest Policy = "latest"
	PolicyReject Policy = "reject"
)
