import EngineCore
import FlowFiles
import JSONCodec
import LoginMachine
import LoginProtocol

/// The options of `login_engine_create`.
struct LibraryOptions {
  var configuration = EngineConfiguration()
  var catalog: FlowCatalog
  /// The least severe level of log lines among the effects; `nil` for no log.
  var logLevel: LogLevel?

  /// The largest size of the options, in bytes.
  static var maximumBytes: Int { 16 << 20 }

  /// Parses the options, which are a JSON object. No bytes mean an empty object.
  init(parsing bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard bytes.count <= LibraryOptions.maximumBytes else {
      throw .badArgument("the options are longer than \(LibraryOptions.maximumBytes) bytes")
    }
    var document = JSONDocument()
    if !bytes.isEmpty {
      do throws(JSONError) {
        try document.parse(bytes)
      } catch {
        throw .badOptions("the options are not JSON: at byte \(error.offset), \(error.reason.rawValue)")
      }
    }
    try self.init(document)
  }

  private init(_ document: borrowing JSONDocument) throws(Failure) {
    var flows: [(file: String, flow: Flow)] = []
    var choices: [AuthenticatorChoice] = []
    var generator = SystemRandomNumberGenerator()
    configuration.nameRun(with: &generator)
    if let root = document.root {
      guard document.kind(root) == .object else { throw .badOptions("the options are not an object") }
      var next = document.firstChild(root)
      while let key = next, let value = document.sibling(after: key, in: root) {
        let member = OptionMember(name: document.string(key), value: value)
        switch member.name {
        case "flows": flows = try member.flows(document)
        case "authenticators": choices = try member.authenticators(document)
        case "lockstep": configuration.isLockstep = try member.flag(document)
        case "manualClock": configuration.manualClock = try member.number(document, EngineConfiguration.clockStarts)
        case "maxSessions":
          configuration.maximumSessions = try member.count(document, EngineConfiguration.sessionCounts)
        case "maxLineBytes":
          configuration.maximumLineBytes = try member.count(document, EngineConfiguration.lineByteCounts)
        case "maxValueBytes":
          configuration.maximumValueBytes = try member.count(document, EngineConfiguration.valueByteCounts)
        case "idleTimeoutMs": configuration.idleTimeout = try member.number(document, EngineConfiguration.timeouts)
        case "drainTimeoutMs": configuration.drainTimeout = try member.number(document, EngineConfiguration.timeouts)
        case "run": configuration.run = try member.runName(document)
        case "logLevel": logLevel = try member.level(document)
        default: throw .badOptions("there is no option \"\(member.shortName)\"")
        }
        next = document.sibling(after: value, in: root)
      }
    }
    // The library has no accounts of its own, so the host is the default authenticator.
    if !choices.contains(where: { $0.requests == .all }) { choices.append(.init(.all, .command(["host"]))) }
    configuration.authenticators = choices
    do throws(FlowCatalog.Problem) {
      catalog = try FlowCatalog(loaded: flows)
    } catch {
      throw .badOptions(error.description)
    }
  }
}
