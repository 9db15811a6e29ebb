#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import JSONCodec

/// The main loop of an authenticator: reads questions from standard input, one after another, and
/// writes the answers to standard output.
///
/// ```swift
/// Authenticator(name: "staff", requests: ["login"]).run { question, entered in
///   guard entered.text("email") == "ada@example.com", entered.matches("password", "lovelace".utf8) else {
///     return .rejected(reason: "invalidCredentials")
///   }
///   return .accepted(principal: "ada")
/// }
/// ```
///
/// If an authenticator needs settings of the engine or of the default flow, `description.wants`
/// names them.
public struct Authenticator: Sendable {
  /// The authenticator's description of itself: its answer to `authenticator/describe`.
  public var description: AuthenticatorDescription

  fileprivate static var chunk: Int { 65_536 }

  /// Creates an authenticator.
  ///
  /// - Parameters:
  ///   - name: the authenticator's name. Views see the name and the version.
  ///   - requests: the requests that the authenticator decides, such as `login`; `nil` for all.
  public init(name: String, version: String? = nil, requests: Set<String>? = nil) {
    description = AuthenticatorDescription(name: name, version: version, requests: requests)
  }

  /// Answers questions until the input ends or the output is closed. `run` wipes the memory that
  /// held the lines.
  ///
  /// `run` ignores lines that are not calls of the engine. A request with an unknown method or with
  /// invalid params gets an error.
  ///
  /// - Parameters:
  ///   - told: receives the calls that need no decision: settings that the description wants
  ///     (`configure`), the end of a conversation that the engine has given up (`cancel`), and each
  ///     forward movement of a manual clock (`advance`), if the description wants the clock.
  ///   - check: judges a value before it is submitted. Without `check`, questions of the kind
  ///     `check` get an error.
  ///   - answer: decides a question. If `answer` throws, the engine gets an error response, and the
  ///     request is not decided.
  public func run(
    told: (EngineCall) -> Void = { _ in },
    check: ((AuthenticatorQuestion, inout EngineLine) throws(AuthenticatorFailure) -> CheckAnswer)? = nil,
    answer: (AuthenticatorQuestion, inout EngineLine) throws(AuthenticatorFailure) -> AuthenticatorAnswer
  ) {
    var line = EngineLine()
    var input = ByteBuffer(capacity: Self.chunk)
    var output = ByteBuffer()
    while let (bytes, length) = Self.nextLine(&input) {
      Self.respond(to: bytes, &line, self, &output, told, check, answer)
      input.consumeWiping(length)
      guard writeStandardOutput(&output) else { return }
    }
  }

  private static func respond(
    to bytes: UnsafeRawBufferPointer, _ line: inout EngineLine, _ authenticator: Authenticator,
    _ output: inout ByteBuffer, _ told: (EngineCall) -> Void,
    _ check: ((AuthenticatorQuestion, inout EngineLine) throws(AuthenticatorFailure) -> CheckAnswer)?,
    _ answer: (AuthenticatorQuestion, inout EngineLine) throws(AuthenticatorFailure) -> AuthenticatorAnswer
  ) {
    guard let call = try? line.read(bytes) else { return }
    switch call {
    case .describe(let engine, let id):
      var description = authenticator.description
      description.wants.formIntersection(engine.offers)
      description.write(to: &output, id: id)
    case .question(let question, let id):
      do throws(AuthenticatorFailure) {
        if question.kind != .check {
          try answer(question, &line).write(to: &output, id: id)
        } else if let check {
          try check(question, &line).write(to: &output, id: id)
        } else {
          throw AuthenticatorFailure.unknownMethod
        }
      } catch {
        error.write(to: &output, id: id)
      }
    case .configure, .cancel: told(call)
    case .advance(_, let id) where authenticator.description.wants.contains(.clock):
      told(call)
      id?.writeDone(to: &output)
    case .advance(_, let id?), .unknown(let id?): AuthenticatorFailure.unknownMethod.write(to: &output, id: id)
    case .invalid(let member, let id?): AuthenticatorFailure(member).write(to: &output, id: id)
    case .advance(_, nil), .unknown(nil), .invalid(_, nil), .nothing: return
    }
  }

  /// Reads until the input contains a whole line. Returns the line's bytes, in place and without
  /// the newline, and its length with the newline; `nil` at the end of the input.
  private static func nextLine(_ input: inout ByteBuffer) -> (UnsafeRawBufferPointer, Int)? {
    var searched = 0
    while true {
      let newline = input.withBytes { bytes in bytes[searched...].firstIndex(of: 0x0A) }
      if let newline {
        return input.withBytes { (UnsafeRawBufferPointer(rebasing: $0[..<newline]), newline + 1) }
      }
      searched = input.count
      guard readStandardInput(into: &input) else { return nil }
    }
  }
}

/// Reads once from standard input and appends the bytes. Returns `false` at the end of the input.
private func readStandardInput(into input: inout ByteBuffer) -> Bool {
  var count = 0
  input.append(upTo: Authenticator.chunk) { memory in
    repeat { count = read(0, memory.baseAddress, memory.count) } while count < 0 && errno == EINTR
    return count
  }
  return count > 0
}

/// Writes all bytes of `output` to standard output. Returns `false` if standard output is closed.
private func writeStandardOutput(_ output: inout ByteBuffer) -> Bool {
  while !output.isEmpty {
    let count = output.withBytes { write(1, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    output.consumeWiping(count)
  }
  return true
}
