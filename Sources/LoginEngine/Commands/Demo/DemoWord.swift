/// The words that, typed into any item of a form, make the demo authenticator answer differently.
enum DemoWord: String, CaseIterable, Sendable {
  case wrong, taken, throttled, challenge, wait, notice, alert, slow, error, exit

  /// The effect of the word, for `--help`.
  var meaning: String {
    switch self {
    case .wrong: "rejects what was entered"
    case .taken: "rejects it with a message on the item that says so"
    case .throttled: "accepts no other attempt for 5 seconds"
    case .challenge: "asks for a code, which is \(DemoService.code), before it accepts"
    case .wait: "lets the view wait for an approval, which comes after 3 seconds"
    case .notice: "gives a notice; the form stays"
    case .alert: "shows an alert (a notice in flows without alerts); accepts after 3 seconds"
    case .slow: "accepts after 3 seconds"
    case .error: "answers that nothing could be decided"
    case .exit: "ends without an answer"
    }
  }

  /// Recognises a value that is one of the words, in upper or lower case, alone or before the `@`
  /// of an address; `nil` for any other value.
  init?(in value: String) {
    self.init(rawValue: String(value.prefix { $0 != "@" }).lowercased())
  }
}
