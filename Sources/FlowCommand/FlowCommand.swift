import EventLoop
import FlowExplorer
import FlowFiles
import LoginForms
import SecretMemory

/// `login-engine flow`: shows the built-in flows, checks flow definitions and draws what flows do.
public enum FlowCommand {
  /// What the command line asks for.
  private enum Task {
    case list
    case print(name: String)
    case check(files: [String])
    case diagram(of: String)
    case help
  }

  /// Why something was not done.
  private struct Problem: Error {
    var text: String
    /// 1 for what is missing or wrong, 2 for a wrong command line.
    var status: Int32

    static func usage(_ text: String) -> Problem {
      Problem(text: text + "; see login-engine flow --help", status: 2)
    }
  }

  static let help = """
    login-engine flow: shows the flows that are part of the program, and checks flow definitions.

    Usage: login-engine flow list            the built-in flows: name, screens, languages; the first is the default
           login-engine flow print NAME      the definition of a built-in flow, to copy and change
           login-engine flow check FILE ...  says what is wrong with definitions, and where
           login-engine flow diagram NAME|FILE
                                             the states of a flow as a Mermaid diagram, found by walking through all of them

    Exit status: 0 when all is well, 1 when a definition is wrong or missing, 2 for a wrong command line.

    """

  /// Runs the subcommand with the arguments that come after `flow`. Returns the exit status: 0 when all is well, 1 when a definition is
  /// wrong or cannot be read or nobody takes the output, 2 when the command line cannot be used.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.applySignals()
    do throws(Problem) {
      switch try task(arguments) {
      case .list: return Output.write(FlowListing.text)
      case .print(let name): return try Output.write(definition(named: name))
      case .check(let files): return DefinitionCheck.run(files)
      case .diagram(let name): return try Output.write(Exploration(of: flow(name)).mermaid)
      case .help: return Output.write(help)
      }
    } catch {
      Output.complain(error.text)
      return error.status
    }
  }

  private static func task(_ arguments: [String]) throws(Problem) -> Task {
    guard let verb = arguments.first else { throw .usage("flow needs a command") }
    let words = Array(arguments.dropFirst())
    switch verb {
    case "--help", "-h", "help": return .help
    case "list":
      guard words.isEmpty else { throw .usage("flow list takes nothing more") }
      return .list
    case "print":
      guard let name = words.first, words.count == 1 else { throw .usage("flow print takes the name of one flow") }
      return .print(name: name)
    case "check":
      guard !words.isEmpty else { throw .usage("flow check needs a file") }
      return .check(files: words)
    case "diagram":
      guard let name = words.first, words.count == 1 else {
        throw .usage("flow diagram takes the name of one flow, or one file")
      }
      return .diagram(of: name)
    default: throw .usage("unknown command flow \(verb)")
    }
  }

  private static func definition(named name: String) throws(Problem) -> [UInt8] {
    guard let text = BuiltInFlows.text(named: name) else {
      throw Problem(text: "there is no built-in flow \(name); there are \(builtInNames)", status: 1)
    }
    return text
  }

  private static var builtInNames: String { BuiltInFlows.names.joined(separator: ", ") }

  /// The built-in flow of that name, or else the flow that the file of that name defines.
  private static func flow(_ name: String) throws(Problem) -> Flow {
    if let flow = BuiltInFlows.flow(named: name) { return flow }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.read(name)
    } catch {
      throw Problem(text: "\(error), and no built-in flow has that name; there are \(builtInNames)", status: 1)
    }
    do {
      return try FlowFile.read(bytes, name: name)
    } catch {
      throw Problem(text: "\(error)", status: 1)
    }
  }
}
