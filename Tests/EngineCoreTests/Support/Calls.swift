/// Lines that a view writes, with defaults for what a test does not need to set.
enum Calls {
  static func open(_ session: String = "s", screen: String = "setup", id: Int = 1) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"session/open","params":{"session":"\#(session)","screen":"\#(screen)","detail":"full"}}"#
  }

  static func edit(_ item: String, _ value: String, session: String = "s") -> String {
    #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"\#(session)","item":"\#(item)","value":"\#(value)"}}"#
  }

  static func press(_ action: String, session: String = "s", id: Int = 2) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"session/press","params":{"session":"\#(session)","action":"\#(action)"}}"#
  }

  static func list(id: Int = 3) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"session/list"}"# }

  static func advance(_ milliseconds: Int, id: Int = 4) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"clock/advance","params":{"milliseconds":\#(milliseconds)}}"#
  }

  /// The lines that fill in the form for a new account.
  static func signUp(_ session: String = "s") -> [String] {
    [
      edit("email", "ada@example.com", session: session), edit("userName", "ada", session: session),
      edit("password", "123456789", session: session),
    ]
  }

  /// The authenticator's line that accepts the question with this number.
  static func accepted(_ question: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(question),"result":{"outcome":"accepted","principal":"ada"}}"#
  }
}

extension Harness {
  /// Opens a session, fills in its form and submits it.
  func signUp(_ session: String = "s") {
    view(Calls.open(session))
    for line in Calls.signUp(session) { view(line) }
    view(Calls.press("submit", session: session))
  }
}
