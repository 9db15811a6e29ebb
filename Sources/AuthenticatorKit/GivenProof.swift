public import JSONCodec
public import LoginMachine

/// A factor with which the user proved their identity, as an authenticator states it.
public struct GivenProof: Equatable, Sendable {
  /// The name of the factor, such as `pwd` or `otp` (RFC 8176, section 2): 1 to 64 letters, digits,
  /// `.`, `-` and `_`.
  public var factor: String
  /// The time at which the user proved this factor, in milliseconds since 1970 (UTC), at most
  /// `maximumTime`; `nil` means the time at which the engine reads the answer.
  public var at: UInt64?

  public init(_ factor: String, at time: UInt64? = nil) {
    self.factor = factor
    at = time
  }

  /// The maximum value of `at`. Every JSON library reads numbers up to it without loss (RFC 8259,
  /// section 6).
  public static var maximumTime: UInt64 { 9_007_199_254_740_991 }
  /// The maximum number of proofs in an answer.
  public static var maximumCount: Int { 16 }
}

extension ByteBuffer {
  /// Appends the member `proofs` to an object that already has a member. Appends nothing if
  /// `proofs` is `nil`.
  public mutating func append(proofs: [Proof]?) {
    append(proofs: proofs?.map { GivenProof($0.factor, at: $0.at) })
  }

  mutating func append(proofs: [GivenProof]?) {
    guard let proofs else { return }
    append(member: Name.proofs)
    append(0x5B)
    for (index, proof) in proofs.enumerated() {
      if index > 0 { append(0x2C) }
      append(first: Name.factor)
      appendJSONString(proof.factor)
      append(member: Name.at, proof.at)
      append(0x7D)
    }
    append(0x5D)
  }
}

extension JSONDocument {
  /// Reads the member `proofs` of an answer or of a question's `previous`; `nil` if it is left out.
  borrowing func proofs(of object: Node) throws(InvalidAnswer) -> [GivenProof]? {
    guard let list = present(Name.proofs, of: object) else { return nil }
    guard kind(list) == .array else { throw "its proofs are not an array" }
    var proofs: [GivenProof] = []
    var child = firstChild(list)
    while let node = child {
      guard proofs.count < GivenProof.maximumCount else { throw "it has more than 16 proofs" }
      proofs.append(try proof(node))
      child = sibling(after: node, in: list)
    }
    return proofs
  }

  private borrowing func proof(_ node: Node) throws(InvalidAnswer) -> GivenProof {
    guard kind(node) == .object, let factor = member(Name.factor, of: node).flatMap({ codeName($0) }) else {
      throw "one of its proofs has no factor that is a name"
    }
    let problem: InvalidAnswer = "the time of one of its proofs is not a whole number from 0 to 9007199254740991"
    let time = try wholeNumber(Name.at, of: node, or: problem)
    guard time ?? 0 <= GivenProof.maximumTime else { throw problem }
    return GivenProof(factor, at: time)
  }
}
