import System

/// `login-engine flow try`: shows a flow in the terminal view, with the demo authenticator.
enum FlowTrial {
  private static let view = "login-terminal"

  /// The arguments of the terminal view, which starts the program `engine`.
  static func arguments(engine: String, file: String, locale: String?) -> [String] {
    var arguments = ["--engine", engine]
    if let locale { arguments += ["--locale", locale] }
    return arguments + ["--", "--flow", file, "--authenticator", "demo"]
  }

  /// Replaces this process by the terminal view. Returns only if that fails, with the reason.
  static func run(_ file: String, locale: String?) -> String {
    let engine = ExecutablePath.current()
    let folder = engine.lastIndex(of: "/").map { String(engine[...$0]) } ?? ""
    let beside = folder + view
    guard let path = ExecutablePath.isExecutable(beside) ? beside : try? ExecutablePath.find(view) else {
      return "there is no \(view) beside this program (\(beside)) or in PATH; "
        + "build it with: swift build -c release --product \(view)"
    }
    let failure = ProcessImage.replace(
      with: path, arguments: [view] + arguments(engine: engine, file: file, locale: locale))
    return "\(path): \(failure)"
  }
}
