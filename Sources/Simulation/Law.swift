/// What holds of the engine whatever is sent to it. ARCHITECTURE.md says how each law is held; the purity of the core is one that needs no simulation.
public enum Law: String, CaseIterable, Sendable {
  /// The snapshot that was written last, every edit accepted since, and the commands of an update, carried out in order, are the new snapshot; and no
  /// command is superfluous.
  case commandsAreTheDifference
  /// Every event in every state has an answer. Nothing traps, and no session is stuck.
  case total
  /// The same input, answers and times lead to the same bytes.
  case deterministic
  /// The value of a secret item goes to the authenticator that decides about it, and nowhere else.
  case noSecretLeaves
  /// What was accepted is not dropped, and a session can go on in another engine.
  case noLostWork
  /// An answer to a question that was cancelled, timed out or replaced changes nothing.
  case lateIsHarmless
  /// Every line of the output is one that the protocol has.
  case outputIsProtocol
  /// What the engine has not taken is undone in the view.
  case viewAndMachineAgree
  /// No law of the engine's, but a defect of the simulation.
  case simulation
}
