import Authenticators
import CommandLineKit
import EngineCore
import EngineEvents
import EventLoop
import FlowFiles
import LoginForms

/// A flow file that was read.
struct LoadedFlow {
  let path: String
  let text: [UInt8]
  let flow: Flow
}

/// What was given for a file with a flow is no file, but may be meant for a flow that is built in.
private struct FlowNameError: Error, CustomStringConvertible {
  let description: String
}

extension FlowCatalog {
  /// The flows of these files with those that are built in.
  init(_ files: [LoadedFlow]) throws(Problem) { try self.init(loaded: files.map { ($0.path, $0.flow) }) }
}

/// What the command line decides about an engine.
struct EngineOptions: Sendable {
  /// What it decides about the core.
  var configuration = EngineConfiguration()
  /// Files with flows, the first of which becomes the one for who names none.
  var flowFiles: [String] = []
  /// The built-in accounts' file; `nil` for the default place.
  var accountsFile: String?
  /// That default place, as far as it is known.
  var defaultAccountsFile: String?
  /// The cost of the built-in accounts' password hashes; `nil` for libcrypt's default.
  var hashCost: Int?
  /// Options of the built-in accounts that the engine only passes on.
  var accountsOptions: [String] = []
  /// Whether checks of the built-in accounts may say that an account has a name.
  var tellsTakenNames = false
  /// Whether sign-ups do not tell which addresses have an account.
  var concealsAccounts = false
  /// Whose passkeys the built-in accounts ask for, and for how long they remember devices.
  var passkeys = PasskeyOrigins()
  /// The command that takes the built-in accounts' mails; `nil` for the outbox.
  var mailCommand: [String]?
  /// The folder that the built-in accounts' mails are put into; `nil` for `outbox` beside their file.
  var outbox: String?
  var logLevel = LogLevel.warning
  /// The file that a transcript of the run is written to.
  var recording: String?
  /// The file that is told everything that happens.
  var trace: String?
  /// Whether the recording and the trace replace what is in their files.
  var overwrites = false
  /// The file that is told what became of tries.
  var audit: String?
  /// The file that the sessions are written to at the end.
  var savingFile: String?
  /// The file whose sessions are opened first.
  var restoring: String?
  /// Whether memory is kept from dumps and debuggers. Off only for tests that look for secrets in it.
  var forbidsDumps = true
  /// Whether the engine and the built-in accounts give up the rights that they do not need.
  var isFenced = true

  /// Options whose run has a random name, so that no other run has it.
  init() {
    var generator = SystemRandomNumberGenerator()
    configuration.nameRun(with: &generator)
  }

  /// Reads the flow files.
  func readFlowFiles() throws -> [LoadedFlow] {
    let files = try flowFiles.map { (path: $0, text: try EngineOptions.readFlowFile($0)) }
    return try files.map { LoadedFlow(path: $0.path, text: $0.text, flow: try FlowFile.read($0.text, name: $0.path)) }
  }

  /// Reads a file with a flow. A name in its place may be that of a flow that needs no file.
  private static func readFlowFile(_ path: String) throws -> [UInt8] {
    do { return try WholeFile.readTrusted(path) } catch {
      guard FlowFile.isName(path) else { throw error }
      let names = BuiltInFlows.names
      let advice =
        names.contains(path)
        ? #"\#(path) is built in: leave --flow out, and name it when a session is opened, as in "flow":"\#(path)""#
        : "--flow takes a file; built in are \(names.joined(separator: ", ")), which session/open names"
      throw FlowNameError(description: "\(error); \(advice)")
    }
  }

  /// How the process of an authenticator is started. `secretValues` are the names of what the flow files have people enter in secret.
  func command(
    for backend: AuthenticatorChoice.Backend, secretValues: [String], _ environment: [String: String]
  ) -> AuthenticatorCommand {
    switch backend {
    case .command(let words): AuthenticatorCommand(words, environment: environment)
    case .accounts, .frontend: accountsCommand(secretValues, environment)
    }
  }

  /// The built-in accounts are this very program.
  private func accountsCommand(_ secretValues: [String], _ environment: [String: String]) -> AuthenticatorCommand {
    var arguments = ["login-engine", "accounts", "serve"]
    if let accountsFile { arguments += ["--file", accountsFile] }
    if let hashCost { arguments += ["--hash-cost", "\(hashCost)"] }
    // The rule of a flow that cannot be read twice is not known to the accounts, and that of the built-in flow may be weaker. The last option counts.
    if let flow = flowFiles.first, !WholeFile.isRegular(flow) { arguments += ["--minimum-password-length", "15"] }
    arguments += accountsOptions
    if concealsAccounts { arguments.append("--conceal-accounts") }
    if tellsTakenNames { arguments.append("--tell-taken-names") }
    arguments += passkeys.arguments
    if let mailCommand { arguments += ["--mail-command", CommandWords.join(mailCommand)] }
    if let outbox { arguments += ["--outbox", outbox] }
    // What is no regular file cannot be read twice.
    if let flow = flowFiles.first, WholeFile.isRegular(flow) { arguments += ["--flow", flow] }
    if !secretValues.isEmpty { arguments += ["--secret-values", secretValues.joined(separator: ",")] }
    if configuration.manualClock != nil { arguments += ["--clock", "manual"] }
    if !forbidsDumps { arguments += ["--hardening", "off"] }
    if !isFenced { arguments += ["--fence", "off"] }
    return AuthenticatorCommand(arguments, isThisProgram: true, environment: environment)
  }
}
