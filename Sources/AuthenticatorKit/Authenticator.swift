#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import JSONCodec

/// An authenticator's program: reads questions from standard input, one after another, and writes the answers to standard output.
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
/// What the engine knows of the flow it tells to one that wants it: `description.wants`.
public struct Authenticator: Sendable {
  /// What it says of itself.
  public var description: AuthenticatorDescription

  fileprivate static var chunk: Int { 65_536 }

  /// - Parameters:
  ///   - name: what it is called. Views are told this and the version.
  ///   - requests: those that it knows, such as `login`; `nil` to be asked for all.
  public init(name: String, version: String? = nil, requests: Set<String>? = nil) {
    description = AuthenticatorDescription(name: name, version: version, requests: requests)
  }

  /// Answers questions until the input ends, or nobody reads the answers any more. The memory that lines were read into is wiped.
  ///
  /// What is no call of the engine's is ignored, and a request that the contract does not have, or whose members are not as they should be, gets an error.
  ///
  /// - Parameters:
  ///   - told: is told what there is nothing to say about: what the description wants (`configure`), that a clock has moved that it wants to follow
  ///     (`advance`), and that nobody waits for anything of a conversation any more (`cancel`).
  ///   - check: says whether a value will do that nobody has submitted.
  ///   - answer: decides. What it throws is answered as an error: nothing was decided.
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

  /// The next line and its length with its end, where it lies; `nil` at the end of the input.
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

/// Appends what is there; `false` at the end of the input.
private func readStandardInput(into input: inout ByteBuffer) -> Bool {
  var count = 0
  input.append(upTo: Authenticator.chunk) { memory in
    repeat { count = read(0, memory.baseAddress, memory.count) } while count < 0 && errno == EINTR
    return count
  }
  return count > 0
}

/// Writes all that there is; `false` if nobody reads it any more.
private func writeStandardOutput(_ output: inout ByteBuffer) -> Bool {
  while !output.isEmpty {
    let count = output.withBytes { write(1, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    output.consumeWiping(count)
  }
  return true
}
