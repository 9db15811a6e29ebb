public import JSONCodec

/// An authenticator's description of itself: the result of `authenticator/describe`. Every member
/// is optional.
public struct AuthenticatorDescription: Equatable, Sendable {
  /// A file that the authenticator keeps.
  public struct KeptFile: Equatable, Sendable {
    /// The absolute path of the file.
    public var path: String
    /// The file's purpose, in one word such as `database`, `log` or `key`; empty if unknown.
    public var use: String

    public init(_ path: String, use: String = "") {
      self.path = path
      self.use = use
    }
  }

  /// The authenticator's name. Views see it.
  public var name: String?
  /// The authenticator's version. Views see it.
  public var version: String?
  /// The name of the authenticator's build.
  public var build: String?
  /// The requests that the authenticator decides; `nil` for all requests. The engine fails any
  /// other request at once, without asking the authenticator.
  public var requests: Set<String>?
  /// The settings that the authenticator wants from `authenticator/configure`. Names that this
  /// version does not know are left out.
  public var wants: Set<AuthenticatorSetting> = []
  /// The files that the authenticator keeps. The engine does not write recordings or traces into
  /// them.
  public var files: [KeptFile] = []

  public init(name: String? = nil, version: String? = nil, requests: Set<String>? = nil) {
    self.name = name
    self.version = version
    self.requests = requests
  }

  /// Reads the result of `authenticator/describe`; `nil` if it is invalid.
  init?(_ document: borrowing JSONDocument, _ result: JSONDocument.Node) {
    guard document.kind(result) == .object else { return nil }
    do throws(InvalidAnswer) {
      name = try document.string(Name.name, of: result, or: "its name is not a string")
      version = try document.string(Name.version, of: result, or: "its version is not a string")
      build = try document.string(Name.build, of: result, or: "its build is not a string")
    } catch {
      return nil
    }
    if let list = document.present(Name.requests, of: result) {
      guard let names = document.strings(list) else { return nil }
      requests = Set(names)
    }
    if let list = document.present(Name.wants, of: result) {
      guard document.strings(list) != nil else { return nil }
      wants = AuthenticatorSetting.set(list, document)
    }
    if let list = document.present(Name.files, of: result) {
      guard let files = KeptFile.list(JSONValue(document, list)) else { return nil }
      self.files = files
    }
  }

  /// Appends the answer to the request with this id.
  public func write(to buffer: inout ByteBuffer, id: MessageID) {
    var members: [JSONValue.Member] = []
    func add(_ name: StaticString, _ texts: [String]) {
      members.append(.init(name, .array(texts.map { .string($0) })))
    }
    if let name { members.append(.init(Name.name, .string(name))) }
    if let version { members.append(.init(Name.version, .string(version))) }
    if let build { members.append(.init(Name.build, .string(build))) }
    if let requests { add(Name.requests, requests.sorted()) }
    if let wants = AuthenticatorSetting.names(wants) { add(Name.wants, wants) }
    if !files.isEmpty { members.append(.init(Name.files, .array(files.map(\.json)))) }
    buffer.appendResponse(id)
    JSONValue.object(members).write(to: &buffer)
    buffer.append("}\n")
  }
}

extension AuthenticatorDescription.KeptFile {
  /// Reads an array of files; `nil` if the value is not an array, or if a file has no path.
  fileprivate static func list(_ value: JSONValue) -> [Self]? {
    var files: [Self] = []
    guard let list = value.array else { return nil }
    for file in list {
      guard let path = file[Name.path]?.string else { return nil }
      files.append(Self(path, use: file[Name.use]?.string ?? ""))
    }
    return files
  }

  fileprivate var json: JSONValue {
    let use: [JSONValue.Member] = use.isEmpty ? [] : [.init(Name.use, .string(use))]
    return .object([.init(Name.path, .string(path))] + use)
  }
}
