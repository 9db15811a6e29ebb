public import EngineCore
public import LoginProtocol
import System

/// Creates the core of an engine for a program that drives the core itself.
public enum EngineSetup {
  /// The reason why no core was created.
  public struct Failure: Error {
    /// The exit status that the engine program would have.
    public let status: Int32
    /// The text that the engine program would write to standard error.
    public let text: String
  }

  /// Creates a core as an engine's command line describes it. Options for files other than flows,
  /// and for processes around the core, are ignored.
  /// - Parameter log: receives the lines of the engine's log, without newlines.
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
