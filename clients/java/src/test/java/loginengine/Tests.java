package loginengine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;

/** Usage: Tests ENGINE ROOT, with the root of the repository. Prints `N passed, M failed` at the end. */
final class Tests {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Tally tally = new Tally();
  private static String program;
  /** While a test has it, no further update is read. */
  private static final ReentrantLock gate = new ReentrantLock();

  public static void main(String[] arguments) throws Exception {
    program = arguments[0];
    heldBack();
    drafts();
    requests();
    ended();
    laterVersions();
    violations();
    var updates = Transcripts.play(program, Path.of(arguments[1]).toRealPath(), tally);
    tally.check("the transcripts have updates", updates > 2000);
    tally.print();
  }

  private static Engine begin() throws Exception {
    var command = new ProcessBuilder(program, "--log-level", "error", "--authenticator", "demo");
    return Engine.start(command.redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  private static Session open(Engine engine, Wire.Detail detail) {
    return engine.open(Wire.SessionOpenParams.of().withSession("s").withDetail(detail), change -> {
      if (change instanceof Change.Updated it && it.isViolation()) tally.check("the commands lead to the snapshot", false);
      gate.lock();
      gate.unlock();
    });
  }

  private static Wire.Item item(Wire.Snapshot snapshot, int index) {
    return snapshot.sections().get(0).items().get(index);
  }

  /** Returns why a request has failed. */
  private static EngineException failure(CompletableFuture<?> answer) {
    try {
      answer.join();
      return null;
    } catch (CompletionException error) {
      return (EngineException) error.getCause();
    }
  }

  private static void heldBack() throws Exception {
    for (var detail : List.of(Wire.Detail.FULL, Wire.Detail.COMMANDS, Wire.Detail.SNAPSHOT)) {
      var engine = begin();
      var session = open(engine, detail);
      session.edit("email", "ada@example.com");
      session.edit("password", "wrong");
      tally.check("a press waits for the edits", failure(session.press(null)) == null);
      var snapshot = session.await(it -> it.error() != null, PATIENCE);
      tally.check("the secret stays in its field", session.value(item(snapshot, 1)).asText().equals("wrong"));
      gate.lock();
      session.edit("password", "right");
      CompletableFuture<?> first = session.press(null), second = session.press(null);
      gate.unlock();
      tally.check("a double click presses once", failure(first) == null && failure(second).error() == null);
      var scene = session.await(it -> it.scene() != null, PATIENCE).scene();
      tally.check("the scene names the principal", scene.principal().equals("ada@example.com"));
      tally.check("the session closes", failure(session.close()) == null && failure(session.edit("email", "x")) != null);
      tally.check("the engine exits", engine.end() == 0);
    }
  }

  private static void drafts() throws Exception {
    try (var engine = begin()) {
      var session = open(engine, Wire.Detail.FULL);
      var email = item(session.await(it -> true, PATIENCE), 0);
      var answer = session.edit("email", "ada");
      tally.check("the field holds what was typed", session.value(email).asText().equals("ada"));
      answer.join();
      var refusal = failure(session.edit("email", true)).error();
      tally.check("a refusal is typed", refusal.code() == -32602 && refusal.data().code() == Wire.ErrorDataCode.INVALID_PARAMS);
      tally.check("a refused edit is undone", session.value(item(session.await(it -> true, PATIENCE), 0)).asText().equals("ada"));
    }
  }

  private static void requests() throws Exception {
    try (var engine = begin()) {
      tally.check("the engine describes itself", engine.call(Wire.EngineDescribeParams.of()).join().name().equals("login-engine"));
      var session = open(engine, Wire.Detail.FULL);
      try {
        open(engine, Wire.Detail.FULL);
        tally.check("a second session of the name is refused", false);
      } catch (EngineException error) {
        tally.check("a second session of the name is refused", error.error().data().code() == Wire.ErrorDataCode.SESSION_EXISTS);
      }
      var result = session.submit(Map.of("email", "ada@example.com", "password", "right")).join();
      tally.check("a submit has an outcome", result.outcome() == Wire.Outcome.ACCEPTED);
    }
  }

  private static void ended() throws Exception {
    var engine = Engine.start(new ProcessBuilder("/bin/false"));
    try {
      engine.open(Wire.SessionOpenParams.of(), change -> {});
      tally.check("an engine that has ended opens nothing", false);
    } catch (EngineException error) {
      tally.check("an engine that has ended opens nothing", error.error() == null);
    }
    tally.check("the exit status is returned", engine.end() == 1);
  }

  private static JsonNode json(String text) throws Exception {
    return Wire.JSON.readTree(text.replace('\'', '"'));
  }

  private static final String SNAPSHOT = """
      'screen':'a','title':'','locale':'en','direction':'ltr','sections':[{'id':'s','items':[{'id':'i','kind':'later','title':'T','new':[1]}]}],
      'actions':[],'activity':false,'error':null,'notice':null,'alert':null,'scene':null,'retryAt':null,'focus':null""";

  private static List<Change> updated(String... updates) throws Exception {
    var changes = new ArrayList<Change>();
    var session = new Session(begin(), "s", changes::add);
    for (var update : updates) session.receive("session/update", json("{'session':'s','events':0," + update + "}"));
    return changes;
  }

  private static void laterVersions() throws Exception {
    var changes = updated("'later':1,'revision':1,'commands':[{'command':'showScreen','state':'later'," + SNAPSHOT + "},"
        + "{'command':'setItem','item':'i','new':[2]},{'command':'later'}]");
    var update = (Change.Updated) changes.get(0);
    var expected = new Wire.UnknownItem(json("{'id':'i','kind':'later','title':'T','new':[2]}"));
    tally.check("an unknown kind keeps its members", item(update.snapshot(), 0).equals(expected));
    tally.check("an unknown name is read", update.snapshot().state() == Wire.State.OTHER);
    tally.check("an unknown command is read", update.update().commands().get(2) instanceof Wire.UnknownCommand);
    tally.check("an unknown item is written as it was", Wire.JSON.valueToTree(expected).equals(expected.json()));
    tally.check("a value is written", Wire.JSON.valueToTree(new Wire.SessionEditParams("s", "i", TextNode.valueOf("x"), null)).size() == 3);
  }

  private static void violations() throws Exception {
    var commands = ",'commands':[{'command':'setState','state':'validated'}]";
    var changes = updated(
        "'revision':1,'snapshot':{'state':'initial'," + SNAPSHOT + "}",
        "'revision':2,'snapshot':{'state':'validated'," + SNAPSHOT + "}" + commands,
        "'revision':3,'snapshot':{'state':'initial'," + SNAPSHOT + "}" + commands);
    tally.check("commands lead to their snapshot", !((Change.Updated) changes.get(1)).isViolation());
    tally.check("a violation is reported", ((Change.Updated) changes.get(2)).isViolation());
    tally.check("its snapshot is shown", ((Change.Updated) changes.get(2)).snapshot().state() == Wire.State.INITIAL);
  }
}
