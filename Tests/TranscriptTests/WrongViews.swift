/// The wrong views, by kind of deviation.
extension WrongView {
  /// A call that presses an action.
  static func press(_ action: String, _ session: String = "s1") -> String {
    #"{"jsonrpc":"2.0","id":99,"method":"session/press","params":{"session":"\#(session)","action":"\#(action)"}}"#
  }

  static let typing = [
    WrongView(
      "types another value before it presses", "session/sign-up",
      .replace("ada@example.com", with: "eve@example.com"),
      #"to hold "ada@example.com", but it holds "eve@example.com""#),
    WrongView(
      "types another secret before it presses", "session/sign-up", .replaceLast("123456789", with: "987654321"),
      "expected the item password to hold"),
    WrongView(
      "types one thing less before it presses", "session/sign-up", .leaveOut(#""item":"userName""#),
      "expected the item userName to hold"),
    WrongView(
      "types another value and presses nothing", "s0/identifier-email",
      .replaceLast("ada@example.com", with: "eve@example.com"), "expected the item email to hold"),
    WrongView(
      "does not type to the end and presses nothing", "s0/identifier-email", .leaveOut(#""ada@example.com""#),
      #"to hold "ada@example.com", but it holds "ada""#),
    WrongView(
      "types another value before time passes", "session/idle-timeout",
      .replace(#""value":"a""#, with: #""value":"b""#),
      #"expected the item email to hold "a""#),
    WrongView(
      "types nothing before time passes", "session/idle-timeout", .leaveOut(#""value":"a""#),
      #"expected the item email to hold "a""#),
    WrongView(
      "does not try to change a secret that is emptied by that", "session/secret-refused-while-pending",
      .stopBefore(#""other""#), #"expected the item password to hold """#),
    WrongView(
      "enters another code on the authenticator's screen", "challenge/second-factor",
      .replace("123456", with: "654321"), "expected the item code to hold"),
  ]

  static let pressing = [
    WrongView(
      "does not press at all", "session/navigation", .stopBefore(#""action":"setup""#), "session/press of setup"),
    WrongView("leaves a press out", "session/navigation", .leaveOut(#""action":"login""#), "session/press of login"),
    WrongView(
      "presses something else", "session/retry", .replaceLast(#""action":"retry""#, with: #""action":"setup""#),
      "session/press of retry"),
    WrongView(
      "presses something once more", "session/navigation", .add(press("login")),
      "expected nothing more but the view's end"),
    WrongView(
      "presses something that was refused before once more", "session/press-refusals", .add(press("retry", "p")),
      "expected nothing more but the view's end"),
    WrongView(
      "presses in another order", "session/sessions-interleave",
      .swap(#""session":"a","action":"submit""#, #""session":"b","action":"submit""#),
      "session/press of submit in session a"),
    WrongView(
      "presses in another session", "session/sessions-interleave",
      .replace(#""session":"a","action":"submit""#, with: #""session":"b","action":"submit""#),
      "session/press of submit in session a"),
    WrongView(
      "cancels instead of waiting", "authenticator/timeout",
      .replaceLast(#""action":"retry""#, with: #""action":"setup""#),
      "session/press of retry"),
    WrongView(
      "does not dismiss the alert", "s3/alert-stays", .leaveOut(#""action":"dismiss""#), "session/press of dismiss"),
    WrongView(
      "tries once less, with several authenticators", "authenticator/several", .leaveOut(#""action":"retry""#),
      "session/press of retry"),
    WrongView(
      "types another value, with several authenticators", "authenticator/several", .replace("secret1", with: "secret2"),
      "expected the item password to hold"),
  ]

  static let opening = [
    WrongView(
      "opens another locale", "session/open-locale", .replace(#""tlh""#, with: #""de""#),
      #"with locale "tlh""#),
    WrongView(
      "opens with another value", "session/sessions-interleave",
      .replaceLast("ada@example.com", with: "eve@example.com"),
      "with values"),
    WrongView(
      "opens one session less", "session/open-names", .stopBefore("session/open"), "expected session/open"),
    WrongView(
      "opens one session more", "session/navigation", .add(#"{"jsonrpc":"2.0","id":99,"method":"session/open"}"#),
      "expected nothing more but the view's end"),
    WrongView(
      "does not close a session", "session/close", .leaveOut(#""params":{"session":"b"}"#),
      "expected session/close of session b"),
    WrongView(
      "does not close a session with a pending login", "session/close-pending", .leaveOut("session/close"),
      "expected"),
  ]

  static let answering = [
    WrongView(
      "decides otherwise", "frontend/decides", .replace("accepted", with: "rejected"),
      "first difference at /result/outcome"),
    WrongView(
      "lets in somebody else", "frontend/decides", .replace(#""ada""#, with: #""eve""#),
      "first difference at /result/principal"),
    WrongView(
      "hands over other data", "frontend/decides", .replace(#""account":7"#, with: #""account":8"#),
      "first difference at /result/data/account"),
    WrongView(
      "does not answer", "frontend/decides", .leaveOut(#""outcome""#),
      #"expected {"jsonrpc":"2.0","id":"authenticator-1""#),
    WrongView(
      "answers what nobody asked", "frontend/decides", .replace("authenticator-1", with: "authenticator-9"),
      #"expected {"jsonrpc":"2.0","id":"authenticator-1""#),
    WrongView(
      "says nothing meanwhile", "frontend/conversation", .leaveOut("authenticator/notify"), "authenticator/notify"),
    WrongView(
      "says something else meanwhile", "frontend/conversation", .replace("Asking your phone.", with: "Asking."),
      "first difference at /params/message/text"),
    WrongView(
      "says something else about a wrong code", "frontend/conversation", .replaceLast("code.wrong", with: "code.right"),
      "first difference at /result/message/code"),
    WrongView(
      "answers with another error", "frontend/errors", .replace("offline", with: "busy"),
      "first difference at /error/data/code"),
  ]

  static let lockstep = [
    WrongView(
      "types another value", "session/lockstep", .replaceLast("correct horse", with: "other horse"),
      "expected the item password to hold"),
    WrongView(
      "leaves the last press out", "session/lockstep", .leaveOut(#""session":"s2","action":"submit""#), "submit"),
    WrongView(
      "presses something else", "session/lockstep",
      .replaceLast(#""s2","action":"submit""#, with: #""s2","action":"setup""#),
      "session/press of submit in session s2"),
    WrongView(
      "presses something once more", "session/lockstep", .add(press("setup")),
      "expected nothing more but the view's end"),
    WrongView(
      "decides otherwise", "authenticator/frontend-lockstep", .replace("accepted", with: "throttled"),
      "first difference at /result/outcome"),
    WrongView(
      "answers before it goes on", "authenticator/frontend-lockstep",
      .swap(#""session":"s2""#, #""outcome""#), "expected session/open"),
    WrongView(
      "presses something else in a batch", "authenticator/frontend-lockstep-batch",
      .replace(#""action":"submit""#, with: #""action":"setup""#), "session/press of submit"),
  ]
}
