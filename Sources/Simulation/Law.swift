/// The properties of the engine that hold for every input. ARCHITECTURE.md says how each is
/// enforced; the purity of the core needs no simulation.
public enum Law: String, CaseIterable, Sendable {
  /// The last written snapshot, with every edit accepted since and the commands of an update
  /// applied in order, equals the new snapshot. No command is superfluous.
  case commandsAreTheDifference
  /// Every event in every state has an answer. Nothing traps, and no session gets stuck.
  case total
  /// The same input, answers and times produce the same bytes.
  case deterministic
  /// The value of a secret item is sent only to the authenticator that decides about it.
  case noSecretLeaves
  /// Accepted input is not dropped, and a session can be moved to another engine.
  case noLostWork
  /// An answer to a question that was cancelled, timed out or replaced changes nothing.
  case lateIsHarmless
  /// Every line of the output conforms to the protocol.
  case outputIsProtocol
  /// The view undoes every edit that the engine refuses.
  case viewAndMachineAgree
  /// Not a law of the engine: a defect of the simulation itself.
  case simulation
}
