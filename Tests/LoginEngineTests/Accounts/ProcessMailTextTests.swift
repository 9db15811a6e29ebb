import Foundation
import TestSupport
import Testing

/// The texts of mails from the accounts.
struct ProcessMailTextTests {
  @Test("a mail has the texts of the engine's first flow, in the language of the session")
  func ownTexts() throws {
    let directory = try Directory()
    let file = Checkout.root.appending(path: "protocol/flows/standard.json")
    let flow = try String(contentsOf: file, encoding: .utf8)
      .replacing("Your code for a new password", with: "The bank's code")
      .replacing("Ihr Code für ein neues Passwort", with: "Code für Sie")
    let command = try directory.write("cat > '\(directory.path)/mail-'\"$3\"", to: "mail.sh")
    let options = ["--flow", try directory.write(flow, to: "flow.json")]
    let engine = try RunningEngine(options, accounts: ["--mail-command", "/bin/sh '\(command)'"], in: directory)
    for (locale, subject) in [("en", "The bank's code"), ("de", "=?UTF-8?B?Q29kZSBmw7xyIFNpZQ==?=")] {
      let address = locale + "@example.com"
      try engine.send(Line.setup(locale, address, locale, "correct horse"))
      _ = try engine.update(of: locale, "requestSucceeded")
      let open =
        #"{"jsonrpc":"2.0","method":"session/open","params":"#
        + #"{"session":"mail \#(locale)","screen":"forgotPassword","locale":"\#(locale)"}}"#
      let session = "mail " + locale
      try engine.send(open, Line.edit(session, "email", address), Line.press(session, "submit"))
      try Eventually.holds("a mail comes") {
        directory.read("mail-" + address).contains("\nSubject: \(subject)\n")
      }
    }
  }
}
