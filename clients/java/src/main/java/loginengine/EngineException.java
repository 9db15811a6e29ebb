package loginengine;

/** Why a request has no result. */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient Wire.Error error;

  EngineException(Wire.Error error) {
    super(error.message() + " (" + error.data().code() + ")");
    this.error = error;
  }

  EngineException(String message) {
    super(message);
    this.error = null;
  }

  static EngineException closed() {
    return new EngineException("The session or the engine has ended.");
  }

  static EngineException dropped() {
    return new EngineException("The press was not sent: another one waits, or the screen has changed.");
  }

  /** The engine's refusal, with its code and data; null if the engine has refused nothing. */
  public Wire.Error error() {
    return error;
  }
}
