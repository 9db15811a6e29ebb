import java.time.Duration;
import loginengine.Engine;
import loginengine.Wire;

final class First {
  public static void main(String[] arguments) throws Exception {
    try (var engine = Engine.start(new ProcessBuilder("login-engine", "--authenticator", "demo"))) {
      var session = engine.open(Wire.SessionOpenParams.of(), System.out::println);
      session.edit("email", "ada@example.com");
      session.edit("password", "correct horse");
      session.press(null).join(); // the button, once the engine has counted both edits
      var snapshot = session.await(it -> it.scene() != null || it.error() != null, Duration.ofSeconds(10));
      if (snapshot.scene() != null) System.out.println("Hello " + snapshot.scene().principal());
    }
  }
}
