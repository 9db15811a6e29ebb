import LoginForms
import LoginMachine
import Testing

/// Law 1 on random walks, with laws 2 and 5 on the way.
struct WalkTests {
  enum Course: String, CaseIterable, Sendable {
    case standard, renamed, markingAll, cover, generated, generatedMarkingAll

    var events: Int {
      switch self {
      case .standard: 60_000
      case .renamed: 20_000
      case .markingAll, .cover: 10_000
      case .generated: 10_000
      case .generatedMarkingAll: 2000
      }
    }

    func flow(seed: UInt64) throws -> Flow {
      switch self {
      case .standard: try standardFlow()
      case .renamed: try renamedFlow()
      case .markingAll: try standardFlow().with(marking: .all)
      case .cover: try standardFlow().with(pending: .cover)
      case .generated: generatedFlow(seed: seed)
      case .generatedMarkingAll: generatedFlow(seed: seed).with(marking: .all, pending: .cover)
      }
    }
  }

  @Test(
    "what a view makes of the commands is the snapshot, and no command is needless", arguments: Course.allCases, seeds)
  func walk(_ course: Course, seed: UInt64) throws {
    var walker = Walker(try course.flow(seed: seed), locale: "en", seed: seed)
    walker.walk(course.events)
    #expect(walker.problems.isEmpty, "seed \(seed): \(walker.problems.joined(separator: "\n"))")
    // Chance may leave something out of a new walk, but not out of one that is always the same.
    guard seed == seeds[0], course != .generatedMarkingAll else { return }
    let missed = needed(course).subtracting(walker.seen)
    #expect(missed.isEmpty, "the walk has not come everywhere")
  }

  @Test("the walks of one seed are 100,000 events and more") func length() {
    #expect(Course.allCases.map(\.events).reduce(0, +) >= 100_000)
  }

  /// What a walk has to have met to be worth anything.
  private func needed(_ course: Course) -> Set<String> {
    var needed: Set = [
      "[]", "showScreen", "setState", "setItem", "setAction", "replaceAction", "showActivity", "hideActivity",
      "showError", "hideError", "showScene", "asked with secret", "answer requestFailed", "answer requestSucceeded",
      "press submit validated true", "press retry requestFailed true", "press link requestFailed true",
      "press link requestPending false", "edit requestFailed true", "edit requestPending false",
      "edit requestSucceeded false", "lose validated true", "lose requestPending true", "lose unvalidated false",
    ]
    if course != .cover { needed.insert("press cancel requestPending true") }
    if course == .generated { needed.remove("press link requestPending false") }
    return needed
  }
}
