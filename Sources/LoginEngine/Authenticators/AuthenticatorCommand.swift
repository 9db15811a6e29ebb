public import System

/// How the process of an authenticator is started.
public struct AuthenticatorCommand: Sendable {
  /// The words that start it; the first is its program.
  public var arguments: [String]
  /// The file to run instead of looking for the first word; the same file at each start.
  public var executable: String?
  /// Why it cannot be started, and what is to be done about that; `nil` if that is not known beforehand.
  public var problem: String?
  /// Variables to set beside those of this process.
  public var environment: [String: String]

  public init(
    _ arguments: [String], executable: String? = nil, problem: String? = nil, environment: [String: String] = [:]
  ) {
    self.arguments = arguments
    self.executable = executable
    self.problem = problem
    self.environment = environment
  }

  /// The same for a starter.
  public var forStarter: ProcessStarter.Command {
    ProcessStarter.Command(arguments, executable: executable, environment: environment)
  }
}
