import JSONCodec
import Testing
import ViewModel

/// Tests the model of a view, which reports mistakes in commands. Correct commands must have no
/// reports, manipulated ones must have one.
struct ShownScreenTests {
  private static let actions =
    #"[{"id":"go","title":"Go","role":"primary","enabled":false},{"id":"to","title":"To","role":"link","enabled":true}]"#
  private static let show = #"""
    {"command":"showScreen","screen":"s","state":"initial","title":"t","locale":"en","direction":"ltr","sections":[
      {"id":"a","items":[{"id":"x","kind":"input","value":"","editable":true,"validity":"unknown"},
        {"id":"y","kind":"input","filled":false,"editable":true,"validity":"unknown"},
        {"id":"l","kind":"selection","optionCount":300,"options":[],"value":null,"editable":true,"validity":"unknown"}]},
      {"id":"b","title":"B","items":[]}],"actions":\#(actions)}
    """#

  /// The model of a view that shows the screen of these tests and then gets the commands in `more`.
  private func screen(_ more: String = "") -> ShownScreen {
    var screen = ShownScreen()
    #expect(screen.apply("[\(Self.show)\(more.isEmpty ? "" : ",")\(more)]") == nil)
    screen.note(1)
    return screen
  }

  @Test(
    "a view model reports commands that are misplaced, out of order, malformed or superfluous",
    arguments: [
      (#"{"command":"setItem","item":"x","validity":"valid"}"#, true),
      (#"{"command":"setItem","item":"x","validity":"unknown"}"#, false),
      (#"{"command":"setItem","item":"x","validity":"valid","editable":true}"#, false),
      (#"{"command":"setItem","item":"x","filled":true}"#, false), (#"{"command":"setItem","item":"x"}"#, false),
      (#"{"command":"setItem","item":"z","validity":"valid"}"#, false),
      (
        #"{"command":"setItem","item":"x","validity":"valid"},{"command":"setItem","item":"x","validity":"invalid"}"#,
        false
      ),
      (#"{"command":"setAction","action":"go","enabled":true}"#, true),
      (#"{"command":"setAction","action":"go","enabled":false}"#, false),
      (#"{"command":"setAction","action":"gone","enabled":true}"#, false),
      (#"{"command":"replaceAction","action":"go","newAction":{"id":"stop"}}"#, true),
      (#"{"command":"replaceAction","action":"go","newAction":{"id":"go"}}"#, false),
      (#"{"command":"removeItem","item":"x"}"#, true), (#"{"command":"removeSection","section":"b"}"#, true),
      (#"{"command":"insertItem","section":"b","index":0,"newItem":{"id":"z","value":""}}"#, true),
      (#"{"command":"insertItem","section":"b","index":1,"newItem":{"id":"z","value":""}}"#, false),
      (#"{"command":"insertItem","section":"c","index":0,"newItem":{"id":"z","value":""}}"#, false),
      (#"{"command":"insertItem","section":"a","index":0,"newItem":{"id":"x","value":""}}"#, false),
      (#"{"command":"insertSection","index":2,"newSection":{"id":"c","items":[]}}"#, true),
      (#"{"command":"insertSection","index":3,"newSection":{"id":"c","items":[]}}"#, false),
      (#"{"command":"insertSection","index":0,"newSection":{"id":"a","items":[]}}"#, false),
      (#"{"command":"insertSection","index":0,"newSection":{"id":"c","items":[{"id":"x"}]}}"#, false),
      (#"{"command":"removeItem","item":"z"}"#, false), (#"{"command":"removeSection","section":"c"}"#, false),
      (
        #"{"command":"removeItem","item":"x"},{"command":"insertItem","section":"a","index":0,"newItem":{"id":"x"}}"#,
        false
      ),
      (
        #"{"command":"insertSection","index":0,"newSection":{"id":"c","items":[]}},{"command":"removeItem","item":"x"}"#,
        false
      ),
      (#"{"command":"hideNotice"}"#, false), (#"{"command":"showNotice","notice":{"code":"c"}}"#, true),
      (#"{"command":"hideAlert"}"#, false), (#"{"command":"showAlert","alert":{"id":1}}"#, true),
      (#"{"command":"setState","state":"initial"}"#, false), (#"{"command":"setState","state":"validated"}"#, true),
      (show, false), (#"{"command":"showNothing"}"#, false),
    ])
  func checked(_ commands: String, _ isRight: Bool) {
    var screen = screen()
    let fault = screen.apply("[\(commands)]")
    #expect((fault == nil) == isRight, "\(fault ?? "")")
  }

  @Test("after edits and commands, the view model's screen equals the right snapshot, and differs from any other")
  func leads() {
    var screen = screen()
    screen.enter(Array(#""a@b""#.utf8), into: Array("x".utf8))
    screen.enter(Array(#""secret""#.utf8), into: Array("y".utf8))
    let commands =
      #"[{"command":"insertItem","section":"b","index":0,"newItem":{"id":"z"}},{"command":"setItem","item":"x","validity":"valid"}]"#
    #expect(screen.apply(commands) == nil)
    let snapshot = #"""
      {"screen":"s","state":"initial","title":"t","locale":"en","direction":"ltr","sections":[{"id":"a","items":[
      {"id":"x","kind":"input","value":"a@b","editable":true,"validity":"valid"},
      {"id":"y","kind":"input","filled":true,"editable":true,"validity":"unknown"},
      {"id":"l","kind":"selection","optionCount":300,"options":[],"value":null,"editable":true,"validity":"unknown"}]},
      {"id":"b","title":"B","items":[{"id":"z"}]}],"actions":\#(Self.actions),"activity":false,"error":null,
      "notice":null,"alert":null,"scene":null,"retryAt":null,"focus":null}
      """#.replacing("\n", with: "")
    #expect(screen.difference(from: snapshot) == nil)
    #expect(Array(snapshot.utf8).withUnsafeBytes { screen.isWritten(as: $0) })
    for (part, other) in [
      (#""validity":"valid""#, #""validity":"?""#), (#""filled":true"#, #""filled":false"#),
      (#"{"id":"z"}"#, ""), (#""notice":null"#, #""notice":1"#), (#","focus":null"#, ""),
      (#""title":"B""#, #""title":"C""#),
    ] {
      #expect(screen.difference(from: snapshot.replacing(part, with: other)) != nil, "\(part)")
    }
  }

  @Test(
    "the view model reports an update that shows something while an alert or the activity is still shown",
    arguments: [
      (#"{"command":"hideActivity"},{"command":"setState","state":"validated"}"#, true),
      (#"{"command":"hideActivity"},{"command":"showError","error":{"code":"c"}}"#, false),
      (#"{"command":"showAlert","alert":{"id":2}}"#, false), (#"{"command":"showScreen"}"#, false),
    ])
  func leaves(_ commands: String, _ isRight: Bool) throws {
    let before = screen(#"{"command":"showActivity"},{"command":"showAlert","alert":{"id":1}}"#)
    var document = JSONDocument()
    let fault = try Array("[\(commands)]".utf8).withUnsafeBytes { bytes in
      try document.parse(bytes)
      return document.root.flatMap { ShownScreen.leavingFault(before, document, $0, isTranslation: false) }
    }
    #expect((fault == nil) == isRight, "\(fault ?? "")")
  }

  @Test("the view model reports a long selection whose shown options lack the chosen option") func longList() {
    var screen = screen()
    #expect(screen.longListFault == nil)
    screen.enter(Array(#""o7""#.utf8), into: Array("l".utf8))
    #expect(screen.longListFault != nil)
    #expect(screen.apply(#"[{"command":"setItem","item":"l","options":[{"id":"o7","title":"7"}]}]"#) == nil)
    #expect(screen.longListFault == nil)
  }

  @Test("the view model reports an alert below which items or actions are still enabled") func alert() {
    #expect(screen(#"{"command":"showAlert","alert":{"id":1}}"#).alertFault != nil)
    #expect(screen().alertFault == nil)
  }

  @Test("an item or action counts as shown since the update that added it") func ages() {
    var screen = screen()
    #expect(
      screen.apply(
        #"[{"command":"insertItem","section":"b","index":0,"newItem":{"id":"z"}},"#
          + #"{"command":"replaceAction","action":"go","newAction":{"id":"stop"}}]"#) == nil)
    screen.note(2)
    #expect(screen.part(Array("x".utf8))?.since == 1 && screen.part(Array("z".utf8))?.since == 2)
    #expect(screen.actions.map(\.since) == [2, 1])
    screen.mayBeTranslated = true
    #expect(screen.apply("[\(Self.show)]") == nil)
    screen.note(3)
    #expect(screen.part(Array("x".utf8))?.since == nil)
  }

  @Test(
    "the view model reports a focus on anything but an editable item, the primary action or the alert's action",
    arguments: [
      (#"{"command":"setFocus","focus":{"on":"x","kind":"item","since":1}}"#, true),
      (#"{"command":"setFocus","focus":{"on":"go","kind":"action","since":1}}"#, true),
      (#"{"command":"setFocus","focus":{"on":"to","kind":"action","since":1}}"#, false),
      (#"{"command":"setFocus","focus":{"on":"z","kind":"item","since":1}}"#, false),
      (#"{"command":"setFocus","focus":{"on":"x","kind":"item","since":2}}"#, false),
      (#"{"command":"showActivity"},{"command":"setFocus","focus":{"on":"x","kind":"item","since":1}}"#, false),
      (
        #"{"command":"showAlert","alert":{"id":1,"actions":[{"id":"ok"}]}},"#
          + #"{"command":"setFocus","focus":{"on":"ok","kind":"alert","since":1}}"#, true
      ),
      (
        #"{"command":"showAlert","alert":{"id":1,"actions":[{"id":"ok"}]}},"#
          + #"{"command":"setFocus","focus":{"on":"x","kind":"item","since":1}}"#, false
      ),
    ])
  func focus(_ commands: String, _ isRight: Bool) {
    var document = JSONDocument()
    let fault = screen(commands).focusFault(1, &document)
    #expect((fault == nil) == isRight, "\(fault ?? "")")
  }
}
