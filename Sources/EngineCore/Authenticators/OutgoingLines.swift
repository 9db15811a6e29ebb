import LoginMachine
import SecretMemory

/// A queue of lines for an authenticator. A line stays in the queue until all of it was written.
struct OutgoingLines {
  /// A line in the queue. If the line was withdrawn, `line` is `nil`.
  private struct Entry {
    var line: SecretLine?
    var question: SentQuestion?
  }

  /// A question that is waiting to be sent, or was sent.
  struct SentQuestion {
    let key: QuestionKey
    /// The value of `AuthenticatorHealth.silence` when the question was asked.
    let silence: Int
  }

  /// Lines that are sent before those in `entries` to a process that has just been started.
  private var ahead: [SecretLine] = []
  private var entries: [Entry] = []
  /// The index of the first entry that is not completely written.
  private var first = 0
  /// The number of entries that still have to be written.
  private var lines = 0
  /// The number of entries that were removed from the front of the array `entries` so far. The
  /// indices in `places` include it, so they stay valid when entries are removed.
  private var taken = 0
  /// For each conversation with a question of which nothing was written yet: the question's index
  /// in `entries`, plus `taken`.
  private var places: [ConversationID: Int] = [:]
  /// How many bytes of the first line were written.
  private(set) var sent = 0

  var isEmpty: Bool { lines == 0 && ahead.isEmpty }

  /// Whether the queue contains a question of which nothing was written yet.
  var hasQuestions: Bool { !places.isEmpty }

  mutating func append(_ line: SecretLine, _ question: SentQuestion? = nil) {
    if let question { places[question.key.conversation] = taken + entries.count }
    entries.append(Entry(line: line, question: question))
    lines += 1
  }

  /// Appends a line to those that are sent before the lines in `entries`. Call only before anything
  /// was written.
  mutating func putAhead(_ line: SecretLine) { ahead.append(line) }

  /// Inserts a line before all lines of which nothing was written yet.
  mutating func insertBeforeUnsent(_ line: SecretLine) {
    guard ahead.isEmpty else { return ahead.append(line) }
    let place = sent > 0 ? min(first + 1, entries.count) : first
    entries.insert(Entry(line: line, question: nil), at: place)
    lines += 1
    compact()
  }

  /// The line to write next. If the line asks a question and nothing of the line was written yet,
  /// also returns the question.
  mutating func next() -> (line: SecretLine, question: SentQuestion?)? {
    if let line = ahead.first { return (line, nil) }
    while first < entries.count {
      if let line = entries[first].line { return (line, sent == 0 ? entries[first].question : nil) }
      dropFirst()
    }
    return nil
  }

  /// Records that `count` more bytes of the first line were written.
  mutating func advance(_ count: Int) {
    guard let (line, question) = next(), count > 0 else { return }
    if let question { places[question.key.conversation] = nil }
    sent += count
    guard sent == line.count else { return }
    sent = 0
    if ahead.isEmpty { dropFirst() } else { ahead.removeFirst() }
  }

  /// The conversation of the question that was written only in part, if there is one.
  var begun: ConversationID? {
    guard sent > 0, ahead.isEmpty, first < entries.count else { return nil }
    return entries[first].question?.key.conversation
  }

  /// Blanks the unsent secrets of the line that was written only in part.
  func blankFirst() {
    if first < entries.count { entries[first].line?.blankSecrets(sent: sent) }
  }

  /// Withdraws the question of a conversation, if nothing of it was written yet.
  mutating func remove(_ conversationID: ConversationID) -> SentQuestion? {
    guard let place = places.removeValue(forKey: conversationID) else { return nil }
    let question = entries[place - taken].question
    entries[place - taken] = Entry(line: nil, question: nil)
    lines -= 1
    if entries.count - first > 64, (entries.count - first) / 2 > lines { compact() }
    return question
  }

  /// Keeps only the questions of which nothing was written yet, for the next process.
  mutating func keepQuestionsOnly() {
    // A partly written line in `ahead` is not a question.
    let isEntryBegun = sent > 0 && ahead.isEmpty
    ahead = []
    sent = 0
    if isEntryBegun, first < entries.count, entries[first].line != nil { dropFirst() }
    for index in first..<entries.count where entries[index].question == nil { entries[index].line = nil }
    compact()
  }

  /// Drops all lines. Returns the questions of which nothing was written yet.
  mutating func removeAll() -> [QuestionKey] {
    let questions = places.values.sorted().compactMap { entries[$0 - taken].question?.key }
    self = OutgoingLines()
    return questions
  }

  private mutating func dropFirst() {
    if entries[first].line != nil { lines -= 1 }
    entries[first] = Entry(line: nil, question: nil)
    first += 1
    if first == entries.count {
      taken += first
      entries.removeAll(keepingCapacity: entries.count < 1024)
      first = 0
    } else if first > 1024, first * 2 > entries.count {
      taken += first
      entries.removeFirst(first)
      first = 0
    }
  }

  /// Removes withdrawn entries.
  private mutating func compact() {
    entries = entries[first...].filter { $0.line != nil }
    first = 0
    taken = 0
    lines = entries.count
    places = [:]
    for (place, entry) in entries.enumerated() {
      guard let question = entry.question, place > 0 || sent == 0 || !ahead.isEmpty else { continue }
      places[question.key.conversation] = place
    }
  }
}
