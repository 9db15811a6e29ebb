import JSONCodec
import TestSupport
import Testing

@Suite("A text whose keys are expected is read like any other")
struct KeyPatternTests {
  /// Has a document remember the keys of what it has read.
  private func rememberKeys(_ document: inout JSONDocument) {
    guard let root = document.root, let params = document.member("p", of: root) else { return }
    document.rememberOpening(of: params)
    document.rememberKeys()
  }

  /// Texts to be remembered, and such as are written like them up to somewhere.
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
    // What is not remembered: short and long keys, too many, escaped ones, values that are no leaves, and more behind the object.
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
    [#"{"p":{"item":1},"v":2}"#, #"{"p":{"item":1}}"#], [#"{"p":{}}"#, #"{"p":{"item":1}}"#],
  ]

  @Test("every text, also cut off anywhere, has the same nodes and the same error", arguments: families)
  func sameAccount(_ family: [String]) {
    var knowing = JSONDocument()
    for text in family {
      for end in 0...text.utf8.count {
        let bytes = Array(text.utf8.prefix(end))
        _ = account(Array(family[0].utf8), &knowing, rememberKeys)
        var fresh = JSONDocument()
        let expected = account(bytes, &fresh)
        for _ in 0..<2 {
          let told = account(bytes, &knowing)
          #expect(told == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }

  @Test("random texts have the same nodes and the same error, whatever was remembered before", arguments: seeds)
  func randomTexts(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let texts = Self.families.flatMap { $0 }
    var knowing = JSONDocument()
    var repeats = 0
    for _ in 0..<20_000 {
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
      let told = random.chance(8) ? account(bytes, &knowing, rememberKeys) : account(bytes, &knowing)
      let repeated = knowing.repeatsKeys
      if repeated { repeats += 1 }
      #expect(told == account(bytes, &fresh), "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(repeats > 20)
  }

  @Test("a document says whether the keys were repeated, no value has values of its own, and nothing else follows")
  func repeats() {
    var document = JSONDocument()
    _ = account(Array(#"{"p":{"item":1,"value":2}}"#.utf8), &document, rememberKeys)
    for (text, repeats) in [
      (#"{"p":{"item":"a","value":true}}"#, true),
      (#"{"p":{"item":1}}"#, false),
      (#"{"p":{"item":1,"value":2,"more":3}}"#, false),
      (#"{"p":{"item":1,"value":[1]}}"#, false),
      (#"{"p":{"item":{"a":1},"value":1}}"#, false),
      (#"{"p":{"value":1,"item":2}}"#, false),
      (#"{"p":{"item":"\n","value":"ü"}}"#, true),
      (#"{"p":{"item":1,"value":2}}x"#, false),
      (#"{"p":{"item":1,"value":2}"#, false),
      (#"{"p":{"item":1,"value":"\ud800"}}"#, false), (#"{"p":{"item":1,"value":2},"id":1}"#, false), ("", false),
      (#"{"p":{"item":null,"value":-1}}"#, true), (#"{"p":{"item":[],"value":{}}}"#, true),
    ] {
      _ = account(Array(text.utf8), &document)
      let found = document.repeatsKeys
      #expect(found == repeats, "\(text)")
    }
    document.forgetKeys()
    _ = account(Array(#"{"p":{"item":1,"value":2}}"#.utf8), &document)
    let found = document.repeatsKeys
    #expect(!found)
  }
}
