/// A flow of the tests' own, independent of the built-in ones: a login with an address and a
/// password.
enum OwnFlow {
  static let definition = """
    {"flow":"own","start":"entrance","validation":"live","marking":"touched","failure":"inline","pending":"cancel",
     "requestTimeoutMs":30000,"defaultLocale":"en",
     "screens":[{"id":"entrance","title":"title","request":"enter",
      "sections":[{"id":"all","items":[
       {"id":"address","apiKey":"address","kind":"input","inputType":"email","title":"title"},
       {"id":"code","apiKey":"code","kind":"input","inputType":"password","title":"title"}]}],
      "actions":{"submit":{"id":"go","title":"title"},"cancel":{"id":"stop","title":"title"},
       "retry":{"id":"again","title":"title"}},
      "success":{"scene":"inside"}}],
     "strings":{"en":{"title":"A title"}}}
    """

  /// Options for `login_engine_create` that contain this flow, followed by `members`.
  static func options(_ members: String = "") -> String {
    #"{"flows":[\#(definition)]\#(members.isEmpty ? "" : ",")\#(members)}"#
  }

  /// The lines of a session that opens, fills in the form and submits it.
  static func enter(_ session: String, password: String = "correct horse") -> String {
    func line(_ method: String, _ rest: String = "") -> String {
      #"{"jsonrpc":"2.0","method":"session/\#(method)","params":{"session":"\#(session)"\#(rest)}}"# + "\n"
    }
    return line("open") + line("edit", #","item":"address","value":"ada@example.com""#)
      + line("edit", #","item":"code","value":"\#(password)""#) + line("press", #","action":"go""#)
  }
}
