import FlowFiles
import LoginForms
import LoginMachine
import TestSupport
import Testing

/// Law 1 on random walks, with laws 2 and 5 on the way.
struct WalkTests {
  /// How many events a walk of a flow as it is defined takes to come everywhere.
  static let all = 100_000
  /// How many events each such walk has.
  static let events = Workload.amount(all)

  @Test(
    "what a view makes of a built-in flow's commands is the snapshot, and no command is needless",
    arguments: BuiltInFlows.names, seeds)
  func builtIn(_ name: String, seed: UInt64) throws {
    let flow = try #require(BuiltInFlows.flow(named: name))
    let seen = try walk(flow, seed: seed, events: Self.events)
    guard seed == seeds[0] else { return }
    expectAll(needed(of: flow), in: seen)
  }

  /// Other ways for a flow to behave.
  enum Variant: String, CaseIterable, Sendable {
    case markingAll, cover, judgedOnSubmit, alerts, alertsUnderCover, onlyWhenValid, unmarked, backToInitial

    var options: FlowOptions {
      var options = FlowOptions()
      switch self {
      case .markingAll: options.marking = .all
      case .cover: options.pending = .cover
      case .judgedOnSubmit:
        options.validation = .onSubmit
        options.submit = .always
      case .alerts, .alertsUnderCover:
        options.invalid = .alert
        options.failure = .alert
        options.submit = .always
        if self == .alertsUnderCover { options.pending = .cover }
      case .onlyWhenValid: options.submit = .onlyWhenValid
      case .unmarked: options.marking = .none
      case .backToInitial:
        options.submit = .onlyWhenValid
        options.marking = .none
        options.failure = .alert
        options.afterFailure = .initial
      }
      return options
    }
  }

  @Test("the same holds of a form of 200 items in 20 sections that come and go", arguments: seeds)
  func generated(seed: UInt64) throws {
    let seen = try walk(generatedFlow(seed: seed), seed: seed, events: Self.events)
    guard seed == seeds[0] else { return }
    expectAll(
      Self.always.union(Self.inline).union(Self.patient).union([
        "insertSection", "removeSection", "insertItem", "removeItem", "edit selection", "edit switch",
        "edit external", "checked", "checked a secret", "gave up a check", "verdict done", "verdict unseen",
        "edit read-only", "edit long list", "led to a screen", "press again requestSucceeded true",
      ]), in: seen)
  }

  @Test("the same holds of such a form that is read from a definition file")
  func definitionFile() throws {
    let flow = try FlowFile.read(fixture("flows/large.json"), name: "large.json")
    #expect(flow.screens[0].items.count == 200 && flow.screens[0].sections.count == 20)
    let seen = try walk(flow, seed: seeds[0], events: Self.events)
    expectAll(
      Self.always.union(Self.inline).union(Self.patient).union([
        "insertSection", "removeSection", "insertItem", "removeItem", "edit selection", "edit switch",
      ]), in: seen)
  }

  @Test("the same holds in every other options", arguments: Variant.allCases, seeds)
  func variants(_ variant: Variant, seed: UInt64) throws {
    _ = try walk(generatedFlow(seed: seed, variant.options), seed: seed, events: Workload.amount(2_500))
    _ = try walk(renamedFlow().with(options: variant.options, alert: true), seed: seed, events: Workload.amount(5_000))
  }

  /// Walks, and returns what was met.
  private func walk(_ flow: Flow, seed: UInt64, events: Int) throws -> Set<String> {
    var walker = Walker(flow, locale: flow.defaultLocale, seed: seed)
    walker.walk(events)
    #expect(walker.problems.isEmpty, "\(flow.id), seed \(seed): \(walker.problems.joined(separator: "\n"))")
    return walker.seen
  }

  private func expectAll(_ needed: Set<String>, in seen: Set<String>) {
    // Part of a walk comes to some places only.
    guard Self.events >= Self.all else { return }
    let missed = needed.subtracting(seen)
    #expect(missed.isEmpty, "the walk has not come everywhere")
  }

  // MARK: What a walk has to have met to be worth anything

  private static let always: Set = [
    "[]", "showScreen", "setState", "setItem", "setAction", "showActivity", "hideActivity", "showScene", "showNotice",
    "hideNotice", "asked with secret", "answer requestFailed", "answer requestSucceeded", "edit requestPending false",
    "edit requestSucceeded false", "lose requestPending true", "lose unvalidated false", "edit input",
    "end of throttle shown", "end of throttle ignored", "press submit validated true",
    "setFocus", "setRetryAt", "submitted at once unvalidated requestPending",
  ]
  private static let challenged: Set = [
    "challenged", "challenged again", "left", "broken off", "told", "polled", "unchanged", "cancelled a conversation",
  ]
  private static let inline: Set = [
    "showError", "hideError", "replaceAction", "press retry requestFailed true", "edit requestFailed true",
    "asked again",
  ]
  private static let alerts: Set = ["showAlert", "hideAlert", "press dismiss requestFailed true", "asked again"]
  private static let patient: Set = ["presented", "presented wrongly", "let go", "edited meanwhile", "left first"]

  private func needed(of flow: Flow) -> Set<String> {
    var needed = Self.always.union(Self.patient).union(Self.challenged)
    let options = flow.options
    needed.formUnion(options.failure == .inline ? Self.inline : Self.alerts)
    // Too rare to be met in large forms, where a failed submit has to be followed by one whose values are all right.
    if options.failure == .inline { needed.insert("submitted at once requestFailed requestPending") }
    if options.pending == .cancel { needed.formUnion(["press cancel requestPending true", "replaceAction"]) }
    if flow.strings.locales.count > 1 {
      needed.formUnion(["translated requestPending", "translated requestFailed", "translated challenge"])
    }
    if flow.screens.contains(where: \.isDynamic) {
      needed.formUnion(["insertItem", "removeItem", "typed where items come"])
    }
    if flow.screens.contains(where: { !$0.isDynamic && $0.standsAlone.contains(true) }) { needed.insert("typed") }
    // Where only challenges have items to edit, these leave before a success.
    let isEditable = flow.screens.contains { $0.traits.contains { !$0.contains(.isText) } }
    if !isEditable { needed.remove("edit requestSucceeded false") }
    return needed
  }
}
