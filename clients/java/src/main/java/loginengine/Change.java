package loginengine;

import com.fasterxml.jackson.databind.JsonNode;

/** What has happened to a session. */
public sealed interface Change {
  /**
   * An update, and what the engine shows since then, also if the detail is commands. There is a violation if the update's commands did not lead to its
   * snapshot: a defect of the engine or of this client.
   */
  record Updated(Wire.SessionUpdateParams update, Wire.Snapshot snapshot, boolean isViolation) implements Change {}

  /** An authenticator's secret for the application: keep it out of logs. */
  record Granted(JsonNode secret) implements Change {}

  /** The session has ended: idleTimeout, refused, closed, or ended if the engine has ended. */
  record Closed(String reason) implements Change {}
}
