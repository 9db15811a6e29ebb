import JSONCodec
import TestSupport
import Testing

@Suite("Recognised texts")
struct ShapeTests {
  /// Remembers the shape of the parsed text, in which the value of the member `m` must not vary.
  private func remember(_ document: inout JSONDocument) {
    guard let root = document.root else { return }
    _ = document.rememberShape(constants: document.member("m", of: root).map { [$0] } ?? [])
  }

  /// Everything that a document reports about a text, and whether the document has recognised the
  /// text.
  private func recognised(_ bytes: [UInt8], _ document: inout JSONDocument) -> (told: [String], isKnown: Bool) {
    let known: [String]? = GuardedMemory(capacity: bytes.count).with(bytes) { text in
      guard document.recognise(text) != nil, let root = document.root else { return nil }
      var told: [String] = []
      // Before `complete`, only the values are valid; other nodes have no position yet.
      let early = leaves(document)
      document.complete()
      #expect(early == leaves(document))
      tell(document, root, &told)
      return told
    }
    return known.map { ($0, true) } ?? (account(bytes, &document), false)
  }

  /// The positions and texts of all values that may vary. These are all strings, numbers and
  /// literal names except keys and the constant, which is the value of the first member.
  private func leaves(_ document: borrowing JSONDocument) -> [String] {
    guard let root = document.root else { return [] }
    var found: [String] = []
    func visit(_ node: JSONDocument.Node) {
      let kind = document.kind(node)
      var child = document.firstChild(node)
      while let current = child {
        var value: JSONDocument.Node? = current
        if kind == .object { value = document.sibling(after: current, in: node) }
        guard let value else { return }
        visit(value)
        child = document.sibling(after: value, in: node)
      }
      guard kind != .object, kind != .array, node.position != 2 else { return }
      found.append("\(node.position) \(kind) \(String(decoding: document.fullText(node), as: UTF8.self))")
    }
    visit(root)
    return found
  }

  /// Lists of a text whose shape is remembered, followed by similar texts.
  static let families: [[String]] = [
    [
      #"{"m":"c","p":{"session":"s1","item":"email","value":"ada"}}"#,
      #"{"m":"c","p":{"session":"","item":"e","value":""}}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":true}}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":{"a":[1]}}}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":-1.5e3}}"#,
      #"{"m":"c","p":{"session":"s1","item":"email"}}"#, #"{"m":"c","p":{}}"#, #"{"m":"c","p":{"session":"s1"}}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":"a\"\u00e9ü😀"}}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":"a","revision":3}}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":"a"},"id":1}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":"a"},"m":1}"#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":"a"}} "#,
      #"{"m":"c","p":{"session":"s1","item":"email","value":"a"}}}"#,
      #"{"m":"c","p":{"session":"s1","session":"s1","value":"a"}}"#,
      #"{"m":"c","p":{"session":"s1","item":"a","item":"a"}}"#,
      #"{"m":"c","p":{"session":"s1","item":"a","value":"a","item":"a"}}"#,
      #"{"m":"c","p":{"session":"s1","item":"a","value":"\ud800","value":"a"}}"#,
      #"{"m":"c","p":{"session":"s1","item":"\ud800","value":"a"}}"#,
      #"{"m":"c","p":{"session":"s1","item":"a","valu\u0065":"\n"}}"#,
      #"{"m":"c","p":{"session":"s1","\u0069tem":"a","item":"\n"}}"#,
      #"{"m":"c","p":{"session": "s1","item":  true ,"value":  null}}"#,
      #"{"m":"c","p":{"session":"s1" , "item":"a","value":"b" } }"#,
      #"{"m":"c","p":{"value":"a","item":"b","session":"c"}}"#,
      #"{"m":"c","p":{"session":"s1",,"item":"a"}}"#,
      #"{"m":"c","p":{"session":"s1","item":}}"#,
      #"{"m":"c","p":{"session":"s1"]}"#,
      #"{"m":"d","p":{"session":"s1","item":"email","value":"ada"}}"#, "",
    ],
    [
      #"{"m": "c", "p": {"session": "s1", "item": "email", "value": 1}}"#,
      #"{"m": "c", "p": {"session": "s1", "item": "email", "value": "1"}}"#,
      #"{"m": "c", "p": {"session":"s1","item":"email","value":"1"}}"#,
      #"{"m": "c", "p": {"session": "s1", "item": "email"} }"#,
    ],
    [
      #" {"p":{"item":null,"value":false}}"#,
      #" {"p":{"item":"","value":"long enough to need several words of the machine"}}"#,
    ],
    // Texts with objects and arrays around and after values, with short and long keys, and with
    // duplicate keys.
    [
      #"{"p":{"a":1,"b":2}}"#,
      #"{"p":{"a":1,"a":2}}"#,
    ],
    [
      #"{"p":{"a key that is rather long":1}}"#,
      #"{"p":{"a key that is rather long":2}}"#,
    ],
    [
      #"{"p":{"item":1,"item2":2,"item3":3,"item4":4,"item5":5}}"#,
      #"{"p":{"item":1,"item2":2,"item3":3,"item4":4,"item":5}}"#,
    ],
    [
      #"{"p":{"\u0069tem":1}}"#,
      #"{"p":{"\u0069tem":2}}"#,
    ],
    [
      #"{"p":{"item":[1],"value":2}}"#,
      #"{"p":{"item":[1],"value":2}}"#,
    ],
    [
      #"{"p":{"item":[[1,"a"],{"b":{}}],"c":[]},"v":2,"w":[true]}"#,
      #"{"p":{"item":[["long",null],{"b":{}}],"c":[]},"v":"x","w":[-1.5e3]}"#,
      #"{"p":{"item":[[1,"a"],{"b":{}}],"c":[1]},"v":2,"w":[true]}"#,
    ],
    [#"{"p":{"item":1},"v":2}"#, #"{"p":{"item":1}}"#, #"{"p":{"item":"one"},"v":[]}"#], [#"["a",1]"#, #"["",2]"#],
    [
      #"{"p":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"n":14,"o":15,"p":16}}"#
    ],
  ]

  @Test(
    "remembered shapes change neither the nodes nor the error that a document reports for a text, even a truncated one",
    arguments: families)
  func sameAccount(_ family: [String]) {
    for text in family {
      var knowing = JSONDocument()
      _ = account(Array(family[0].utf8), &knowing, remember)
      for end in 0...text.utf8.count {
        let bytes = Array(text.utf8.prefix(end))
        var fresh = JSONDocument()
        let expected = account(bytes, &fresh)
        for _ in 0..<2 {
          let (told, _) = recognised(bytes, &knowing)
          #expect(told == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }

  @Test("for random texts, a document reports the same nodes and error, whatever shapes it remembers", arguments: seeds)
  func randomTexts(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let texts = Self.families.flatMap { $0 }
    var knowing = JSONDocument()
    var count = 0
    for _ in 0..<Workload.amount(20_000, atLeast: 5_000) {
      var bytes = Array(random.pick(texts).utf8)
      for _ in 0..<random.pick([0, 0, 1, 1, 2, 4]) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = random.pick(Array(#"{}[]",:\ax1 "#.utf8) + [0, 0x1F, 0x80, 0xC3, 0xFF])
        case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        default: bytes.removeSubrange(place..<min(place + 8, bytes.count))
        }
      }
      var fresh = JSONDocument()
      let expected = account(bytes, &fresh)
      if random.chance(8) {
        #expect(account(bytes, &knowing, remember) == expected)
      } else {
        let (told, isKnown) = recognised(bytes, &knowing)
        if isKnown { count += 1 }
        #expect(told == expected, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(count > 200)
  }

  @Test("a text is recognised if it differs from a remembered text only in strings, numbers and literal names")
  func recognises() {
    var document = JSONDocument()
    _ = account(Array(#"{"m":"c","p":{"item":1,"value":2}}"#.utf8), &document, remember)
    for (text, isKnown) in [
      (#"{"m":"c","p":{"item":"a","value":true}}"#, true), (#"{"m":"d","p":{"item":"a","value":true}}"#, false),
      (#"{"m":"c","p":{"item":1}}"#, false), (#"{"m":"c","p":{"item":1,"value":2,"more":3}}"#, false),
      (#"{"m":"c","p":{"item":1,"value":[1]}}"#, false), (#"{"m":"c","p":{"item":{"a":1},"value":1}}"#, false),
      (#"{"m":"c","p":{"value":1,"item":2}}"#, false), (#"{"m":"c","p":{"item":"\n","value":"ü"}}"#, true),
      (#"{"m":"c","p":{"item":1,"value":2}}x"#, false), (#"{"m":"c","p":{"item":1,"value":2}"#, false),
      (#"{"m":"c","p":{"item":1,"value":"\ud800"}}"#, false), (#"{"m":"c","p":{"item":1,"value":2},"id":1}"#, false),
      ("", false), (#"{"m":"c","p":{"item":null,"value":-1}}"#, true),
      (#"{"m":"c","p":{"item":[],"value":{}}}"#, false),
      (#"{"m":"c","p":{"item":01,"value":2}}"#, false), (#"{"m":"c", "p":{"item":1,"value":2}}"#, false),
    ] {
      let found = recognised(Array(text.utf8), &document).isKnown
      #expect(found == isKnown, "\(text)")
    }
  }

  @Test("each remembered shape has a number, and a new shape replaces the oldest when the list is full")
  func numbers() {
    func text(_ index: Int) -> [UInt8] { Array(#"{"key\#(index)":1}"#.utf8) }
    var document = JSONDocument()
    for index in 0..<JSONDocument.shapeCapacity * 2 {
      var number: Int?
      _ = account(text(index), &document) { number = $0.rememberShape(constants: []) }
      #expect(number == index % JSONDocument.shapeCapacity)
    }
    for index in 0..<JSONDocument.shapeCapacity * 2 {
      let number = text(index).withUnsafeBytes { document.recognise($0) }
      #expect(number == (index < JSONDocument.shapeCapacity ? nil : index % JSONDocument.shapeCapacity))
    }
  }

  @Test(
    "no shape is remembered of a text that is invalid, too large, or has no value after its first eight bytes",
    arguments: [
      "", "1", "{}", #"{"a":1"#, #"{"a":1}}"#, #"{"a":1,"a":2}"#, #"["a"]"#,
      #"{"\#(String(repeating: "long ", count: 120))":1}"#, "[" + String(repeating: "1,", count: 16) + "1]",
    ])
  func notRemembered(_ text: String) {
    var document = JSONDocument()
    var number: Int?
    _ = account(Array(text.utf8), &document) { number = $0.rememberShape(constants: []) }
    #expect(number == nil)
  }
}
