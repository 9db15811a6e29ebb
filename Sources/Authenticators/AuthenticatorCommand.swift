public import EventLoop

/// How the process of an authenticator is started.
public struct AuthenticatorCommand: Sendable {
  /// The words that start it; the first is its program.
  public var arguments: [String]
  /// Whether it is this very program, which may have been moved or deleted since it was started.
  public var isThisProgram: Bool
  /// Variables to set beside those of this process.
  public var environment: [String: String]

  public init(_ arguments: [String], isThisProgram: Bool = false, environment: [String: String] = [:]) {
    self.arguments = arguments
    self.isThisProgram = isThisProgram
    self.environment = environment
  }

  /// The same for a starter.
  public var forStarter: ProcessStarter.Command {
    ProcessStarter.Command(arguments, isThisProgram: isThisProgram, environment: environment)
  }
}
