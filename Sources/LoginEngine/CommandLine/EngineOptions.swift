import EngineCore
import FlowFiles
import LoginMachine
import LoginProtocol
import System

/// A flow definition file that has been read.
struct LoadedFlow {
  let path: String
  let text: [UInt8]
  let flow: Flow
}

/// The error for a value of `--flow` that is no file but looks like the name of a built-in flow.
private struct FlowNameError: Error, CustomStringConvertible {
  let description: String
}

extension FlowCatalog {
  /// Makes a catalog of the flows in these files, followed by the built-in flows.
  init(_ files: [LoadedFlow]) throws(Problem) { try self.init(loaded: files.map { ($0.path, $0.flow) }) }
}

/// The engine's options, from its command line.
struct EngineOptions: Sendable {
  /// The options of the core.
  var configuration = EngineConfiguration()
  /// Flow definition files. The first becomes the default flow.
  var flowFiles: [String] = []
  /// The accounts file; `nil` for the default path.
  var accountsFile: String?
  var logLevel = LogLevel.warning
  /// The file for a transcript of the run.
  var recording: String?
  /// The file for a trace of all events.
  var trace: String?
  /// Whether the recording and the trace may replace existing contents.
  var overwrites = false
  /// The audit file, to which the results of attempts are appended.
  var audit: String?
  /// The file into which sessions are saved when the engine ends.
  var savingFile: String?
  /// The file from which sessions are restored when the engine starts.
  var restoring: String?
  /// Whether the engine forbids core dumps and debuggers. It allows them only for tests that search
  /// its memory for secrets.
  var forbidsDumps = true
  /// Whether the engine and the accounts give up the rights that they do not need.
  var isFenced = true

  /// Creates default options. The run name is random, so that no two runs have the same name.
  init() {
    var generator = SystemRandomNumberGenerator()
    configuration.nameRun(with: &generator)
  }

  /// Reads the flow definition files.
  func readFlowFiles() throws -> [LoadedFlow] {
    let files = try flowFiles.map { (path: $0, text: try EngineOptions.readFlowFile($0)) }
    return try files.map { LoadedFlow(path: $0.path, text: $0.text, flow: try FlowFile.read($0.text, name: $0.path)) }
  }

  /// Reads a flow definition file. If there is no such file but the path is the name of a built-in
  /// flow, the error says so.
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

  /// The command of an authenticator's process.
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

  /// The environment variables for every authenticator. Other settings are sent with
  /// `authenticator/configure` to an authenticator that asks for them.
  private var environment: [String: String] {
    var environment = ["LOGIN_ENGINE_RUN": configuration.run]
    if !forbidsDumps { environment["LOGIN_ENGINE_HARDENING"] = "off" }
    if !isFenced { environment["LOGIN_ENGINE_FENCE"] = "off" }
    return environment
  }
}
