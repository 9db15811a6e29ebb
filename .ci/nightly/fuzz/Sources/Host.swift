import EngineCore
import JSONCodec
import LoginMachine
import LoginProtocol

/// An engine core and its host. There are no authenticator processes: the frontend answers all
/// questions.
final class Host {
  private let core: EngineCore
  private var output: [UInt8] = []

  /// Creates the core.
  ///
  /// - Parameter flows: flows that the core has in addition to the built-in ones.
  init(_ flows: [Flow] = []) {
    var configuration = EngineConfiguration()
    configuration.authenticators = [AuthenticatorChoice(.all, .frontend)]
    let catalog: FlowCatalog
    do { catalog = try FlowCatalog(loaded: flows.map { ("flow.json", $0) }) } catch { fail("\(error)") }
    core = EngineCore(configuration, catalog: catalog, at: Self.moment)
  }

  private static var moment: Moment { Moment(steady: 1_000_000, utc: 1_900_000_000_000) }

  /// Passes a line to the core. Returns the lines that the core writes, and fails if one of them is
  /// not JSON.
  func send(_ line: [UInt8]) -> [JSONValue] {
    handledLines += 1
    var rest = (line + [0x0A])[...]
    var rounds = 0
    while !rest.isEmpty || core.hasOutput || core.timeToWait == 0 {
      rounds += 1
      if rounds > 10_000 { fail("the core never comes to rest") }
      rest = rest.dropFirst(rest.withUnsafeBytes { core.receive($0, at: Self.moment) })
      core.turn(at: Self.moment, runEffects: runEffects, pollAuthenticators: {}, write: write)
    }
    defer { output = [] }
    return output.split(separator: 0x0A).map { line in
      do throws(JSONError) { return try JSONValue(parsing: Array(line)) } catch {
        fail("a line of the output is no JSON (\(error)): \(String(decoding: line, as: UTF8.self))")
      }
    }
  }

  func send(_ text: String) -> [JSONValue] { send(Array(text.utf8)) }

  private func runEffects() -> Bool {
    var hasRun = false
    while let effect = core.nextEffect() {
      hasRun = true
      if case .start(let id) = effect {
        core.authenticatorIsUnavailable(id, at: Self.moment, reason: "there is none")
      }
    }
    return hasRun
  }

  private func write() {
    core.writeOutput(at: Self.moment) { bytes in
      output.append(contentsOf: bytes)
      return .wrote(bytes.count)
    }
  }
}
