import LoginMachine
import Testing

/// What is asked of an item on every event.
struct TraitTests {
  @Test("each trait has a bit of its own") func bits() {
    let traits: [Item.Traits] = [
      .isSecret, .showsValidity, .isSwitch, .repeatsMessages, .isSelection, .isText, .hasDependents,
      .controlsVisibility,
      .isReadOnly, .isLongList, .isExternal, .dependsOnDay,
    ]
    #expect(traits.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    #expect(Set(traits.map(\.rawValue)).count == traits.count)
  }
}
