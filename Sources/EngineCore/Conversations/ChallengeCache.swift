import CPortable
import FlowFiles
import LoginMachine
import LoginProtocol

/// The screens that authenticators have sent last, so that thousands of sessions with the same challenge share one.
///
/// A screen that was dropped here lives on as long as a session or an update that waits shows it.
struct ChallengeCache {
  private struct Key: Hashable {
    /// The flow in a language; those live as long as the engine.
    var template: ObjectIdentifier
    /// The screen that the conversation began on.
    var origin: Int
    var text: [UInt8]
    /// What the view can do, on which it depends what stands on the screen.
    var supported: Set<String>
  }

  private struct Entry {
    var screen: ChallengeTemplate
    var lastUse: UInt64
    /// Whether it has items of the kind code, which show one person what is nobody else's business.
    let isPersonal: Bool
  }

  /// The most screens, and the most bytes of their texts.
  static var maximumScreens: Int { 64 }
  static var maximumBytes: Int { 4 << 20 }

  private var entries: [Key: Entry] = [:]
  private var bytes = 0
  private var uses: UInt64 = 0
  /// How many of them are personal.
  private var personal = 0
  /// While there is one, what is freed is zeroed: the texts of codes are strings, of which there are copies in the screen, its templates and their parts.
  private var wiping: WipedFrees?
  /// Whether the cache had to drop a screen with codes while a session may still show that screen.
  private var hasDroppedShownCodes = false

  /// Whether there are screens with codes, which may be in what is written.
  var hasCodes: Bool { personal > 0 }

  /// The screen that `text`, a JSON text, defines.
  mutating func screen(
    _ text: [UInt8], name: String, _ template: FlowTemplate, origin: Int, supported: Set<String>
  ) throws(FlowFileError) -> ChallengeTemplate {
    let key = Key(template: ObjectIdentifier(template), origin: origin, text: text, supported: supported)
    uses += 1
    if let known = entries[key]?.screen {
      entries[key]?.lastUse = uses
      return known
    }
    let screen = try ChallengeFile.read(
      text, name: name, origin: template.flow.screens[origin], strings: template.strings,
      supported: supported)
    let made = ChallengeTemplate(screen, template.strings, locale: template.locale)
    guard text.count <= ChallengeCache.maximumBytes else { return made }
    bytes += text.count
    while entries.count >= ChallengeCache.maximumScreens || bytes > ChallengeCache.maximumBytes, !entries.isEmpty {
      dropOldest()
    }
    let isPersonal = screen.items.contains { if case .code = $0.kind { true } else { false } }
    if isPersonal {
      personal += 1
      wiping = wiping ?? WipedFrees()
    }
    entries[key] = Entry(screen: made, lastUse: uses, isPersonal: isPersonal)
    return made
  }

  /// The same screen in another language of the flow. The authenticator's texts that are keys of the flow's are looked up anew; the others stay.
  mutating func translated(_ shown: ChallengeScreen, into template: FlowTemplate) -> ChallengeTemplate {
    // From its text if that is known, so that the same text in a later answer is the same screen; with all else that its items depend on.
    if let key = entries.first(where: { $0.value.screen === shown })?.key,
      let screen = try? screen(
        key.text, name: "challenge", template, origin: key.origin, supported: key.supported)
    {
      return screen
    }
    return ChallengeTemplate(shown.screen, template.strings, locale: template.locale)
  }

  /// Forgets the texts of screens with codes that nobody shows any more. Called in each turn.
  mutating func forgetCodes() {
    forgetUnusedCodes()
    if personal == 0, !hasDroppedShownCodes { wiping = nil }
  }

  @inline(never) private mutating func forgetUnusedCodes() {
    for key in entries.filter({ $0.value.isPersonal }).map(\.key) {
      guard var entry = entries.removeValue(forKey: key) else { continue }
      if isKnownUniquelyReferenced(&entry.screen) {
        bytes -= key.text.count
        personal -= 1
      } else {
        entries[key] = entry
      }
    }
  }

  private mutating func dropOldest() {
    guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
    if entries.removeValue(forKey: oldest)?.isPersonal == true {
      personal -= 1
      hasDroppedShownCodes = true
    }
    bytes -= oldest.text.count
  }
}

/// As long as there is one, all memory is zeroed before it is freed.
private final class WipedFrees: Sendable {
  init() { cportable_wipe_freed() }
  deinit { cportable_keep_freed() }
}
