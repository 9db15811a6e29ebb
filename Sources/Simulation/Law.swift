/// The properties of the engine that hold for every input. ARCHITECTURE.md says how each is
/// enforced. The law that the core is pure is missing here, because it needs no simulation.
public enum Law: String, CaseIterable, Sendable {
  /// Take the last written snapshot, enter every edit accepted since, and apply the commands of an
  /// update in order: the result equals the update's snapshot. No command is superfluous.
  case commandsAreTheDifference
  /// Every event in every state has an answer. Nothing traps, and no session gets stuck.
  case total
  /// Two runs with the same input, authenticator answers and times produce the same output bytes.
  case deterministic
  /// The value of a secret item is sent only to the authenticator that decides about it.
  case noSecretLeaves
  /// Accepted input is not dropped, and a saved session can be opened in another engine.
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
