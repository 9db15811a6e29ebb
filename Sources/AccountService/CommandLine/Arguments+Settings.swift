import Accounts
import System

/// Reads the file with the options that the service and the administrators' commands must share.
extension Arguments {
  /// The options that a settings file must not contain, because they apply to one command or to one
  /// run of the program.
  private static let excluded: Set<String> = [
    "--settings", "--email", "--user-name", "--replace", "--count", "--send-reset", "--remove", "--off",
    "--replace-pepper", "--from",
    "--clock", "--help", "-h", "--version",
  ]

  /// Reads the options in a file.
  static func options(in file: String, of program: AccountProgram) throws(UsageError) -> Options {
    let bytes: [UInt8]
    do { bytes = try WholeFile.readTrusted(file) } catch { throw UsageError("--settings: \(error)") }
    var options = Options()
    do throws(UsageError) {
      try Options.syntax(program).read(
        settings: String(decoding: bytes, as: UTF8.self), without: excluded, into: &options)
    } catch {
      throw UsageError("\(file), \(error.text)")
    }
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    func resolve(_ path: String) -> String { path.isEmpty || path.hasPrefix("/") ? path : folder + path }
    options.file = resolve(options.file)
    options.outbox = resolve(options.outbox)
    options.blocklist = options.blocklist.map(resolve)
    options.flow = options.flow.map(resolve)
    options.store.pepperFile = options.store.pepperFile.map(resolve)
    return options
  }
}
