// Generated from protocol/openrpc.json by clients/types. Do not edit.

package loginengine;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Map;

/** The types of the protocol. */
public final class Wire {
  /** Ignores members of later versions. Numbers are exact. */
  public static final ObjectMapper JSON = JsonMapper.builder()
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .nodeFactory(JsonNodeFactory.withExactBigDecimals(true))
      .build();

  private Wire() {}

  /** The params of a request. */
  public interface Request<R> {
    String method();

    Class<R> answer();
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Proof(
      String factor,
      /** When the factor was verified, in milliseconds since 1970 (UTC). */
      long at) {}

  /** What updates contain: the snapshot, the commands, or both (full). */
  public enum Detail {
    @JsonProperty("snapshot") SNAPSHOT,
    @JsonProperty("full") FULL,
    @JsonProperty("commands") COMMANDS,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /**
   * The result of a request: an authenticator's answer; failed: no authenticator decided; invalid: the values do not meet the rules, and none
   * was asked; cancelled; closed.
   */
  public enum Outcome {
    @JsonProperty("accepted") ACCEPTED,
    @JsonProperty("rejected") REJECTED,
    @JsonProperty("throttled") THROTTLED,
    @JsonProperty("challenge") CHALLENGE,
    @JsonProperty("notice") NOTICE,
    @JsonProperty("failed") FAILED,
    @JsonProperty("invalid") INVALID,
    @JsonProperty("cancelled") CANCELLED,
    @JsonProperty("closed") CLOSED,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  public enum Severity {
    @JsonProperty("info") INFO,
    @JsonProperty("success") SUCCESS,
    @JsonProperty("warning") WARNING,
    @JsonProperty("error") ERROR,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** A message to the user. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Message(
      String code,
      /** In the session's language. */
      String text,
      Map<String, JsonNode> params,
      Severity severity) {}

  public enum State {
    @JsonProperty("initial") INITIAL,
    @JsonProperty("unvalidated") UNVALIDATED,
    @JsonProperty("validated") VALIDATED,
    @JsonProperty("requestPending") REQUEST_PENDING,
    @JsonProperty("requestFailed") REQUEST_FAILED,
    @JsonProperty("requestSucceeded") REQUEST_SUCCEEDED,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** unknown until the user edits the item or tries to submit. */
  public enum Validity {
    @JsonProperty("unknown") UNKNOWN,
    @JsonProperty("valid") VALID,
    @JsonProperty("invalid") INVALID,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  public enum Emphasis {
    @JsonProperty("normal") NORMAL,
    @JsonProperty("subdued") SUBDUED,
    @JsonProperty("prominent") PROMINENT,
    @JsonProperty("critical") CRITICAL,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  public enum Keyboard {
    @JsonProperty("text") TEXT,
    @JsonProperty("ascii") ASCII,
    @JsonProperty("email") EMAIL,
    @JsonProperty("number") NUMBER,
    @JsonProperty("phone") PHONE,
    @JsonProperty("url") URL,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  public enum EnterKey {
    @JsonProperty("enter") ENTER,
    @JsonProperty("done") DONE,
    @JsonProperty("go") GO,
    @JsonProperty("next") NEXT,
    @JsonProperty("previous") PREVIOUS,
    @JsonProperty("search") SEARCH,
    @JsonProperty("send") SEND,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** A text input whose value the view knows. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PlainInput(
      String id,
      String kind,
      /** A complete date has the form YYYY-MM-DD. While the user types, the value can be any text. */
      PlainInputInputType inputType,
      Keyboard keyboard,
      String autofill,
      EnterKey enterKey,
      Emphasis emphasis,
      String title,
      String placeholder,
      String hint,
      Boolean required,
      Long minLength,
      Long maxLength,
      String pattern,
      @JsonInclude(JsonInclude.Include.ALWAYS) String value,
      /** The input is never editable. Absent from all other inputs. */
      Boolean readOnly,
      boolean editable,
      Validity validity,
      List<Message> messages) implements Item {}

  public enum PlainInputInputType {
    @JsonProperty("text") TEXT,
    @JsonProperty("email") EMAIL,
    @JsonProperty("date") DATE,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** A text input whose value the view never receives. filled says whether there is a value. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SecretInput(
      String id,
      String kind,
      SecretInputInputType inputType,
      Keyboard keyboard,
      String autofill,
      EnterKey enterKey,
      Emphasis emphasis,
      String title,
      String placeholder,
      String hint,
      Boolean required,
      Long minLength,
      Long maxLength,
      String pattern,
      boolean filled,
      boolean editable,
      Validity validity,
      List<Message> messages) implements Item {}

  public enum SecretInputInputType {
    @JsonProperty("password") PASSWORD,
    @JsonProperty("newPassword") NEW_PASSWORD,
    @JsonProperty("oneTimeCode") ONE_TIME_CODE,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Option(
      String id,
      String title) {}

  /** A choice of one option or none. It has validity and messages if it has rules or a check. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Selection(
      String id,
      String kind,
      Emphasis emphasis,
      String title,
      String hint,
      Boolean required,
      /** The number of options, if there are more than a snapshot contains. options then has only the selected one, or none. */
      Long optionCount,
      List<Option> options,
      @JsonInclude(JsonInclude.Include.ALWAYS) String value,
      boolean editable,
      Validity validity,
      List<Message> messages) implements Item {}

  /** On, off, or not set yet. It has validity and messages if it has rules. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Switch(
      String id,
      String kind,
      Emphasis emphasis,
      String title,
      String hint,
      Boolean required,
      @JsonInclude(JsonInclude.Include.ALWAYS) Boolean value,
      boolean editable,
      Validity validity,
      List<Message> messages) implements Item {}

  /** A text to read. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Text(
      String id,
      String kind,
      Emphasis emphasis,
      String title) implements Item {}

  /** A link to a page outside the form. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Link(
      String id,
      String kind,
      Emphasis emphasis,
      String title,
      String url) implements Item {}

  public enum CodeFormat {
    @JsonProperty("qr") QR,
    @JsonProperty("plain") PLAIN,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** A text for another device or program, to scan, copy or read. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CodeItem(
      String id,
      String kind,
      CodeFormat format,
      Emphasis emphasis,
      String title,
      String text) implements Item {}

  /** An item of a type that only views know. It has validity and messages if it has rules. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record External(
      String id,
      String kind,
      String type,
      Emphasis emphasis,
      String title,
      String hint,
      Boolean required,
      /** For views that do not know the type. */
      String text,
      JsonNode request,
      @JsonInclude(JsonInclude.Include.ALWAYS) JsonNode value,
      boolean editable,
      Validity validity,
      List<Message> messages) implements Item {}

  public sealed interface Item {
    String id();

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Item of(JsonNode it) {
      try {
        var is = it.path("kind").asText();
        if (is.equals("input") && it.has("value")) return JSON.treeToValue(it, PlainInput.class);
        if (is.equals("input") && it.has("filled")) return JSON.treeToValue(it, SecretInput.class);
        if (is.equals("selection")) return JSON.treeToValue(it, Selection.class);
        if (is.equals("switch")) return JSON.treeToValue(it, Switch.class);
        if (is.equals("text")) return JSON.treeToValue(it, Text.class);
        if (is.equals("link")) return JSON.treeToValue(it, Link.class);
        if (is.equals("code")) return JSON.treeToValue(it, CodeItem.class);
        if (is.equals("external")) return JSON.treeToValue(it, External.class);
      } catch (JsonProcessingException error) {
        // Members that this version does not expect.
      }
      return new UnknownItem(it);
    }
  }

  /** Of a later version. */
  public record UnknownItem(JsonNode json) implements Item {
    @JsonValue
    public JsonNode json() {
      return json;
    }

    public String id() {
      return json.path("id").asText();
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Section(
      String id,
      String title,
      List<Item> items) {}

  /** The button. Its id says what it does now. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PrimaryAction(
      String id,
      String title,
      String role,
      boolean enabled) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Action(
      String id,
      String title,
      ActionRole role,
      boolean enabled,
      /** Only for links that make requests: set while only a throttle disables the link. */
      RetryTime retryAt) {}

  public enum ActionRole {
    @JsonProperty("primary") PRIMARY,
    @JsonProperty("link") LINK,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AlertAction(
      String id,
      String title,
      AlertActionRole role,
      boolean enabled) {}

  public enum AlertActionRole {
    @JsonProperty("dismiss") DISMISS,
    @JsonProperty("destructive") DESTRUCTIVE,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** A message that the user must dismiss first. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Alert(
      long id,
      String title,
      /** The texts of all messages, one per line. */
      String text,
      List<Message> messages,
      List<AlertAction> actions) {}

  /** What the application shows after the form: its scene of this name. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Scene(
      String id,
      String principal,
      /** The authenticator's data, unchanged. */
      Map<String, JsonNode> data,
      /** The values of the form's plain items, by item id. */
      Map<String, JsonNode> values,
      List<Proof> proofs) {}

  /** The writing direction of the language. */
  public enum Direction {
    @JsonProperty("ltr") LTR,
    @JsonProperty("rtl") RTL,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** When the next request is possible. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RetryTime(
      /** Milliseconds since 1970 (UTC). */
      long at,
      /** The whole duration of the throttle in milliseconds, not the remaining time. */
      long afterMs) {}

  /** Where the keyboard focus belongs. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Focus(
      /** The id of an item, the primary action or an alert's action. */
      String on,
      long since) {}

  /** Everything that the view shows. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Snapshot(
      String screen,
      State state,
      String title,
      String locale,
      Direction direction,
      List<Section> sections,
      List<Action> actions,
      boolean activity,
      @JsonInclude(JsonInclude.Include.ALWAYS) Message error,
      @JsonInclude(JsonInclude.Include.ALWAYS) Message notice,
      @JsonInclude(JsonInclude.Include.ALWAYS) Alert alert,
      @JsonInclude(JsonInclude.Include.ALWAYS) Scene scene,
      @JsonInclude(JsonInclude.Include.ALWAYS) RetryTime retryAt,
      @JsonInclude(JsonInclude.Include.ALWAYS) Focus focus) {}

  /** Replaces everything. activity becomes false, and error, notice, alert, scene, retryAt and focus become null until a later command sets them. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ShowScreen(
      String command,
      String screen,
      State state,
      String title,
      String locale,
      Direction direction,
      List<Section> sections,
      List<Action> actions) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SetState(
      String command,
      State state) implements Command {}

  /** Sets some members of an item. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SetItem(
      String command,
      String item,
      JsonNode value,
      /** For a selection with optionCount: the selected option, or none. */
      List<Option> options,
      Boolean filled,
      Boolean editable,
      Validity validity,
      List<Message> messages) implements Command {}

  /** Sets some members of an action. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SetAction(
      String command,
      String action,
      Boolean enabled,
      RetryTime retryAt) implements Command {}

  /** Replaces an action with another. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ReplaceAction(
      String command,
      String action,
      PrimaryAction newAction) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record InsertSection(
      String command,
      long index,
      Section newSection) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RemoveSection(
      String command,
      String section) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record InsertItem(
      String command,
      String section,
      long index,
      Item newItem) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RemoveItem(
      String command,
      String item) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PlainCommand(
      PlainCommandCommand command) implements Command {}

  public enum PlainCommandCommand {
    @JsonProperty("showActivity") SHOW_ACTIVITY,
    @JsonProperty("hideActivity") HIDE_ACTIVITY,
    @JsonProperty("hideError") HIDE_ERROR,
    @JsonProperty("hideNotice") HIDE_NOTICE,
    @JsonProperty("hideAlert") HIDE_ALERT,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ShowError(
      String command,
      Message error) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ShowNotice(
      String command,
      Message notice) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ShowAlert(
      String command,
      Alert alert) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ShowScene(
      String command,
      Scene scene) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SetRetryAt(
      String command,
      @JsonInclude(JsonInclude.Include.ALWAYS) RetryTime retryAt) implements Command {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SetFocus(
      String command,
      @JsonInclude(JsonInclude.Include.ALWAYS) Focus focus) implements Command {}

  /** One change. An update's commands together turn what the view shows into the new snapshot. */
  public sealed interface Command {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Command of(JsonNode it) {
      try {
        var is = it.path("command").asText();
        if (is.equals("showScreen")) return JSON.treeToValue(it, ShowScreen.class);
        if (is.equals("setState")) return JSON.treeToValue(it, SetState.class);
        if (is.equals("setItem")) return JSON.treeToValue(it, SetItem.class);
        if (is.equals("setAction")) return JSON.treeToValue(it, SetAction.class);
        if (is.equals("replaceAction")) return JSON.treeToValue(it, ReplaceAction.class);
        if (is.equals("insertSection")) return JSON.treeToValue(it, InsertSection.class);
        if (is.equals("removeSection")) return JSON.treeToValue(it, RemoveSection.class);
        if (is.equals("insertItem")) return JSON.treeToValue(it, InsertItem.class);
        if (is.equals("removeItem")) return JSON.treeToValue(it, RemoveItem.class);
        if (List.of("showActivity", "hideActivity", "hideError", "hideNotice", "hideAlert").contains(is)) return JSON.treeToValue(it, PlainCommand.class);
        if (is.equals("showError")) return JSON.treeToValue(it, ShowError.class);
        if (is.equals("showNotice")) return JSON.treeToValue(it, ShowNotice.class);
        if (is.equals("showAlert")) return JSON.treeToValue(it, ShowAlert.class);
        if (is.equals("showScene")) return JSON.treeToValue(it, ShowScene.class);
        if (is.equals("setRetryAt")) return JSON.treeToValue(it, SetRetryAt.class);
        if (is.equals("setFocus")) return JSON.treeToValue(it, SetFocus.class);
      } catch (JsonProcessingException error) {
        // Members that this version does not expect.
      }
      return new UnknownCommand(it);
    }
  }

  /** Of a later version. */
  public record UnknownCommand(JsonNode json) implements Command {
    @JsonValue
    public JsonNode json() {
      return json;
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionUpdateParams(
      String session,
      long revision,
      /** How many edits, presses and submits the engine has taken from the view, including refused ones. */
      long events,
      /** Absent with detail: commands. */
      Snapshot snapshot,
      /** Absent with detail: snapshot. */
      List<Command> commands) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionRefusedParams(
      /** The name in the refused notification. */
      String session,
      String method,
      Error error) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionClosedParams(
      String session,
      SessionClosedReason reason) {}

  public enum SessionClosedReason {
    @JsonProperty("idleTimeout") IDLE_TIMEOUT,
    @JsonProperty("refused") REFUSED,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionGrantedParams(
      String session,
      /** Any JSON value except null, as the authenticator wrote it. */
      @JsonInclude(JsonInclude.Include.ALWAYS) JsonNode secret) {}

  /** The result of session/edit, session/press, session/presented and session/locale. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RevisionResult(
      long revision,
      List<String> ignored) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OpenResult(
      String session,
      long revision,
      List<String> ignored) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SnapshotResult(
      String session,
      long revision,
      /** How many updates still wait to be written after this snapshot. */
      Long queued,
      long events,
      Snapshot snapshot,
      List<String> ignored) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SaveResult(
      @JsonInclude(JsonInclude.Include.ALWAYS) JsonNode saved,
      List<String> ignored) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SubmitResult(
      String session,
      long revision,
      long events,
      /** Absent if the call made no request. */
      Outcome outcome,
      Snapshot snapshot,
      List<String> ignored) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OptionsResult(
      String session,
      String item,
      List<Option> options,
      List<String> ignored) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ListedSession(
      String session,
      String flow,
      String screen,
      State state,
      long revision) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ListResult(
      List<ListedSession> sessions,
      /** The cursor of the next page. */
      Long next) {}

  /** The result of session/close and $/cancelRequest. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CloseResult(
      List<String> ignored) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DescribedFlow(
      String flow,
      List<String> screens,
      List<String> locales) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Limits(
      long maxSessions,
      long maxLineBytes,
      long maxValueBytes,
      long maxBatchEntries,
      long maxBatchReplyBytes,
      /** 0 means never. */
      long idleTimeoutMs) {}

  /** An authenticator: what it decides, and its own description if it has given one. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DescribedAuthenticator(
      /** The requests that it decides, as in --authenticator WHICH=WHAT; * stands for all others. */
      @JsonProperty("for") String for_,
      DescribedAuthenticatorKind kind,
      String name,
      String version,
      List<String> requests) {}

  public enum DescribedAuthenticatorKind {
    @JsonProperty("accounts") ACCOUNTS,
    @JsonProperty("command") COMMAND,
    @JsonProperty("frontend") FRONTEND,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DescribeResult(
      String name,
      String version,
      String protocol,
      List<DescribedFlow> flows,
      Limits limits,
      List<DescribeResultFeatures> features,
      List<DescribedAuthenticator> authenticators,
      List<String> ignored) {}

  public enum DescribeResultFeatures {
    @JsonProperty("lockstep") LOCKSTEP,
    @JsonProperty("manualClock") MANUAL_CLOCK,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** Counters since the start of the run. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record StatsResult(
      SessionCounts sessions,
      AttemptCounts attempts,
      OutcomeCounts outcomes,
      Latencies latencies) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionCounts(
      /** The current number. */
      long open,
      /** Since the start of the run. */
      long opened) {}

  /** Counts of questions to authenticators. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AttemptCounts(
      /** The current number. */
      long open,
      long asked,
      /** Including failures such as timeouts. */
      long answered,
      /** Cancelled because the answer was no longer needed. */
      long cancelled) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record OutcomeCounts(
      long accepted,
      /** Including challenges with an error. */
      long rejected,
      long throttled,
      long challenge,
      long notice,
      /** No authenticator decided. */
      long failed) {}

  /** The times of answers in milliseconds by the engine's clock. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Latencies(
      long sumMs,
      long longestMs,
      List<LatencyBucket> buckets) {}

  /** The number of answers within upToMs. The bucket without upToMs counts all answers. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record LatencyBucket(
      Long upToMs,
      long count) {}

  /** Why the engine refused a message. For an edit, press or submit in an open session, data has events, the number of the event. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Error(
      long code,
      /** What to do, for developers. */
      String message,
      ErrorData data) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ErrorData(
      ErrorDataCode code,
      String reason,
      /** The position in the line, in bytes. */
      Long offset,
      Long events,
      /** The param at fault. For one of several values: values.ITEM. */
      String param,
      State state,
      ErrorDataAccepted accepted,
      /** The unknown name, if it is valid as a name. */
      String name,
      List<String> items,
      List<String> actions,
      List<String> flows,
      List<String> screens,
      Long awaited,
      ErrorDataLimit limit,
      Long maximum) {}

  public enum ErrorDataCode {
    @JsonProperty("parseError") PARSE_ERROR,
    @JsonProperty("invalidRequest") INVALID_REQUEST,
    @JsonProperty("methodNotFound") METHOD_NOT_FOUND,
    @JsonProperty("invalidParams") INVALID_PARAMS,
    @JsonProperty("unknownSession") UNKNOWN_SESSION,
    @JsonProperty("sessionExists") SESSION_EXISTS,
    @JsonProperty("notAccepted") NOT_ACCEPTED,
    @JsonProperty("staleRevision") STALE_REVISION,
    @JsonProperty("unknownItem") UNKNOWN_ITEM,
    @JsonProperty("unknownAction") UNKNOWN_ACTION,
    @JsonProperty("unknownFlow") UNKNOWN_FLOW,
    @JsonProperty("unknownScreen") UNKNOWN_SCREEN,
    @JsonProperty("presenting") PRESENTING,
    @JsonProperty("notEditable") NOT_EDITABLE,
    @JsonProperty("limitExceeded") LIMIT_EXCEEDED,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ErrorDataAccepted(
      List<String> items,
      List<String> actions) {}

  public enum ErrorDataLimit {
    @JsonProperty("maxSessions") MAX_SESSIONS,
    @JsonProperty("maxLineBytes") MAX_LINE_BYTES,
    @JsonProperty("maxValueBytes") MAX_VALUE_BYTES,
    @JsonProperty("maxBatchReplyBytes") MAX_BATCH_REPLY_BYTES,
    @JsonProperty("maxExternalBytes") MAX_EXTERNAL_BYTES,
    @JsonProperty("maxExternalDepth") MAX_EXTERNAL_DEPTH,
    @JsonProperty("maxContextBytes") MAX_CONTEXT_BYTES,
    @JsonProperty("maxContextDepth") MAX_CONTEXT_DEPTH,
    @JsonProperty("maxOpeningSecrets") MAX_OPENING_SECRETS,
    @JsonProperty("maxSavedCount") MAX_SAVED_COUNT,
    @JsonProperty("maxSavedEntries") MAX_SAVED_ENTRIES,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  /** The params of `engine/describe`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record EngineDescribeParams(
      /** The protocol version that the view was written for. */
      String protocol) implements Request<DescribeResult> {
    public String method() {
      return "engine/describe";
    }

    public Class<DescribeResult> answer() {
      return DescribeResult.class;
    }

    public static EngineDescribeParams of() {
      return new EngineDescribeParams(null);
    }

    public EngineDescribeParams withProtocol(String protocol) {
      return new EngineDescribeParams(protocol);
    }
  }

  /** The params of `session/open`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionOpenParams(
      String session,
      String flow,
      String screen,
      String locale,
      /** Initial values by item id. Secret items are not allowed. */
      Map<String, JsonNode> values,
      Transitions transitions,
      Policy policy,
      /** Default: snapshot. */
      Detail detail,
      String principal,
      Map<String, JsonNode> context,
      Map<String, String> secrets,
      List<String> supports,
      /** Can be combined only with session, detail, principal, context, secrets and protocol. */
      JsonNode saved,
      /** The protocol version that the view was written for. The engine ignores unknown params of a view written for a later version. */
      String protocol) implements Request<OpenResult> {
    public String method() {
      return "session/open";
    }

    public Class<OpenResult> answer() {
      return OpenResult.class;
    }

    public static SessionOpenParams of() {
      return new SessionOpenParams(null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    public SessionOpenParams withSession(String session) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withFlow(String flow) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withScreen(String screen) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withLocale(String locale) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withValues(Map<String, JsonNode> values) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withTransitions(Transitions transitions) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withPolicy(Policy policy) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withDetail(Detail detail) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withPrincipal(String principal) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withContext(Map<String, JsonNode> context) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withSecrets(Map<String, String> secrets) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withSupports(List<String> supports) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withSaved(JsonNode saved) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }

    public SessionOpenParams withProtocol(String protocol) {
      return new SessionOpenParams(session, flow, screen, locale, values, transitions, policy, detail, principal, context, secrets, supports, saved,
          protocol);
    }
  }

  /** The params of `session/edit`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionEditParams(
      String session,
      String item,
      /** The whole new value: a string, a boolean or null; for an external item any JSON value. */
      @JsonInclude(JsonInclude.Include.ALWAYS) JsonNode value,
      /** The revision of the snapshot that the user saw. */
      Long revision) implements Request<RevisionResult> {
    public String method() {
      return "session/edit";
    }

    public Class<RevisionResult> answer() {
      return RevisionResult.class;
    }

    public static SessionEditParams of(String session, String item, JsonNode value) {
      return new SessionEditParams(session, item, value, null);
    }

    public SessionEditParams withRevision(Long revision) {
      return new SessionEditParams(session, item, value, revision);
    }
  }

  /** The params of `session/press`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionPressParams(
      String session,
      String action,
      /** The revision of the snapshot that the user saw. */
      Long revision) implements Request<RevisionResult> {
    public String method() {
      return "session/press";
    }

    public Class<RevisionResult> answer() {
      return RevisionResult.class;
    }

    public static SessionPressParams of(String session, String action) {
      return new SessionPressParams(session, action, null);
    }

    public SessionPressParams withRevision(Long revision) {
      return new SessionPressParams(session, action, revision);
    }
  }

  /** The params of `session/submit`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionSubmitParams(
      String session,
      Map<String, JsonNode> values,
      /** Default: the primary action, if it is submit or retry. */
      String action,
      /** The revision of the snapshot that the user saw. */
      Long revision,
      /** The time limit for the authenticator, if shorter than the flow's. */
      Long timeoutMs,
      String flow,
      String screen,
      String locale,
      Transitions transitions,
      Policy policy,
      /** Default: snapshot. */
      Detail detail,
      String principal,
      Map<String, JsonNode> context,
      Map<String, String> secrets,
      List<String> supports,
      String protocol) implements Request<SubmitResult> {
    public String method() {
      return "session/submit";
    }

    public Class<SubmitResult> answer() {
      return SubmitResult.class;
    }

    public static SessionSubmitParams of() {
      return new SessionSubmitParams(null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    public SessionSubmitParams withSession(String session) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withValues(Map<String, JsonNode> values) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withAction(String action) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withRevision(Long revision) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withTimeoutMs(Long timeoutMs) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withFlow(String flow) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withScreen(String screen) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withLocale(String locale) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withTransitions(Transitions transitions) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withPolicy(Policy policy) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withDetail(Detail detail) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withPrincipal(String principal) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withContext(Map<String, JsonNode> context) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withSecrets(Map<String, String> secrets) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withSupports(List<String> supports) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }

    public SessionSubmitParams withProtocol(String protocol) {
      return new SessionSubmitParams(session, values, action, revision, timeoutMs, flow, screen, locale, transitions, policy, detail, principal, context,
          secrets, supports, protocol);
    }
  }

  /** The params of `session/presented`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionPresentedParams(
      String session,
      long revision) implements Request<RevisionResult> {
    public String method() {
      return "session/presented";
    }

    public Class<RevisionResult> answer() {
      return RevisionResult.class;
    }
  }

  /** The params of `session/options`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionOptionsParams(
      String session,
      String item,
      /** The revision of the snapshot that shows the selection. */
      Long revision) implements Request<OptionsResult> {
    public String method() {
      return "session/options";
    }

    public Class<OptionsResult> answer() {
      return OptionsResult.class;
    }

    public static SessionOptionsParams of(String session, String item) {
      return new SessionOptionsParams(session, item, null);
    }

    public SessionOptionsParams withRevision(Long revision) {
      return new SessionOptionsParams(session, item, revision);
    }
  }

  /** The params of `session/list`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionListParams(
      /** next from the previous page. */
      Long cursor,
      /** Default: 100. */
      Long limit) implements Request<ListResult> {
    public String method() {
      return "session/list";
    }

    public Class<ListResult> answer() {
      return ListResult.class;
    }

    public static SessionListParams of() {
      return new SessionListParams(null, null);
    }

    public SessionListParams withCursor(Long cursor) {
      return new SessionListParams(cursor, limit);
    }

    public SessionListParams withLimit(Long limit) {
      return new SessionListParams(cursor, limit);
    }
  }

  /** The params of `session/locale`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionLocaleParams(
      String session,
      /** A BCP 47 language tag. */
      String locale) implements Request<RevisionResult> {
    public String method() {
      return "session/locale";
    }

    public Class<RevisionResult> answer() {
      return RevisionResult.class;
    }
  }

  /** The params of `session/close`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionCloseParams(
      /** Default: all sessions. */
      String session) implements Request<CloseResult> {
    public String method() {
      return "session/close";
    }

    public Class<CloseResult> answer() {
      return CloseResult.class;
    }

    public static SessionCloseParams of() {
      return new SessionCloseParams(null);
    }

    public SessionCloseParams withSession(String session) {
      return new SessionCloseParams(session);
    }
  }

  /** The params of `engine/stats`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record EngineStatsParams() implements Request<StatsResult> {
    public String method() {
      return "engine/stats";
    }

    public Class<StatsResult> answer() {
      return StatsResult.class;
    }
  }

  /** The params of `session/save`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionSaveParams(
      String session) implements Request<SaveResult> {
    public String method() {
      return "session/save";
    }

    public Class<SaveResult> answer() {
      return SaveResult.class;
    }
  }

  /** The params of `session/snapshot`. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionSnapshotParams(
      String session) implements Request<SnapshotResult> {
    public String method() {
      return "session/snapshot";
    }

    public Class<SnapshotResult> answer() {
      return SnapshotResult.class;
    }
  }

  public enum Transitions {
    @JsonProperty("instant") INSTANT,
    @JsonProperty("acknowledged") ACKNOWLEDGED,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }

  public enum Policy {
    @JsonProperty("queue") QUEUE,
    @JsonProperty("latest") LATEST,
    @JsonProperty("reject") REJECT,
    /** Of a later version. */
    @JsonEnumDefaultValue OTHER
  }
}
