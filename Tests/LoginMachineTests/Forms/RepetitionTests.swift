import LoginMachine
import Testing

@Suite("Items that must equal another item")
struct RepetitionTests {
  private let plain = Screen.sample([
    .sample("a", .input(.email)), .sample("b", .input(.email), rules: [.equalTo(0)]),
  ])
  private let secret = Screen.sample([
    .sample("a", .input(.newPassword), rules: [.required]),
    .sample("b", .input(.newPassword), rules: [.required, .equalTo(0)]),
  ])

  @Test("an item that must equal another is validated when either of the two is edited")
  func edits() {
    var draft = Draft(of: plain)
    #expect(draft.isValid)
    draft.enter("x@y", into: 1, of: plain)
    #expect(draft.entries[1].failing.positions == [0])
    draft.enter("x@y", into: 0, of: plain)
    #expect(draft.isValid)
    draft.enter("x@", into: 0, of: plain)
    #expect(draft.entries[1].failing.positions == [0])
    #expect(draft.entries[0].failing.isEmpty)
  }

  @Test("an item that is validated because another was edited is not marked")
  func marks() {
    var draft = Draft(of: plain)
    draft.enter("x", into: 0, of: plain)
    #expect(draft.marks(0))
    #expect(!draft.marks(1))
  }

  @Test("the rule equalTo accepts an empty value")
  func empty() {
    var draft = Draft(of: plain)
    draft.enter("x@y", into: 0, of: plain)
    #expect(draft.isValid)
  }

  @Test("for the rule equalTo, texts that look the same but consist of different bytes differ")
  func bytes() {
    var draft = Draft(of: plain)
    draft.enter("\u{E9}", into: 0, of: plain)
    draft.enter("e\u{301}", into: 1, of: plain)
    #expect(!draft.isValid)
  }

  @Test("an item has dependents only if another item must equal it")
  func traits() {
    #expect(plain.traits[0].contains(.hasDependents))
    #expect(!plain.traits[1].contains(.hasDependents))
  }

  /// A draft in which both secrets are filled, with the verdicts that the owner of their bytes
  /// gives.
  private func filled(same: Bool) -> Draft {
    var draft = Draft(of: secret)
    draft.setSecret(isFilled: true, failing: RuleSet(), at: 0, of: secret)
    let failing = RuleSet(of: secret.items[1].rules, failingOn: [0x61].span) { _ in same }
    draft.setSecret(isFilled: true, failing: failing, at: 1, of: secret)
    return draft
  }

  @Test(
    "whether two secrets are equal is decided by the owner of their bytes, and not by the draft",
    arguments: [true, false])
  func secrets(same: Bool) {
    let draft = filled(same: same)
    #expect(draft.isValid == same)
    #expect(draft.entries[1].failing.positions == (same ? [] : [1]))
  }

  @Test("an edit of a secret also updates which rules are broken by an item that must equal the secret")
  func dependents() {
    var draft = filled(same: true)
    var broken = RuleSet(of: secret.items[1].rules, failingOn: [0x61].span) { _ in false }
    draft.setSecret(
      isFilled: true, failing: RuleSet(), dependents: [.init(item: 1, failing: broken)], at: 0, of: secret)
    #expect(draft.entries[1].failing.positions == [1])
    broken = RuleSet()
    draft.setSecret(
      isFilled: true, failing: RuleSet(), dependents: [.init(item: 1, failing: broken)], at: 0, of: secret)
    #expect(draft.isValid)
  }

  @Test("when a secret is discarded, a filled item that must equal the secret breaks the rule equalTo")
  func forgotten() {
    var draft = filled(same: true)
    draft.discardSecret(at: 0, of: secret)
    #expect(draft.entries[0].failing.positions == [0])
    #expect(draft.entries[1].failing.positions == [1])
    draft.discardSecret(at: 1, of: secret)
    #expect(draft.entries[1].failing.positions == [0])
  }

  @Test("when all secrets are discarded, in any order, only the rule required is broken")
  func allForgotten() {
    for same in [true, false] {
      var draft = filled(same: same)
      draft.discardSecrets(of: secret)
      #expect(draft.entries.map { $0.failing.positions } == [[0], [0]])
      #expect(draft.entries.allSatisfy { !$0.isFilled && !$0.isMarked && !$0.isTouched })
    }
  }
}
