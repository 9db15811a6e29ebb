/// A limit that keeps notices from flooding a mailbox. It is stored only in memory, for a limited
/// number of recipients.
///
/// The first notice of a kind to a recipient is sent at once. Later notices are held back for an
/// hour and then sent as one mail, which gives their number. As long as notices keep coming, the
/// interval doubles, up to a day.
struct NoticeLimits {
  private struct Key: Hashable {
    let recipient: String
    let kind: MailKind
  }

  private struct Entry {
    /// When the interval ends, by `AccountClock.steady`.
    var end: Int64
    var interval: Int64
    /// The last notice that was held back. It reports the events of all notices that were held
    /// back.
    var held: MailDraft?
  }

  private static let shortest: Int64 = 3_600_000
  private static let longest: Int64 = 24 * shortest

  /// The maximum number of entries. If there are more, the entry whose interval ends first is
  /// removed.
  private let maximum: Int
  private var table: [Key: Entry] = [:]
  private var nextEnd: Int64 = .max

  init(maximum: Int = 10_000) { self.maximum = maximum }

  /// Takes a new mail, and returns the mails to send now: the notices whose interval has ended, and
  /// the new mail itself unless it has to be held back.
  mutating func letters(for letter: MailDraft, now: Int64) -> [MailDraft] {
    guard letter.isNotice, let recipient = letter.recipient else { return [letter] }
    var due = due(now: now)
    let key = Key(recipient: recipient, kind: letter.kind)
    if var entry = table[key] {
      entry.held = letter.joining(entry.held)
      table[key] = entry
      return due
    }
    if table.count >= maximum, let first = table.min(by: { $0.value.end < $1.value.end })?.key {
      if let held = table.removeValue(forKey: first)?.held { due.append(held) }
    }
    insert(Entry(end: now + Self.shortest, interval: Self.shortest), key)
    return due + [letter]
  }

  private mutating func insert(_ entry: Entry, _ key: Key) {
    table[key] = entry
    nextEnd = min(nextEnd, entry.end)
  }

  /// Returns the notices that were held back and whose interval has ended.
  mutating func due(now: Int64) -> [MailDraft] {
    guard nextEnd <= now else { return [] }
    var letters: [MailDraft] = []
    nextEnd = .max
    for (key, entry) in table {
      guard entry.end <= now else {
        nextEnd = min(nextEnd, entry.end)
        continue
      }
      guard let held = entry.held else {
        table[key] = nil
        continue
      }
      letters.append(held)
      let interval = min(2 * entry.interval, Self.longest)
      insert(Entry(end: now + interval, interval: interval), key)
    }
    return letters
  }

  /// When to call `due` again, by `AccountClock.steady`. Nil if no interval is running.
  var next: Int64? { table.isEmpty ? nil : nextEnd }

  /// Removes and returns all notices held back. Called at the end of the process.
  mutating func removeAll() -> [MailDraft] {
    defer { self = NoticeLimits(maximum: maximum) }
    return table.values.compactMap(\.held)
  }
}
