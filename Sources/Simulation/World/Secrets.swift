import JSONCodec

/// The format of secrets that views type, as in `qZ7x12-345-`: a mark that occurs nowhere else, the
/// number of the session and the number of the secret.
enum Secrets {
  static var mark: StaticString { "qZ7x" }

  /// The session number and the secret number of the first secret in the bytes, searched from
  /// `start` on; `nil` if there is none.
  static func first(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> (session: Int, secret: Int)? {
    next(in: bytes, from: start).map { ($0.session, $0.secret) }
  }

  private static func next(
    in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> (session: Int, secret: Int, end: Int)? {
    guard let place = firstOffset(of: mark, in: bytes, from: start) else { return nil }
    var index = place + mark.utf8CodeUnitCount
    func number() -> Int {
      var number = 0
      while index < bytes.count, (0x30...0x39).contains(bytes[index]), number < 1 << 40 {
        number = number * 10 + Int(bytes[index] - 0x30)
        index += 1
      }
      index += 1
      return number
    }
    let session = number()
    let secret = number()
    return (session, secret, index)
  }

  /// The session number and the secret number of each secret in the bytes.
  static func all(in bytes: UnsafeRawBufferPointer) -> [(session: Int, secret: Int)] {
    var found: [(session: Int, secret: Int)] = []
    var start = 0
    while let one = next(in: bytes, from: start) {
      found.append((one.session, one.secret))
      start = min(one.end, bytes.count)
    }
    return found
  }
}
