import FlowFiles
import LoginMachine
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("The cache of challenge screens")
struct ChallengeCacheTests {
  private let template: FlowTemplate

  init() throws { template = try TestSessions().template }

  /// The JSON text of a screen, which differs for each number.
  private func text(_ number: Int, padding: Int = 0) -> [UInt8] {
    let members = #""title":"Title","sections":[{"id":"s","items":[{"id":"i","kind":"text","title":"Text"}]}]"#
    return Array((#"{"id":"c\#(number)",\#(members)}"# + String(repeating: " ", count: padding)).utf8)
  }

  private func screen(_ text: [UInt8], _ cache: inout ChallengeCache, origin: Int = 0) throws -> ChallengeScreen {
    try cache.screen(text, name: "challenge", template, origin: origin, supported: [])
  }

  @Test("challenges with the same text share one screen if they appear on the same screen of the same flow")
  func sharing() throws {
    var cache = ChallengeCache()
    let first = try screen(text(1), &cache)
    #expect(try screen(text(1), &cache) === first)
    #expect(try screen(text(2), &cache) !== first)
    #expect(try screen(text(1), &cache, origin: 1) !== first)
    #expect(try screen(text(1), &cache) === first)
  }

  @Test("if the cache has the maximum number of screens, a new screen replaces the least recently used one")
  func screens() throws {
    var cache = ChallengeCache()
    let screens = try (0..<ChallengeCache.maximumScreens).map { try screen(text($0), &cache) }
    #expect(try screen(text(0), &cache) === screens[0])
    _ = try screen(text(-1), &cache)
    #expect(try screen(text(0), &cache) === screens[0])
    #expect(try screen(text(2), &cache) === screens[2])
    #expect(try screen(text(1), &cache) !== screens[1])
  }

  @Test(
    "a new screen replaces others if the cached texts exceed the maximum size, and is not cached if its own text does")
  func bytes() throws {
    var cache = ChallengeCache()
    let half = ChallengeCache.maximumBytes / 2
    let first = try screen(text(1, padding: half), &cache)
    let small = try screen(text(2), &cache)
    #expect(try screen(text(1, padding: half), &cache) === first)
    _ = try screen(text(3, padding: half), &cache)
    #expect(try screen(text(2), &cache) !== small, "the oldest")
    #expect(try screen(text(1, padding: half), &cache) !== first, "then the next")
    let long = text(4, padding: half * 2)
    #expect(try screen(long, &cache) !== screen(long, &cache))
  }

  @Test("a screen with a code leaves the cache as soon as no session shows it, and screens without codes stay")
  func codes() throws {
    func made(_ item: String, _ cache: inout ChallengeCache) throws -> ChallengeScreen {
      try screen(Array(#"{"id":"c","title":"T","sections":[{"id":"s","items":[\#(item)]}]}"#.utf8), &cache)
    }
    let code = #"{"id":"i","kind":"code","text":"otpauth://x","format":"qr"}"#
    let plain = #"{"id":"i","kind":"text","title":"Text"}"#
    var cache = ChallengeCache()
    weak var first: ChallengeScreen?
    weak var other: ChallengeScreen?
    do {
      let shown = try made(code, &cache)
      (first, other) = (shown, try made(plain, &cache))
      cache.forgetCodes()
      // Like a session, this keeps a reference to the screen.
      #expect(try made(code, &cache) === shown)
    }
    #expect(first != nil)
    cache.forgetCodes()
    #expect(first == nil)
    #expect(other != nil)
    for _ in 0..<(2 * ChallengeCache.maximumScreens) { _ = try made(code, &cache) }
  }

  @Test("an invalid screen is not cached")
  func wrong() {
    var cache = ChallengeCache()
    for _ in 0..<2 {
      #expect(throws: FlowFileError.self) { try screen(Array("{}".utf8), &cache) }
    }
  }

  @Test(
    "a challenge that is shown in another language keeps its items, also those that replace an external item",
    arguments: [[], ["x.y"]])
  func translated(supported: Set<String>) throws {
    let alternatives = #"[{"id":"a","kind":"text","title":"Text"},{"id":"b","kind":"text","title":"Text"}]"#
    let item = #"{"id":"i","apiKey":"i","kind":"external","type":"x.y","otherwise":\#(alternatives)}"#
    let text = Array(#"{"id":"c","title":"Title","sections":[{"id":"s","items":[\#(item)]}]}"#.utf8)
    var cache = ChallengeCache()
    let shown = try cache.screen(text, name: "challenge", template, origin: 0, supported: supported)
    let german = FlowTemplate(template.flow, locale: "de")
    let translated = cache.translated(shown, into: german)
    #expect(translated.screen.items.map(\.id) == (supported.isEmpty ? ["a", "b"] : ["i"]))
    #expect(try cache.screen(text, name: "challenge", german, origin: 0, supported: supported) === translated)
  }
}
