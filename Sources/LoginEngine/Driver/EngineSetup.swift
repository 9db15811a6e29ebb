public import EngineCore
public import LoginProtocol
import System

/// Makes the core of an engine for a program that drives it itself.
public enum EngineSetup {
  /// Why there is no engine.
  public struct Failure: Error {
    /// With what the engine as a program would exit.
    public let status: Int32
    /// What it would write on standard error.
    public let text: String
  }

  /// A core that a command line of the engine asks for. What its options say of files other than flows, and of what runs beside the core, is ignored.
  /// - Parameter log: takes the lines of the engine's log, without their ends.
  public static func core(
    arguments: [String], at moment: Moment, log: @escaping (String) -> Void
  ) throws(Failure) -> EngineCore {
    let options = try options(arguments)
    do {
      let core = EngineCore(
        options.configuration, catalog: try FlowCatalog(try options.readFlowFiles()), at: moment,
        log: EngineLog(level: options.logLevel) { log("login-engine: \($0.name): \($1)") })
      core.warnOfUnusedChoices()
      return core
    } catch {
      throw Failure(status: 1, text: "login-engine: \(error)")
    }
  }

  private static func options(_ arguments: [String]) throws(Failure) -> EngineOptions {
    do throws(UsageError) {
      if case .run(let options) = try EngineOptions.parse(arguments) { return options }
      return EngineOptions()
    } catch {
      let text = EngineCommandLine.syntax.message(error)
      throw Failure(status: 2, text: text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
  }
}
