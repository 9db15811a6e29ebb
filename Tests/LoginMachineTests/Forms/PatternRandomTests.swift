import LoginMachine
import TestSupport
import Testing

@Suite("Random patterns")
struct PatternRandomTests {
  private func bytes(_ scalars: [Unicode.Scalar]) -> [UInt8] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return Array(String(text).utf8)
  }

  @Test("10,000 random patterns match exactly the texts that a matcher based on derivatives accepts")
  func derivatives() throws {
    let seed = SeededRandom.seed(in: "LOGIN_ENGINE_PATTERN_SEED")
    var maker = ReferenceMaker(random: SeededRandom(seed: seed))
    var matches = 0
    for round in 0..<Workload.amount(10_000) {
      let (expression, text) = maker.expression(depth: 4)
      guard Pattern.error(in: text) == nil else {
        Issue.record("seed \(seed), round \(round): \(text)")
        continue
      }
      let pattern = try Pattern(text)
      for _ in 0..<4 {
        let made = maker.text(of: expression)
        guard made.count <= 60 else { continue }
        for scalars in [made, maker.changed(made)] {
          let expected = expression.matches(scalars)
          if expected { matches += 1 }
          #expect(pattern.matches(bytes(scalars)) == expected, "seed \(seed), round \(round): \(text) \(scalars)")
        }
      }
    }
    // Many of the compared texts match, so that the comparison tests both results.
    #expect(matches >= Workload.amount(20_000))
  }

  @Test("the example of a random pattern matches and is as short as possible")
  func examples() throws {
    let seed = SeededRandom.seed(in: "LOGIN_ENGINE_PATTERN_SEED")
    var maker = ReferenceMaker(random: SeededRandom(seed: seed))
    for round in 0..<Workload.amount(2_000) {
      let (expression, text) = maker.expression(depth: 3)
      let pattern = try Pattern(text)
      // A class without characters of the alphabet matches other characters.
      let example = try #require(pattern.example(), "seed \(seed), round \(round): \(text)")
      #expect(pattern.matches(example), "seed \(seed), round \(round): \(text)")
      let length = String(decoding: example, as: UTF8.self).unicodeScalars.count
      #expect(length == expression.shortest, "seed \(seed), round \(round): \(text)")
      if let longer = pattern.example(minimum: length + 3) {
        let scalars = String(decoding: longer, as: UTF8.self).unicodeScalars
        #expect(pattern.matches(longer) && scalars.count >= length + 3, "seed \(seed), round \(round): \(text)")
      }
    }
  }

  @Test("random texts are accepted as patterns or refused at a position within the text, without a trap")
  func noise() {
    let seed = SeededRandom.seed(in: "LOGIN_ENGINE_PATTERN_SEED")
    var random = SeededRandom(seed: seed)
    let alphabet = Array("ab(((())))[[]]{{}}\\\\\\||*+?.,-^$019pPLuNn:=<é😀".unicodeScalars)
    for _ in 0..<Workload.amount(100_000) {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) { text.append(random.pick(alphabet)) }
      guard let error = Pattern.error(in: String(text)) else { continue }
      #expect((0...text.count).contains(error.offset) && !error.reason.explanation.isEmpty, "seed \(seed): \(text)")
    }
  }
}
