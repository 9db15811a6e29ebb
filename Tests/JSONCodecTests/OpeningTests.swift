import JSONCodec
import Testing

@Suite("A text whose opening is remembered is read like any other")
struct OpeningTests {
  /// Has a document remember the opening of what it has read, up to the member `params`.
  private func rememberParams(_ document: inout JSONDocument) {
    guard let root = document.root, let params = document.member("params", of: root) else {
      Issue.record("there are no params")
      return
    }
    document.rememberOpening(of: params)
  }

  /// Texts that all begin with the opening of the first, whose object is that of the member `params`.
  static let families: [[String]] = [
    [
      #"{"v":"2.0","m":"a/b","params":{"x":1,"y":"z"}}"#, #"{"v":"2.0","m":"a/b","params":{}}"#,
      #"{"v":"2.0","m":"a/b","params":{},"id":1}"#,
      #"{"v":"2.0","m":"a/b","params":{"v":{"m":[1,{"a":2}]}} , "w" : 1 }"#,
      #"{"v":"2.0","m":"a/b","params":{},"v":1}"#, #"{"v":"2.0","m":"a/b","params":{"x":1,"x":2}}"#,
      #"{"v":"2.0","m":"a/b","params":{},"\u006d":1}"#, #"{"v":"2.0","m":"a/b","params":{},"params":{}}"#,
      #"{"v":"2.0","m":"a/b","params":{}}}"#, #"{"v":"2.0","m":"a/b","params":{}"#, #"{"v":"2.0","m":"a/b","params":{"#,
      #"{"v":"2.0","m":"a/b","params":{"x":"\ud800","x":1}}"#, #"{"v":"2.0","m":"a/b","params":{"x":[1,"#,
      #"{"v":"2.0","m":"a/b","params":{,"#, #"{"v":"2.0","m":"a/b","params":{},}"#,
      #"{"v":"2.0","m":"a/b","params":{}]"#,
      #"{"v":"2.0","m":"a/b","params":[1]}"#, #"{"v":"2.0","m":"a/c","params":{"x":1}}"#, "", "1",
    ],
    [
      #" { "v" : [ { "a" : 1 } ] , "params" : { "x" : 1 } }"#,
      #" { "v" : [ { "a" : 1 } ] , "params" : { } , "z" : 0 }"#,
    ],
    [#"{"params":{"x":1},"v":2}"#, #"{"params":{"y":{"z":[]}},"v":2}"#, #"{"params":{},"params":2}"#],
    [#"{"\u0076":1,"params":{"x":1}}"#, #"{"\u0076":1,"params":{},"v":2}"#],
    ["{\"v\":\"\(String(repeating: "long ", count: 60))\",\"params\":{}}", #"{"v":"long ","params":{}}"#],
  ]

  @Test("every text, also cut off anywhere, has the same nodes and the same error", arguments: families)
  func sameAccount(_ family: [String]) {
    var knowing = JSONDocument()
    for text in family {
      for end in 0...text.utf8.count {
        let bytes = Array(text.utf8.prefix(end))
        // What was read before must leave nothing behind.
        _ = account(Array(family[0].utf8), &knowing, rememberParams)
        _ = account(Array(#"[[1],{"a":"b"}]"#.utf8), &knowing)
        var fresh = JSONDocument()
        let (told, expected) = (account(bytes, &knowing), account(bytes, &fresh))
        #expect(told == expected, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test("a document says whether the opening was repeated, whatever came between")
  func repeats() {
    var document = JSONDocument()
    let first = Array(#"{"v":1,"params":{"x":1}}"#.utf8)
    _ = account(first, &document, rememberParams)
    for (text, repeats) in [
      (#"{"v":1,"params":{"y":2}}"#, true), (#"{"v":2,"params":{"y":2}}"#, false), (#"{"v":1,"params":{}}"#, true),
      (#"{"v":1,"params":["#, false), (#"{"v":1,"params":{"#, false), ("", false),
    ] {
      _ = account(Array(text.utf8), &document)
      let found = document.repeatsOpening
      #expect(found == repeats, "\(text)")
    }
  }

  @Test("the opening of a text with an error is not remembered, so that the same error is found again")
  func errors() {
    let texts = [
      "{\"v\":\"\u{1}\",\"params\":{\"x\":1}}", #"{"v":"\ud800","params":{"x":1}}"#, #"{"v":1,"v":1,"params":{"x":1}}"#,
      #"{"v":1,"params":{"x":1}"#, #"{"v":1,"params":{"x":1}},"#,
    ]
    for text in texts {
      var document = JSONDocument()
      let expected = account(Array(text.utf8), &document, rememberParams)
      #expect(expected.count > 1 && expected[0].contains("JSONError"), "\(text)")
      let told = account(Array(text.utf8), &document)
      #expect(told == expected, "\(text)")
    }
  }

  @Test("what is no value of the outermost object is not remembered")
  func otherPlaces() {
    for (text, position) in [(#"[{"x":1}]"#, 1), (#"{"v":{"w":{"x":1}}}"#, 4), (#"{"v":[{"x":1}]}"#, 3), ("{}", 0)] {
      var document = JSONDocument()
      let bytes = Array(text.utf8)
      _ = account(bytes, &document) { $0.rememberOpening(of: .init(position: position)) }
      _ = account(bytes, &document)
      let found = document.repeatsOpening
      #expect(!found, "\(text)")
    }
  }
}
