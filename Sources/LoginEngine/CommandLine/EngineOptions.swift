import EngineCore
import FlowFiles
import LoginMachine
import LoginProtocol
import System

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
  /// The accounts' file; `nil` for the default place.
  var accountsFile: String?
  var logLevel = LogLevel.warning
  /// The file that a transcript of the run is written to.
  var recording: String?
  /// The file that is told everything that happens.
  var trace: String?
  /// Whether the recording and the trace replace what is in their files.
  var overwrites = false
  /// The audit: the file to which the results of attempts are appended.
  var audit: String?
  /// The file that the sessions are written to at the end.
  var savingFile: String?
  /// The file whose sessions are opened first.
  var restoring: String?
  /// Whether memory is kept from dumps and debuggers. Off only for tests that look for secrets in it.
  var forbidsDumps = true
  /// Whether the engine and the accounts give up the rights that they do not need.
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

  /// How the process of an authenticator is started.
  func command(for backend: AuthenticatorChoice.Backend) -> AuthenticatorCommand {
    let words =
      switch backend {
      case .command(let words): words
      case .accounts, .frontend: [AccountsProgram.name] + (accountsFile.map { ["--file", $0] } ?? [])
      }
    let program = words.first ?? ""
    return AuthenticatorCommand(
      words, executable: AccountsProgram.file(program), problem: AccountsProgram.problem(program),
      environment: environment)
  }

  /// What every authenticator may want to know of this process. The rest it can ask for: see `authenticator/configure`.
  private var environment: [String: String] {
    var environment = ["LOGIN_ENGINE_RUN": configuration.run]
    if !forbidsDumps { environment["LOGIN_ENGINE_HARDENING"] = "off" }
    if !isFenced { environment["LOGIN_ENGINE_FENCE"] = "off" }
    return environment
  }
}
