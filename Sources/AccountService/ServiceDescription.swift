import AccountStore
import EventLoop
import Glibc
import JSONCodec
import LoginProtocol

/// What the service says of itself.
struct ServiceDescription: Sendable {
  let program: String
  let version: EngineVersion
  /// The files that it keeps, by absolute paths.
  let files: [(path: String, use: String)]
}

extension ByteBuffer {
  mutating func appendDescription(_ description: ServiceDescription, wants: Set<AuthenticatorNeed>, id: [UInt8]) {
    var members: [JSONValue.Member] = [
      .init("name", .string(description.program)), .init("version", .string(description.version.program)),
    ]
    if !description.version.build.isEmpty { members.append(.init("build", .string(description.version.build))) }
    let needs = AuthenticatorNeed.allCases.filter { wants.contains($0) }
    if !needs.isEmpty { members.append(.init("wants", .array(needs.map { .string($0.rawValue) }))) }
    let files = description.files.map {
      JSONValue.object([.init("path", .string($0.path)), .init("use", .string($0.use))])
    }
    if !files.isEmpty { members.append(.init("files", .array(files))) }
    id.withUnsafeBytes { appendReplyHead(id: $0) }
    JSONValue.object(members).write(to: &self)
    append("}\n")
  }
}

extension ServiceDescription {
  init(_ arguments: Arguments, program: AccountProgram, version: EngineVersion) {
    let file = arguments.options.file
    var files: [(path: String, use: String)]
    switch arguments.location {
    case .file:
      files = [(file, "database")] + ["-wal", "-shm", "-journal"].map { (file + $0, "log") } + [(file + ".key", "key")]
    case .server: files = [(file, "key")]
    }
    if let pepper = arguments.options.store.pepperFile { files.append((pepper, "key")) }
    self.init(
      program: program.name, version: version, files: files.map { (path: Self.absolute($0.path), use: $0.use) })
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
