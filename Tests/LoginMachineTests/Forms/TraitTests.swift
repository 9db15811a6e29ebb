import LoginMachine
import Testing

/// The bits in which the traits of items are stored.
struct TraitTests {
  @Test("each trait of an item has its own bit") func bits() {
    let traits: [Item.Traits] = [
      .isSecret, .showsValidity, .isSwitch, .repeatsMessages, .isSelection, .isText, .hasDependents,
      .controlsVisibility,
      .isReadOnly, .isLongList, .isExternal, .dependsOnDay,
    ]
    #expect(traits.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    #expect(Set(traits.map(\.rawValue)).count == traits.count)
  }
}
