import Accounts
import AuthenticatorKit
import Glibc
import LoginProtocol

extension AuthenticatorDescription {
  /// Creates the service's description of itself, with the absolute paths of its files.
  init(_ arguments: Arguments, program: AccountProgram, version: EngineVersion) {
    self.init(name: program.name, version: version.program)
    if !version.build.isEmpty { build = version.build }
    let file = arguments.options.file
    switch arguments.location {
    case .file:
      files = [KeptFile(file, use: "database")]
      files += ["-wal", "-shm", "-journal"].map { KeptFile(file + $0, use: "log") }
      files.append(KeptFile(file + ".key", use: "key"))
    case .server: files = [KeptFile(file, use: "key")]
    }
    if let pepper = arguments.options.store.pepperFile { files.append(KeptFile(pepper, use: "key")) }
    for index in files.indices { files[index].path = Self.absolute(files[index].path) }
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
