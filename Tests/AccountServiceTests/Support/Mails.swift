import Foundation
import TestSupport

/// The mails that a service has sent, which are in the outbox or come from a script in a test's
/// directory.
struct Mails {
  let directory: String
  var outbox: String { directory + "/data/outbox" }

  /// Returns the names of the files in the outbox, once there are `count`.
  func files(_ count: Int) throws -> [String] {
    try waiting {
      names(in: outbox).filter { $0.hasSuffix(".eml") }
    } until: {
      $0.count >= count
    }
  }

  /// The names of the files that are in the outbox now, including files that are not complete.
  var namesNow: [String] { names(in: outbox) }

  /// Returns the text of the latest mail in the outbox, once there are `count`.
  func text(_ count: Int = 1) throws -> String {
    let files = try files(count).map { outbox + "/" + $0 }
    let newest = try files.max { try Self.time($0) < Self.time($1) }
    return try String(contentsOfFile: newest ?? "", encoding: .utf8)
  }

  private static func time(_ path: String) throws -> Date {
    try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date ?? .distantPast
  }

  /// Writes a script that takes the place of the mail command, and returns the option that names
  /// the script.
  func script(_ text: String) throws -> [String] {
    try text.write(toFile: directory + "/mail.sh", atomically: true, encoding: .utf8)
    return ["--mail-command", "/bin/sh '\(directory)/mail.sh' 'two words'"]
  }

  /// Returns the lines of a file that a script writes, once there are `count`.
  func lines(_ name: String, _ count: Int) throws -> [String] {
    try waiting {
      let text = (try? String(contentsOfFile: directory + "/" + name, encoding: .utf8)) ?? ""
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    } until: {
      $0.count >= count
    }
  }

  private func names(in directory: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  func waiting<T>(_ get: () -> T, until isEnough: (T) -> Bool) throws -> T {
    var value = get()
    let isThere = eventually {
      value = get()
      return isEnough(value)
    }
    guard isThere else { throw Service.Failure(description: "nothing came in time") }
    return value
  }

  /// Returns the code in a mail, which has a line of its own in the text. The header is skipped,
  /// because it may contain something similar.
  static func code(_ mail: String) throws -> String {
    let range = mail.range(
      of: "(?<=\n    )[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}(?=\n)", options: .regularExpression)
    guard let range else { throw Service.Failure(description: "there is no code in the mail") }
    return String(mail[range])
  }
}
