public import System

/// The command that starts the process of an authenticator.
public struct AuthenticatorCommand: Sendable {
  /// The program and its arguments.
  public var arguments: [String]
  /// The file that is executed at every start of the process; `nil` to look up the first argument.
  public var executable: String?
  /// Why the command cannot be started, with advice; `nil` if no reason is known beforehand.
  public var problem: String?
  /// Environment variables to set in addition to those of this process.
  public var environment: [String: String]

  public init(
    _ arguments: [String], executable: String? = nil, problem: String? = nil, environment: [String: String] = [:]
  ) {
    self.arguments = arguments
    self.executable = executable
    self.problem = problem
    self.environment = environment
  }

  /// This command in the form that the process starter takes.
  public var starterCommand: ProcessStarter.Command {
    ProcessStarter.Command(arguments, executable: executable, environment: environment)
  }
}
