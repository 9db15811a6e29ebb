import Accounts
import System

/// The file with options that the service and its administration must share.
extension Arguments {
  /// The options that belong to one command or one start.
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
