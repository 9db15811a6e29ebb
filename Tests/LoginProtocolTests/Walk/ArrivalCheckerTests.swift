import JSONCodec
import Testing

/// The checker of the walks catches what is wrong with items and sections that come and go.
struct ArrivalCheckerTests {
  private static let show = #"""
    {"command":"showScreen","screen":"s","state":"initial","title":"t","locale":"en","direction":"ltr","sections":[
      {"id":"a","items":[{"id":"x","value":""},{"id":"y","value":""}]},{"id":"b","title":"B","items":[]}],"actions":[]}
    """#

  @Test(
    "what comes and goes is checked for its place, its order and its need",
    arguments: [
      (#"{"command":"removeItem","item":"x"}"#, 0), (#"{"command":"removeSection","section":"b"}"#, 0),
      (#"{"command":"insertItem","section":"b","index":0,"item":{"id":"z","value":""}}"#, 0),
      (#"{"command":"insertItem","section":"b","index":1,"item":{"id":"z","value":""}}"#, 1),
      (#"{"command":"insertItem","section":"c","index":0,"item":{"id":"z","value":""}}"#, 1),
      (#"{"command":"insertItem","section":"a","index":0,"item":{"id":"x","value":""}}"#, 1),
      (#"{"command":"insertSection","index":2,"section":{"id":"c","items":[]}}"#, 0),
      (#"{"command":"insertSection","index":3,"section":{"id":"c","items":[]}}"#, 1),
      (#"{"command":"insertSection","index":0,"section":{"id":"a","items":[]}}"#, 1),
      (#"{"command":"insertSection","index":0,"section":{"id":"c","items":[{"id":"x"}]}}"#, 1),
      (#"{"command":"removeItem","item":"z"}"#, 1), (#"{"command":"removeSection","section":"c"}"#, 1),
      (
        #"{"command":"removeItem","item":"x"},{"command":"insertItem","section":"a","index":0,"item":{"id":"x"}}"#, 1
      ),
      (
        #"{"command":"insertSection","index":0,"section":{"id":"c","items":[]}},{"command":"removeItem","item":"x"}"#, 1
      ),
      (#"{"command":"hideNotice"}"#, 1), (#"{"command":"showNotice","notice":{"code":"c"}}"#, 0),
      (#"{"command":"hideAlert"}"#, 1), (#"{"command":"showAlert","alert":{"id":1}}"#, 0),
    ])
  func checked(_ commands: String, _ complaints: Int) throws {
    var document = ViewDocument()
    document.apply(.array([try JSONValue(parsing: Self.show)]))
    #expect(document.complaints == [])
    document.apply(try JSONValue(parsing: "[\(commands)]"))
    #expect(document.complaints.count == complaints, "\(document.complaints)")
  }

  @Test("the document's text has its members in order, and what was inserted in its place") func text() throws {
    var document = ViewDocument()
    document.apply(.array([try JSONValue(parsing: Self.show)]))
    document.apply(
      try JSONValue(
        parsing: #"[{"command":"insertItem","section":"a","index":1,"item":{"id":"z"}},{"command":"hideNothing"}]"#))
    #expect(document.complaints.count == 1)
    let expected =
      #"{"screen":"s","state":"initial","title":"t","locale":"en","direction":"ltr","sections":[{"id":"a","items":["#
      + #"{"id":"x","value":""},"#
      + #"{"id":"z"},{"id":"y","value":""}]},{"id":"b","title":"B","items":[]}],"actions":[],"activity":false,"#
      + #""error":null,"notice":null,"alert":null,"scene":null,"retryAt":null,"focus":null}"#
    #expect(String(decoding: document.text, as: UTF8.self) == expected)
  }
}
