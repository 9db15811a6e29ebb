import Testing

/// What an example needs in addition to its text because a reader would provide it: own programs,
/// and keys to press.
struct Setting: Sendable, CustomTestStringConvertible {
  /// Keys that are pressed once a text is drawn.
  struct Press: Sendable {
    let text: String
    let keys: String
    init(_ text: String, _ keys: String = "") { (self.text, self.keys) = (text, keys) }
  }

  let document: String
  /// A part of the example's text that no other example of the document contains.
  let containing: String
  /// Commands that run before the example, in the same folder.
  var before = ""
  /// The standard input of the example.
  var input = ""
  /// The keys that are pressed, if the example runs in a terminal.
  var keys: [Press]?
  /// The commands that draw the screen, if the example is a picture of a terminal.
  var commands = "login-terminal"
  /// Commands that run after the example and have to succeed. The example's output is in the file
  /// `output`.
  var after = ""
  /// Whether the example takes too long for the tests, so that only `.ci/run` runs it.
  var isRunElsewhere = false

  var testDescription: String { "\(document): \(containing)" }

  static func of(_ example: Example) -> Setting? {
    all.first { $0.document == example.document && example.text.contains($0.containing) }
  }

  private static let account =
    "echo 'correct horse' | login-accounts add --email ada@example.com --user-name ada --minimum-password-length 9 >/dev/null"
  /// The key Up moves from the first item round to the last link.
  private static let signUp = Press("Forgot your password?", "\u{1B}[A\u{1B}[A\r")
  private static let wrongPassword = [
    Press("Forgot your password?", "ada@example.com\twrong horses\r"), Press("Try Again"),
  ]
  private static let tooShort = [signUp, Press("User name", "ada@example.com\tada\t12345")]

  private static func line(_ method: String, _ params: String) -> String {
    #"{"jsonrpc":"2.0","method":"session/\#(method)","params":{\#(params)}}"# + "\n"
  }

  private static func login(_ flow: String) -> String {
    let session = #""session":"\#(flow)""#
    return line("open", session + #","flow":"\#(flow)","values":{"email":"ada@example.com"}"#)
      + line("edit", session + #","item":"password","value":"correct horse""#)
      + line("press", session + #","action":"submit""#)
  }

  private static func setUp(_ flow: String) -> String {
    let session = #""session":"new""#
    let values = #"{"email":"ada@example.com","userName":"ada"}"#
    return line("open", session + #","flow":"\#(flow)","screen":"setup","values":\#(values)"#)
      + line("edit", session + #","item":"password","value":"correct horse""#)
      + line("press", session + #","action":"submit""#)
  }

  private static let guide = "protocol/guides/writing-an-authenticator.md"
  /// Commands that make the flow and the program that earlier steps of the guide have made.
  private static let mine = """
    login-engine flow new staff >staff.json
    awk '
      $0 == "```" {if (text ~ /^cat >mine/) printf "%s", text; inside = 0; text = ""}
      inside {text = text $0 "\\n"}
      $0 == "```sh" {inside = 1; text = ""}' \(guide) | bash
    """
  private static let mineWithCode = """
    login-engine flow new staff >staff.json
    awk '$0 == "```" {inside = 0} inside {print} $0 == "```python" {inside = 1}' \(guide) >mine
    chmod +x mine
    """

  private static let flowGuide = "protocol/guides/writing-a-flow.md"
  /// Commands that run the steps of the guide that precede the step with this text.
  private static func flowSteps(before text: String) -> String {
    """
    awk -v until='\(text)' '
      $0 == "```" {if (inside && index(text, until)) exit; if (inside) printf "%s", text; inside = 0; text = ""}
      inside {text = text $0 "\\n"}
      $0 == "```sh" {inside = 1; text = ""}' \(flowGuide) | bash -eo pipefail
    """
  }

  static let all: [Setting] = [
    Setting(
      document: "README.md", containing: "libpq-dev",
      keys: [
        signUp, Press("User name", "ada@example.com\tada\tcorrect horse\r"), Press("principal: ada", "\r"),
        Press("Forgot your password?", "ada@example.com\tcorrect horse\r"), Press("principal: ada"),
      ]),
    Setting(document: "clients/README.md", containing: "clients/check", isRunElsewhere: true),
    Setting(document: "clients/shell/README.md", containing: "tail", before: account),
    Setting(
      document: "clients/shell/README.md", containing: "'correct horse' 4 |", before: account,
      after: "grep -q 'principal: ada' output"),
    Setting(
      document: "clients/shell/README.md", containing: "login.sh .build", before: account,
      input: "1\nada@example.com\n2\ncorrect horse\n4\n", after: "grep -q 'principal: ada' output"),
    Setting(document: "clients/swift/README.md", containing: "swift build", keys: [Press("Forgot your password?")]),
    Setting(document: "clients/swift/README.md", containing: "✗", before: account, keys: wrongPassword),
    Setting(document: "clients/swift/README.md", containing: "! Use", keys: tooShort),
    Setting(
      document: "clients/swift/README.md", containing: "┏", keys: [Press("Email", "\u{1B}[A\u{1B}[A\r")],
      commands: "login-terminal --flow coordinators"),
    Setting(
      document: "clients/swift/README.md", containing: "▀",
      before: """
        login-engine flow new staff | jq '.strings.en.app = "Scan this with your telephone" | .screens[0].sections[0].items = [
          {id: "app", kind: "code", title: "app", text: "https://a.example", format: "qr"}]' >app.json
        """,
      keys: [Press("https://a.example")], commands: "env -u NO_COLOR login-terminal -- --flow app.json"),
    Setting(
      document: "clients/swift/README.md", containing: "--once", before: account,
      keys: [Press("Forgot your password?", "ada@example.com\tcorrect horse\r"), Press("Hello, ada!")]),
    Setting(
      document: "clients/swift/README.md", containing: "login-terminal --plain", before: account,
      after: "grep -q 'principal: ada' output"),
    Setting(
      document: "protocol/authenticators.md", containing: "staff/*=",
      before: """
        awk '
          /^## The same in shell/ {there = 1} there && $0 == "```" {exit} inside {print} there && $0 == "```sh" {inside = 1}' \
          \(guide) >decide
        printf '#!/bin/sh\\ntee asked-for-login | ./decide\\n' >my-login
        printf '#!/bin/sh\\ntee asked-for-staff | ./decide\\n' >staff-login
        chmod +x decide my-login staff-login
        login-engine flow print standard | jq '.flow = "staff"' >staff.json
        """,
      input: ["standard", "staff"].map { login($0) }.joined() + setUp("staff"),
      after: """
        asked() { jq -r 'select(.method == "authenticator/submit").params.request' "$1" | paste -sd ' '; }
        [ "$(asked asked-for-login)" = 'login login' ]
        [ "$(asked asked-for-staff)" = setup ]
        """),
    Setting(document: guide, containing: "| ./mine", before: mine),
    Setting(document: guide, containing: "submit 'wrong horse'", before: mine),
    Setting(document: guide, containing: "\\(.snapshot.title)", before: mineWithCode),
    Setting(
      document: guide, containing: "login-terminal --", before: mineWithCode,
      keys: [
        Press("Password", "ada@example.com\tcorrect horse\r"), Press("One more step", "123456\r"),
        Press("principal: ada"),
      ]),
    Setting(document: flowGuide, containing: "badge.digits", before: flowSteps(before: "badge.digits")),
    Setting(document: flowGuide, containing: ".links = ", before: flowSteps(before: ".links = ")),
    Setting(document: flowGuide, containing: ".strings.de = ", before: flowSteps(before: ".strings.de = ")),
    Setting(
      document: flowGuide, containing: "flow try", before: flowSteps(before: "flow try"),
      keys: [Press("Badge number", "ada@example.com\tcorrect horse\r"), Press("scene: home")]),
    Setting(document: flowGuide, containing: "flow diagram", before: flowSteps(before: "flow try")),
  ]
}
