import Accounts
import Foundation
import JSONCodec
import SecretMemory

/// An authenticator app that has a secret for one-time codes.
struct AuthenticatorApp {
  /// The secret as it was printed, in base 32, with spaces and without.
  let grouped: String
  let text: String
  let secret: OneTimeSecret

  init(_ printed: String) {
    grouped = printed
    text = printed.filter { $0 != " " }
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in text {
      let value = letter.isLetter ? Int(letter.asciiValue ?? 0) - 65 : (Int(String(letter)) ?? 0) + 24
      bits = (bits << 5 | UInt32(value)) & 0xFFFF
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> UInt32(count) & 0xFF))
      }
    }
    secret = bytes.withUnsafeBytes { OneTimeSecret(copying: $0) }
  }

  /// Returns the app's code at a time in milliseconds.
  func code(_ now: Int64) -> String {
    secret.withBytes { secret in
      OneTimeCode.standard.code(secret: secret, step: OneTimeCode.step(atMs: now)).withBytes {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }
}

extension Service {
  /// Enables one-time codes for `ada`. The first code is that of step 0 of a manual clock.
  static func enrol(_ file: String) throws -> AuthenticatorApp {
    let command = try Service(file, ["one-time-codes", "ada", "--clock", "manual"])
    _ = try command.line()
    guard let secret = try command.line() else { throw Failure(description: "no secret was printed") }
    let app = AuthenticatorApp(secret)
    command.send(app.code(0))
    let (status, error) = command.wait()
    guard status == 0, error.isEmpty else { throw Failure(description: "\(status) \(error)") }
    return app
  }
}
