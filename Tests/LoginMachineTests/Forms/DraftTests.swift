import LoginMachine
import Testing

@Suite("Drafts")
struct DraftTests {
  private let screen = Screen.sample()
  private let mail = 0
  private let word = 1
  private let flag = 2

  /// A draft of the sample screen with valid values.
  private func filled() -> Draft {
    var draft = Draft(of: screen)
    draft.enter("ada@example.com", into: mail, of: screen)
    draft.setSecret(isFilled: true, failing: RuleSet(), at: word, of: screen)
    return draft
  }

  @Test("a blank draft is empty, breaks the required rules and marks nothing")
  func blank() {
    let draft = Draft(of: screen)
    #expect(draft.entries.map(\.text) == [[], [], []])
    #expect(draft.entries.map(\.isFilled) == [false, false, false])
    #expect(draft.entries.map { $0.failing.positions } == [[0], [0], []])
    #expect(draft.entries[flag].isOn == nil)
    #expect(screen.items.indices.allSatisfy { !draft.marks($0) })
    #expect(!draft.isValid)
    #expect(draft.validated() == nil)
  }

  @Test("a switch starts in its initial position", arguments: [true, false, nil] as [Bool?])
  func initialSwitch(initial: Bool?) {
    let item = Item(
      id: "i", apiKey: "i", kind: .switch(initial: initial), title: nil, placeholder: nil,
      rules: [Rule(.required, message: "")])
    let draft = Draft(
      of: Screen(
        id: "s", title: "", request: "", sections: [], items: [item], primary: screen.primary, links: [],
        success: .scene("")))
    #expect(draft.entries[0].isOn == initial)
    #expect(draft.isValid == (initial == true))
  }

  @Test("an entered text is stored, validated and marked, and other items are unchanged")
  func entering() {
    var draft = Draft(of: screen)
    draft.enter("ada@", into: mail, of: screen)
    #expect(draft.entries[mail].text == Array("ada@".utf8))
    #expect(draft.entries[mail].failing.positions == [1])
    #expect(draft.marks(mail))
    #expect(!draft.marks(word))
    draft.enter("ada@example.com", into: mail, of: screen)
    #expect(draft.entries[mail].text == Array("ada@example.com".utf8))
    #expect(draft.entries[mail].failing.isEmpty)
    draft.enter("", into: mail, of: screen)
    #expect(draft.entries[mail].text == [])
    #expect(draft.entries[mail].failing.positions == [0])
    #expect(draft.marks(mail))
  }

  @Test("setting a switch validates it and marks it")
  func setting() {
    let screen = Screen.sample(switchRules: [Rule(.required, message: "must")])
    var draft = Draft(of: screen)
    draft.set(true, at: flag, of: screen)
    #expect(draft.entries[flag].isOn == true)
    #expect(draft.entries[flag].failing.isEmpty)
    #expect(draft.marks(flag))
    draft.set(false, at: flag, of: screen)
    #expect(draft.entries[flag].isOn == false)
    #expect(draft.entries[flag].failing.positions == [0])
  }

  @Test("a draft does not contain a secret, only whether it is filled and which rules it breaks")
  func secret() {
    var draft = Draft(of: screen)
    let failing = RuleSet(of: screen.items[word].rules, failingOn: "ab")
    draft.setSecret(isFilled: true, failing: failing, at: word, of: screen)
    #expect(draft.entries[word].isFilled)
    #expect(draft.entries[word].text == [])
    #expect(draft.entries[word].failing.positions == [1])
    #expect(draft.marks(word))
  }

  @Test("markAll marks all items of a draft")
  func markAll() {
    var draft = Draft(of: screen)
    draft.markAll()
    #expect(screen.items.indices.allSatisfy { draft.marks($0) })
    #expect(!draft.entries[mail].isTouched)
  }

  @Test("a draft returns values to send only if it is valid, and then returns exactly its entries")
  func validated() throws {
    var draft = filled()
    let values = try #require(draft.validated())
    #expect(values.entries == draft.entries)
    draft.setSecret(
      isFilled: true, failing: RuleSet(of: screen.items[word].rules, failingOn: "ab"), at: word, of: screen)
    #expect(draft.validated() == nil)
  }

  @Test("any one invalid item makes a draft invalid", arguments: [0, 1, 2])
  func oneInvalid(item: Int) {
    let screen = Screen.sample(switchRules: [Rule(.required, message: "must")])
    var draft = Draft(of: screen)
    if item != mail { draft.enter("a@b", into: mail, of: screen) }
    if item != word { draft.setSecret(isFilled: true, failing: RuleSet(), at: word, of: screen) }
    if item != flag { draft.set(true, at: flag, of: screen) }
    #expect(!draft.isValid)
    #expect(draft.validated() == nil)
  }
}

@Suite("Remarks: messages from an authenticator about items of a draft")
struct DraftAnswerTests {
  private let screen = Screen.sample()
  private let mail = 0
  private let word = 1
  private let flag = 2

  private func remarked() -> Draft {
    var draft = Draft(of: screen)
    draft.add(Message("taken"), to: mail)
    draft.add(Message("weak"), to: word)
    draft.add(Message("odd"), to: mail)
    draft.add(Message("must"), to: flag)
    return draft
  }

  @Test("a draft keeps messages from an authenticator about items in the order in which they were added")
  func order() {
    #expect(remarked().remarks.map(\.message.code) == ["taken", "weak", "odd", "must"])
  }

  @Test("an edit removes an authenticator's messages about the edited item, and no others")
  func edits() {
    var draft = remarked()
    draft.enter("a", into: mail, of: screen)
    #expect(draft.remarks.map(\.message.code) == ["weak", "must"])
    draft.setSecret(isFilled: false, failing: RuleSet(), at: word, of: screen)
    #expect(draft.remarks.map(\.message.code) == ["must"])
    draft.set(true, at: flag, of: screen)
    #expect(draft.remarks == [])
  }

  @Test("an authenticator's messages about items stay when items are marked or validated, or one secret is discarded")
  func others() {
    var draft = remarked()
    draft.markAll()
    _ = draft.validated()
    draft.discardSecret(at: word, of: screen)
    #expect(draft.remarks == remarked().remarks)
  }

  @Test("an authenticator's messages about items do not make a draft invalid")
  func validity() {
    var draft = Draft(of: screen)
    draft.enter("a@b", into: mail, of: screen)
    draft.setSecret(isFilled: true, failing: RuleSet(), at: word, of: screen)
    draft.add(Message("taken"), to: mail)
    #expect(draft.isValid)
  }

  @Test("all messages from an authenticator about items of a draft can be removed")
  func dropping() {
    var draft = remarked()
    draft.removeRemarks()
    #expect(draft.remarks == [])
  }

  @Test("a discarded secret is empty, is validated as an empty value, and still counts as touched")
  func discardSecret() {
    var draft = Draft(of: screen)
    draft.setSecret(isFilled: true, failing: RuleSet(), at: word, of: screen)
    draft.discardSecret(at: word, of: screen)
    #expect(!draft.entries[word].isFilled)
    #expect(draft.entries[word].failing.positions == [0])
    #expect(draft.entries[word].isTouched)
  }

  @Test(
    "discarding all secrets keeps other values, removes an authenticator's messages about items, and marks no secret")
  func discardSecrets() {
    var draft = remarked()
    draft.enter("a@b", into: mail, of: screen)
    draft.setSecret(isFilled: true, failing: RuleSet(), at: word, of: screen)
    draft.markAll()
    draft.discardSecrets(of: screen)
    #expect(!draft.entries[word].isFilled)
    #expect(draft.entries[word].failing.positions == [0])
    #expect(draft.entries[mail].text == Array("a@b".utf8))
    #expect(draft.marks(mail))
    #expect(!draft.marks(word))
    #expect(draft.remarks == [])
  }
}
