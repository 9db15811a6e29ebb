import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import loginengine.Change;
import loginengine.Engine;
import loginengine.EngineException;
import loginengine.Session;
import loginengine.Wire;

/** A line-based view for login-engine, which draws as the views of clients/gallery do. Usage: View [--verify] [ENGINE [ARGUMENT ...]] */
final class View {
  private static final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** What a number stands for: an item, or the id of an action. */
  private record Choice(Wire.Item item, String action) {}

  /** A line from the person, or none at the end of the input. */
  private record Line(Optional<String> text) {}

  /** Lines and changes, in the order in which they came. */
  private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
  private final ArrayDeque<Line> lines = new ArrayDeque<>();
  private final boolean isVerifying, isTerminal = stty();
  private Engine engine;
  private Session session;
  private Wire.Snapshot screen;
  /** The numbers of edits and presses that the view has sent, and that the screen reflects. */
  private long sent, counted;

  private View(boolean isVerifying) {
    this.isVerifying = isVerifying;
  }

  public static void main(String[] arguments) throws Exception {
    var command = new ArrayList<>(List.of(arguments));
    var view = new View(command.remove("--verify"));
    if (command.isEmpty()) command.add("login-engine");
    try {
      view.engine = Engine.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
    } catch (IOException error) {
      view.end(1, error.getMessage());
    }
    var reader = new Thread(view::readPerson);
    reader.setDaemon(true);
    reader.start();
    view.run();
  }

  private void readPerson() {
    try (var person = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (var line = person.readLine(); line != null; line = person.readLine()) events.add(new Line(Optional.of(line)));
    } catch (IOException error) {
      // As at the end of the input.
    }
    events.add(new Line(Optional.empty()));
  }

  private void run() throws InterruptedException {
    try {
      session = engine.open(Wire.SessionOpenParams.of().withSession("view").withTransitions(Wire.Transitions.INSTANT), events::add);
    } catch (EngineException error) {
      end(1, error.error() == null ? "the engine has stopped" : error.getMessage());
    }
    while (screen == null) follow();
    for (var choices = draw(); !choices.isEmpty(); choices = draw()) {
      prompt("> ", true);
      // A script waits during a request; a person may choose.
      var isChange = false;
      while (!isChange && (lines.isEmpty() || !isTerminal && screen.activity())) isChange = follow();
      if (isChange) continue;
      var number = choices.size();
      var line = read();
      while (number > 0 && !line.equals(Integer.toString(number))) number--;
      if (number > 0) choose(choices.get(number - 1));
      else say("! Type one number from 1 to " + choices.size() + ".");
    }
    end(0, "");
  }

  /** Waits for a line or a change. Returns whether it was a change. */
  private boolean follow() throws InterruptedException {
    var event = events.take();
    if (event instanceof Line line) lines.add(line);
    if (event instanceof Change.Updated it) {
      if (isVerifying && it.isViolation()) end(1, "the commands do not lead to the snapshot of revision " + it.update().revision());
      screen = it.snapshot();
      counted = it.update().events();
    } else if (event instanceof Change.Closed it) {
      end(1, it.reason().equals("ended") ? "the engine has stopped" : "the session has ended: " + it.reason());
    }
    return event instanceof Change;
  }

  /** Returns a line from the person. The view ends at the end of the input. */
  private String read() throws InterruptedException {
    while (lines.isEmpty()) follow();
    var line = lines.remove().text();
    if (line.isEmpty()) end(screen.scene() != null ? 0 : 1, "");
    return line.orElse("");
  }

  private static boolean stty(String... arguments) {
    try {
      var command = Stream.concat(Stream.of("stty"), Arrays.stream(arguments)).toList();
      var discard = ProcessBuilder.Redirect.DISCARD;
      return new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT).redirectOutput(discard).redirectError(discard).start().waitFor() == 0;
    } catch (IOException | InterruptedException error) {
      return false;
    }
  }

  private void prompt(String text, boolean echoes) {
    if (isTerminal) stty(echoes ? "echo" : "-echo");
    out.print(text);
    out.flush();
  }

  private void end(int status, String problem) {
    prompt("\n", true);
    if (!problem.isEmpty()) System.err.println(problem);
    System.exit(status);
  }

  /** Presses an action, or edits an item. */
  private void choose(Choice choice) throws InterruptedException {
    if (choice.item == null) {
      sends(session.press(choice.action));
    } else if (choice.item instanceof Wire.Switch it) {
      sends(session.edit(it.id(), !Boolean.TRUE.equals(it.value())));
    } else if (choice.item instanceof Wire.Selection it) {
      sends(session.edit(it.id(), option(it.id())));
    } else {
      prompt("value: ", !(choice.item instanceof Wire.SecretInput));
      sends(session.edit(choice.item.id(), read()));
    }
  }

  /** Waits until the engine has answered an event, and then applies the updates up to the one that counts it. */
  private void sends(CompletableFuture<?> answer) throws InterruptedException {
    sent++;
    shown(answer);
    while (counted < sent) follow();
  }

  /** Returns a result, or shows why the engine has refused the request. */
  private <R> Optional<R> shown(CompletableFuture<R> answer) {
    try {
      return Optional.of(answer.join());
    } catch (CompletionException error) {
      if (error.getCause() instanceof EngineException refusal && refusal.error() != null) say("! " + refusal.error().message());
      else end(1, "the engine has stopped");
      return Optional.empty();
    }
  }

  private String option(String item) throws InterruptedException {
    var options = shown(engine.call(Wire.SessionOptionsParams.of("view", item))).map(Wire.OptionsResult::options).orElse(List.of());
    for (int index = 0; index < options.size(); index++) say("   " + (index + 1) + ". " + options.get(index).title());
    while (true) {
      prompt("value: ", true);
      var line = read();
      if (line.isEmpty()) return null;
      for (int index = 0; index < options.size(); index++) {
        if (line.equals(Integer.toString(index + 1))) return options.get(index).id();
      }
      say("! Type one number from 1 to " + options.size() + ", or nothing for none.");
    }
  }

  /** Prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line. */
  private static void say(String... texts) {
    var some = Arrays.stream(texts).filter(it -> it != null && !it.isEmpty());
    var safe = some.map(it -> it.replaceAll("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]", "\ufffd").replace("\n", "\n   "));
    out.println(safe.collect(Collectors.joining("\n   ")));
  }

  /** How an item looks. */
  private record Look(String title, String value, String hint, List<Wire.Message> messages, boolean isField) {}

  private static Look look(Wire.Item item) {
    if (item instanceof Wire.PlainInput it) {
      var empty = "(" + (it.placeholder() != null ? it.placeholder() : it.inputType() == Wire.PlainInputInputType.DATE ? "YYYY-MM-DD" : "–") + ")";
      var value = it.value() == null || it.value().isEmpty() ? empty : it.value();
      return new Look(it.title(), value, it.hint(), it.messages(), it.readOnly() == null);
    } else if (item instanceof Wire.SecretInput it) {
      var empty = "(" + Objects.requireNonNullElse(it.placeholder(), "–") + ")";
      return new Look(it.title(), it.filled() ? "********" : empty, it.hint(), it.messages(), true);
    } else if (item instanceof Wire.Selection it) {
      var chosen = it.options().stream().filter(option -> option.id().equals(it.value())).map(Wire.Option::title).findFirst();
      return new Look(it.title(), chosen.orElse("–"), it.hint(), it.messages(), true);
    } else if (item instanceof Wire.Switch it) {
      return new Look(it.title(), Boolean.TRUE.equals(it.value()) ? "[x]" : "[ ]", it.hint(), it.messages(), true);
    } else if (item instanceof Wire.Text it) {
      return new Look(it.title(), null, null, null, false);
    } else if (item instanceof Wire.Link it) {
      return new Look(it.title(), it.url(), null, null, false);
    } else if (item instanceof Wire.CodeItem it) {
      return new Look(it.title(), it.text(), null, null, false);
    } else if (item instanceof Wire.External it) {
      return new Look(it.title(), it.text(), it.hint(), it.messages(), false);
    }
    JsonNode json = ((Wire.UnknownItem) item).json();
    return new Look(json.path("title").asText(), json.path("text").asText(), null, null, false);
  }

  /** Prints the screen, and returns the choices, in the order of the numbers to type. */
  private List<Choice> draw() {
    var choices = new ArrayList<Choice>();
    var isForm = screen.alert() == null && screen.scene() == null;
    out.println();
    if (screen.scene() != null) say("== scene: " + screen.scene().id(), screen.scene().principal());
    else say("== " + screen.title());
    if (screen.alert() != null) say(screen.alert().title(), "! " + screen.alert().text());
    Stream.of(screen.notice(), screen.error()).filter(Objects::nonNull).forEach(it -> say("! " + it.text()));
    for (var section : isForm ? screen.sections() : List.<Wire.Section>of()) {
      if (section.title() != null) say("-- " + section.title());
      for (var item : section.items()) {
        var look = look(item);
        var texts = new ArrayList<String>();
        texts.add(Stream.of(look.title, look.value).filter(it -> it != null && !it.isEmpty()).collect(Collectors.joining(": ")));
        texts.add(look.hint);
        if (look.messages != null) look.messages.forEach(it -> texts.add("! " + it.text()));
        if (look.isField) {
          choices.add(new Choice(item, null));
          texts.set(0, choices.size() + ". " + texts.get(0));
        }
        say(texts.toArray(String[]::new));
      }
    }
    if (screen.alert() != null) screen.alert().actions().forEach(it -> button(choices, it.id(), it.title(), it.enabled()));
    else screen.actions().forEach(it -> button(choices, it.id(), it.title(), it.enabled()));
    if (screen.activity()) say("...");
    return choices;
  }

  private void button(List<Choice> choices, String id, String title, boolean isEnabled) {
    if (!isEnabled && screen.scene() != null) return;
    choices.add(new Choice(null, id));
    say(choices.size() + ". " + (isEnabled ? "[" + title + "]" : "(" + title + ")"));
  }
}
