package loginengine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A running engine. Its methods may be called from any thread. */
public final class Engine implements AutoCloseable {
  private static final byte[] END = {};

  private final Process process;
  /** A thread writes these lines, so that nobody waits until the engine reads. */
  final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
  private final Thread reader;
  private long lastId;
  private boolean isClosed;
  private final Map<Long, CompletableFuture<JsonNode>> answers = new HashMap<>();
  final Map<String, Session> sessions = new HashMap<>();

  private Engine(Process process, BiConsumer<Engine, String> receive) {
    this.process = process;
    reader = thread(() -> read(receive));
    thread(this::write).start();
  }

  /** Starts the engine of a command, such as new ProcessBuilder("login-engine", "--accounts", "accounts.sqlite3"). Its log goes where the builder says. */
  public static Engine start(ProcessBuilder command) throws IOException {
    return start(command, Engine::receive);
  }

  static Engine start(ProcessBuilder command, BiConsumer<Engine, String> receive) throws IOException {
    var engine = new Engine(command.start(), receive);
    engine.reader.start();
    return engine;
  }

  /** Sends a request at once. If the engine refuses it, the result is an EngineException. */
  public <R> CompletableFuture<R> call(Wire.Request<R> params) {
    return call(params, new CompletableFuture<R>());
  }

  synchronized <R> CompletableFuture<R> call(Wire.Request<R> params, CompletableFuture<R> result) {
    var answer = new CompletableFuture<JsonNode>();
    answer.whenComplete((node, error) -> {
      try {
        if (error == null) result.complete(Wire.JSON.treeToValue(node, params.answer()));
        else result.completeExceptionally(error);
      } catch (JsonProcessingException unreadable) {
        result.completeExceptionally(new EngineException("The result has members of unexpected types."));
      }
    });
    if (isClosed) {
      answer.completeExceptionally(EngineException.closed());
      return result;
    }
    answers.put(++lastId, answer);
    var line = Wire.JSON.createObjectNode().put("jsonrpc", "2.0").put("id", lastId).put("method", params.method());
    line.set("params", Wire.JSON.valueToTree(params));
    write(line.toString().getBytes(StandardCharsets.UTF_8));
    return result;
  }

  /**
   * Opens a session, and returns once its first update has come. The detail is full unless the params say otherwise. The listener is called with each
   * change, by the thread that reads from the engine, so it must not wait for answers.
   */
  public Session open(Wire.SessionOpenParams given, Consumer<Change> listener) {
    Session session;
    CompletableFuture<Wire.OpenResult> answer;
    synchronized (this) {
      var params = given.detail() != null ? given : given.withDetail(Wire.Detail.FULL);
      session = adopt(params.session() != null ? params.session() : "session-" + (lastId + 1), listener);
      answer = call(params.withSession(session.name()));
    }
    try {
      answer.join();
    } catch (CompletionException error) {
      session.end("refused");
      throw error.getCause() instanceof EngineException refusal ? refusal : error;
    }
    return session;
  }

  synchronized Session adopt(String name, Consumer<Change> listener) {
    var session = new Session(this, name, listener);
    sessions.putIfAbsent(name, session); // otherwise the engine refuses the name
    return session;
  }

  /** Ends the engine's input, and waits for its exit. Pending logins finish first. Returns the exit status. */
  public int end() throws InterruptedException {
    endInput();
    reader.join();
    return process.waitFor();
  }

  /** Ends the engine's input, without waiting. */
  @Override
  public void close() {
    endInput();
  }

  void endInput() {
    synchronized (this) {
      isClosed = true;
    }
    outgoing.add(END);
  }

  /** Writes a line, and counts it if it is an event. */
  synchronized void write(byte[] line) {
    var message = parsed(line);
    var session = sessions.get(message.path("params").path("session").asText());
    if (session != null) session.record(message.path("method").asText(), message.path("params"));
    outgoing.add(line);
    outgoing.add(new byte[] {'\n'});
  }

  static JsonNode parsed(byte[] line) {
    try {
      return Wire.JSON.readTree(line);
    } catch (IOException error) {
      return MissingNode.getInstance();
    }
  }

  /** Handles a line. The engine's requests (`--authenticator frontend`), whose ids are texts, are not answered. */
  void receive(String line) {
    var message = parsed(line.getBytes(StandardCharsets.UTF_8));
    CompletableFuture<JsonNode> answer;
    Session session;
    synchronized (this) {
      answer = message.path("id").isIntegralNumber() ? answers.remove(message.path("id").asLong()) : null;
      session = sessions.get(message.path("params").path("session").asText());
    }
    if (answer != null && message.has("error")) {
      answer.completeExceptionally(new EngineException(Wire.JSON.convertValue(message.get("error"), Wire.Error.class)));
    } else if (answer != null) {
      answer.complete(message.path("result"));
    } else if (session != null) {
      session.receive(message.path("method").asText(), message.path("params"));
    }
  }

  boolean isReading() {
    return reader.isAlive();
  }

  private static Thread thread(Runnable work) {
    var thread = new Thread(work, "login-engine");
    thread.setDaemon(true);
    return thread;
  }

  private void write() {
    try (var input = process.getOutputStream()) {
      for (var line = outgoing.take(); line != END; line = outgoing.take()) {
        input.write(line);
        if (outgoing.isEmpty()) input.flush();
      }
    } catch (IOException | InterruptedException error) {
      // The engine ends, which the reader notices.
    }
  }

  private void read(BiConsumer<Engine, String> receive) {
    try (var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (var line = output.readLine(); line != null; line = output.readLine()) receive.accept(this, line);
    } catch (IOException error) {
      // As at the end of the output.
    } finally {
      endInput();
      var waiting = new ArrayList<CompletableFuture<JsonNode>>();
      var following = new ArrayList<Session>();
      synchronized (this) {
        waiting.addAll(answers.values());
        following.addAll(sessions.values());
      }
      waiting.forEach(answer -> answer.completeExceptionally(EngineException.closed()));
      following.forEach(session -> session.end("ended"));
    }
  }
}
