package loginengine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A form, by the rules of protocol/updates.md, "Typing fast". The engine guards its state. */
public final class Session {
  private record Edit(long number, JsonNode item, JsonNode value) {}

  private final Engine engine;
  private final String name;
  private final Consumer<Change> listener;
  private final Model model = new Model();
  private Wire.Snapshot snapshot;
  long revision;
  private long sent, counted;
  /** The number of the last event that is no edit. */
  private long pressed;
  private List<Edit> underWay = new ArrayList<>();
  /** What the fields of edited items hold. */
  private Map<String, Edit> drafts = new HashMap<>();
  /** A press that waits until the engine has counted all edits, and its action. */
  private CompletableFuture<Wire.RevisionResult> held;
  private String heldAction;
  private boolean isClosed;

  Session(Engine engine, String name, Consumer<Change> listener) {
    this.engine = engine;
    this.name = name;
    this.listener = listener;
  }

  public String name() {
    return name;
  }

  /** Sends the whole new value of an item: a text, a boolean, null, or JSON. */
  public CompletableFuture<Wire.RevisionResult> edit(String item, Object value) {
    synchronized (engine) {
      return engine.call(new Wire.SessionEditParams(name, item, Wire.JSON.valueToTree(value), revision));
    }
  }

  /** Presses an action, or the primary action for null, once the engine has counted all edits: they may change what the button does. */
  public CompletableFuture<Wire.RevisionResult> press(String action) {
    synchronized (engine) {
      if (isClosed) return CompletableFuture.failedFuture(EngineException.closed());
      if (held != null || pressed > counted) return CompletableFuture.failedFuture(EngineException.dropped());
      var answer = held = new CompletableFuture<>();
      heldAction = action;
      release();
      return answer;
    }
  }

  /** Sets several values and presses the primary action. The result comes once the outcome is known. */
  public CompletableFuture<Wire.SubmitResult> submit(Map<String, ?> values) {
    synchronized (engine) {
      var tree = new HashMap<String, JsonNode>();
      values.forEach((item, value) -> tree.put(item, Wire.JSON.valueToTree(value)));
      return engine.call(Wire.SessionSubmitParams.of().withSession(name).withValues(tree).withRevision(revision));
    }
  }

  /** Closes the session, which forgets its secrets and cancels a pending login. */
  public CompletableFuture<Wire.CloseResult> close() {
    return engine.call(Wire.SessionCloseParams.of().withSession(name)).whenComplete((result, error) -> end("closed"));
  }

  /** Returns what an item's field holds: null for a secret that the engine has and that was not typed here. */
  public JsonNode value(Wire.Item item) {
    synchronized (engine) {
      var draft = drafts.get(item.id());
      return draft != null ? draft.value : held(Wire.JSON.valueToTree(item), NullNode.instance);
    }
  }

  /** Waits until the engine has counted all events and the condition holds, and returns the snapshot. */
  public Wire.Snapshot await(Predicate<Wire.Snapshot> condition, Duration timeout) throws InterruptedException, TimeoutException {
    var end = System.nanoTime() + timeout.toNanos();
    synchronized (engine) {
      while (!isLevel() || !condition.test(snapshot)) {
        var left = (end - System.nanoTime()) / 1_000_000;
        if (isClosed) throw EngineException.closed();
        if (left <= 0) throw new TimeoutException();
        engine.wait(left);
      }
      return snapshot;
    }
  }

  private boolean isLevel() {
    return counted >= sent && revision > 0;
  }

  /** Numbers an event that is sent. */
  void record(String method, JsonNode params) {
    if (!List.of("session/edit", "session/press", "session/submit").contains(method)) return;
    sent++;
    if (method.equals("session/edit")) {
      var edit = new Edit(sent, params.path("item"), params.path("value"));
      underWay.add(edit);
      drafts.put(edit.item.asText(), edit);
    } else {
      pressed = sent;
    }
  }

  /** Sends the press that waits, if the engine has counted everything. */
  private void release() {
    if (held == null || !isLevel()) return;
    var primary = snapshot.actions().stream().filter(action -> action.role() == Wire.ActionRole.PRIMARY).map(Wire.Action::id).findFirst();
    var action = heldAction != null ? heldAction : primary.orElse("");
    engine.call(new Wire.SessionPressParams(name, action, revision), held);
    held = null;
  }

  void receive(String method, JsonNode params) {
    switch (method) {
      case "session/update" -> update(params);
      case "session/granted" -> listener.accept(new Change.Granted(params.path("secret")));
      case "session/closed" -> end(params.path("reason").asText());
      default -> {}
    }
  }

  void end(String reason) {
    synchronized (engine) {
      if (isClosed) return;
      isClosed = true;
      drafts.clear();
      underWay.clear();
      engine.sessions.remove(name, this);
      engine.notifyAll();
    }
    drop(EngineException.closed());
    listener.accept(new Change.Closed(reason));
  }

  private void drop(EngineException error) {
    var answer = held;
    held = null;
    if (answer != null) answer.completeExceptionally(error);
  }

  private void update(JsonNode params) {
    Change change;
    synchronized (engine) {
      // Only the answer to a refused event repeats the revision.
      take(params.path("events").asLong(), params.path("revision").asLong() == revision);
      revision = params.path("revision").asLong();
      boolean isKnown = params.has("commands"), isShown = false, isViolation = false;
      for (var command : params.path("commands")) {
        isKnown &= model.apply(command);
        isShown |= command.path("command").asText().equals("showScreen");
      }
      if (params.has("snapshot")) {
        isViolation = isKnown && !model.shown.equals(params.get("snapshot"));
        model.shown = ((ObjectNode) params.get("snapshot")).deepCopy();
      }
      var before = snapshot;
      try {
        snapshot = Wire.JSON.treeToValue(model.shown, Wire.Snapshot.class);
        change = new Change.Updated(Wire.JSON.treeToValue(params, Wire.SessionUpdateParams.class), snapshot, isViolation);
      } catch (JsonProcessingException error) {
        throw new EngineException("The update has members of unexpected types.");
      }
      var isNew = before == null || !before.screen().equals(snapshot.screen()) || isShown && before.locale().equals(snapshot.locale());
      settle(isNew || snapshot.scene() != null);
      if (isNew) drop(EngineException.dropped());
      release();
      engine.notifyAll();
    }
    listener.accept(change);
  }

  /** Notes how many events the engine has counted. It has accepted their edits, except the last event if that was refused. */
  private void take(long events, boolean isRefusal) {
    counted = events;
    for (var edit : underWay) {
      if (edit.number < events || edit.number == events && !isRefusal) model.enter(edit.item, edit.value);
      else if (edit.number == events) drafts.computeIfPresent(edit.item.asText(),
          (item, draft) -> draft == edit ? new Edit(events, edit.item, NullNode.instance) : draft);
    }
    underWay.removeIf(edit -> edit.number <= events);
  }

  /** Keeps the user's input where the user is ahead. The other fields hold what the engine has, and a filled secret its text. */
  private void settle(boolean isNew) {
    var kept = new HashMap<String, Edit>();
    for (var section : model.shown.path("sections")) {
      for (var item : section.path("items")) {
        var id = item.path("id").asText();
        var draft = drafts.get(id);
        if (draft == null || isNew && !item.path("filled").asBoolean()) continue;
        kept.put(id, draft.number > counted ? draft : new Edit(draft.number, draft.item, held(item, draft.value)));
      }
    }
    drafts = kept;
  }

  /** Returns what a field holds once the engine has counted its edits. Only the field knows the text of a secret. */
  private static JsonNode held(JsonNode item, JsonNode text) {
    if (!item.has("filled")) return item.path("value");
    return item.path("filled").asBoolean() ? text : TextNode.valueOf("");
  }
}
