package loginengine;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Plays every transcript to `login-engine mock`, and verifies each update. */
final class Transcripts {
  private final Path root, path;
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final SynchronousQueue<String> taken = new SynchronousQueue<>();
  private final Map<JsonNode, String> opening = new HashMap<>();
  private final Map<JsonNode, String> closing = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private Engine engine;
  private boolean isUnnamed;
  private int updates;

  private Transcripts(Path root, Path path) {
    this.root = root;
    this.path = path;
  }

  /** Plays all transcripts, counts them, and returns how many updates they have. */
  static int play(String program, Path root, Tally tally) throws Exception {
    List<Path> paths;
    try (var files = Files.walk(root.resolve("protocol/transcripts"))) {
      paths = files.filter(it -> it.toString().endsWith(".jsonl")).sorted().toList();
    }
    // Mocks sometimes wait for a timer, so several run at once.
    var pool = Executors.newFixedThreadPool(12);
    var plays = new ArrayList<Future<Transcripts>>();
    for (var path : paths) plays.add(pool.submit(() -> new Transcripts(root, path).play(program)));
    int updates = 0;
    for (var play : plays) {
      var it = play.get();
      updates += it.updates;
      tally.check("the transcript " + root.relativize(it.path) + " " + it.failures, it.failures.isEmpty());
    }
    pool.shutdown();
    tally.check("all transcripts are played", paths.size() >= 385);
    return updates;
  }

  private Transcripts play(String program) throws Exception {
    // The paths of flows are relative to the root.
    var command = new ProcessBuilder(program, "mock", "--timeout", "60", path.toString()).directory(root.toFile());
    engine = Engine.start(command.redirectError(ProcessBuilder.Redirect.INHERIT), (it, line) -> {
      try {
        // Waits, so that the sessions are open until the player has taken the line.
        received.add(line);
        taken.take();
      } catch (InterruptedException error) {
        throw new IllegalStateException(error);
      }
    });
    for (var text : Files.readAllLines(path)) {
      if (text.isBlank()) continue;
      var step = Engine.parsed(text.getBytes(StandardCharsets.UTF_8));
      var line = lineOf(text.strip(), step);
      if (line != null) sends(line, !step.path("unterminated").asBoolean());
      if (step.has("end") || step.path("unterminated").asBoolean()) engine.endInput();
      if (step.has("out") && !takes()) break;
    }
    engine.endInput();
    while (takes()) {}
    var status = engine.end();
    if (status != 0) failures.add("the mock ended with " + status);
    return this;
  }

  /** Returns what the transcript's view writes in a step. */
  private static byte[] lineOf(String text, JsonNode step) {
    // As written, because numbers have several spellings.
    if (step.has("in")) return text.substring("{\"in\":".length(), text.length() - 1).getBytes(StandardCharsets.UTF_8);
    byte[] line;
    if (step.has("raw")) line = step.get("raw").asText().getBytes(StandardCharsets.UTF_8);
    else if (step.has("rawBase16")) line = HexFormat.of().parseHex(step.get("rawBase16").asText());
    else return null;
    var filled = Arrays.copyOf(line, Math.max(line.length, step.path("length").asInt()));
    Arrays.fill(filled, line.length, filled.length, (byte) 'x');
    return filled;
  }

  private static Iterable<JsonNode> parts(JsonNode line) {
    return line.isArray() ? line : List.of(line);
  }

  /** Notes which sessions a line opens and closes, and counts its events. */
  private void sends(byte[] line, boolean isTerminated) {
    var batch = Engine.parsed(line);
    for (var part : parts(batch)) {
      var named = part.path("params").path("session");
      var name = named.isTextual() ? named.asText() : null;
      var method = part.path("method").asText();
      if (method.equals("session/open") && name == null) {
        isUnnamed = true;
      } else if (method.equals("session/open") && !engine.sessions.containsKey(name)) {
        adopt(name);
        opening.put(part.path("id"), name);
      } else if (method.equals("session/close") && !part.has("id")) {
        close(name);
      } else if (method.equals("session/close")) {
        closing.put(part.path("id"), name);
      } else if (name != null && isUnnamed) {
        adopt(name); // the view guesses the name that the engine gives
      }
      var session = engine.sessions.get(name);
      if (session != null && batch.isArray()) session.record(method, part.path("params")); // the client itself sends no batches
    }
    if (isTerminated) engine.write(line);
    else engine.outgoing.add(line);
  }

  private boolean takes() throws InterruptedException {
    String line;
    do {
      line = received.poll(20, TimeUnit.MILLISECONDS);
    } while (line == null && engine.isReading());
    if (line == null) line = received.poll();
    if (line == null) return false;
    for (var part : parts(Engine.parsed(line.getBytes(StandardCharsets.UTF_8)))) {
      var isUpdate = part.path("method").asText().equals("session/update") && part.path("params").has("commands");
      if (isUpdate) {
        adopt(part.path("params").path("session").asText());
        isUnnamed = false;
        updates++;
      }
      engine.receive(part.toString());
      var id = part.path("id");
      if (part.has("result") && closing.containsKey(id)) close(closing.get(id));
      var opened = part.has("error") ? engine.sessions.get(opening.get(id)) : null;
      if (opened != null && opened.revision == 0) close(opened.name());
    }
    taken.put("");
    return true;
  }

  private void adopt(String name) {
    if (engine.sessions.containsKey(name)) return;
    engine.adopt(name, change -> {
      if (change instanceof Change.Updated it && it.isViolation()) failures.add("not the snapshot of revision " + it.update().revision() + " of " + name);
    });
  }

  private void close(String name) {
    engine.sessions.keySet().removeIf(other -> name == null || name.equals(other));
  }
}
