import CPortable
import FlowFiles
import LoginMachine
import LoginProtocol

/// A cache of the challenge screens that were received most recently, so that thousands of sessions
/// with the same challenge share one screen.
///
/// A screen that was dropped from the cache stays alive while a session or a pending update shows
/// it.
struct ChallengeCache {
  private struct Key: Hashable {
    /// The flow in one language. Templates live as long as the engine, so the identity of a
    /// template is a valid key.
    var template: ObjectIdentifier
    /// The index of the screen on which the conversation began.
    var origin: Int
    var text: [UInt8]
    /// The capabilities of the view, which decide what the screen shows.
    var supported: Set<String>
  }

  private struct Entry {
    var screen: ChallengeTemplate
    var lastUse: UInt64
    /// Whether the screen has items of the kind `code`, which show one user's secrets.
    let isPersonal: Bool
  }

  /// The limits of the cache: the number of screens, and the bytes of their texts.
  static var maximumScreens: Int { 64 }
  static var maximumBytes: Int { 4 << 20 }

  private var entries: [Key: Entry] = [:]
  private var bytes = 0
  private var uses: UInt64 = 0
  /// The number of personal screens in the cache.
  private var personal = 0
  /// While this object exists, all freed memory is zeroed. This is needed for the texts of codes:
  /// they are strings, with copies in the screen, its templates and their parts.
  private var wiping: WipedFrees?
  /// Whether a screen with codes was dropped from the cache although a session may still show it.
  private var hasDroppedShownCodes = false

  /// Whether the cache holds screens with codes. If so, pending output may contain codes.
  var hasCodes: Bool { personal > 0 }

  /// The challenge screen that the JSON text `text` defines, from the cache if it is there.
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

  /// A challenge screen in another language of the flow. Texts that are keys of the flow's strings
  /// are looked up in that language. All other texts stay as the authenticator wrote them.
  mutating func translated(_ shown: ChallengeScreen, into template: FlowTemplate) -> ChallengeTemplate {
    // A cached screen is made again from its text, with the same capabilities, and cached, so that
    // a later answer with this text finds it.
    if let key = entries.first(where: { $0.value.screen === shown })?.key,
      let screen = try? screen(
        key.text, name: "challenge", template, origin: key.origin, supported: key.supported)
    {
      return screen
    }
    return ChallengeTemplate(shown.screen, template.strings, locale: template.locale)
  }

  /// Drops the screens with codes that no session shows any more. Called in each turn.
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

/// Zeroes all freed memory as long as an instance exists.
private final class WipedFrees: Sendable {
  init() { cportable_wipe_freed() }
  deinit { cportable_keep_freed() }
}
