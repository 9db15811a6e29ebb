import LoginMachine
import SecretMemory

/// Lines for an authenticator that were not written yet, in their order.
struct OutgoingLines {
  /// A line that was taken back has none any more.
  private struct Entry {
    var line: SecretLine?
    var question: SentQuestion?
  }

  /// A question that is to be sent, or was.
  struct SentQuestion {
    let key: QuestionKey
    /// How many questions in a row its authenticator had left unanswered, without a word, when it was put.
    let silence: Int
  }

  /// Lines that go out before all others, to a process that has just been started.
  private var ahead: [SecretLine] = []
  private var entries: [Entry] = []
  /// Where the entries begin that are left.
  private var first = 0
  /// How many of those have a line.
  private var lines = 0
  /// How many were taken away in front of `entries`, so that places stay right.
  private var taken = 0
  /// Where the question of a conversation stands, as long as nothing of it was written.
  private var places: [ConversationID: Int] = [:]
  /// How much was written of the first line.
  private(set) var sent = 0

  var isEmpty: Bool { lines == 0 && ahead.isEmpty }

  /// Whether there is a question of which nothing was written.
  var hasQuestions: Bool { !places.isEmpty }

  mutating func append(_ line: SecretLine, _ question: SentQuestion? = nil) {
    if let question { places[question.key.conversation] = taken + entries.count }
    entries.append(Entry(line: line, question: question))
    lines += 1
  }

  /// Puts a line in front, behind others that were put there. Only as long as nothing was written.
  mutating func putAhead(_ line: SecretLine) { ahead.append(line) }

  /// Puts a line in front of all of which nothing was written.
  mutating func insertNext(_ line: SecretLine) {
    guard ahead.isEmpty else { return ahead.append(line) }
    let place = sent > 0 ? min(first + 1, entries.count) : first
    entries.insert(Entry(line: line, question: nil), at: place)
    lines += 1
    compact()
  }

  /// The line to write next, and the question it asks if nothing of it was written yet.
  mutating func next() -> (line: SecretLine, question: SentQuestion?)? {
    if let line = ahead.first { return (line, nil) }
    while first < entries.count {
      if let line = entries[first].line { return (line, sent == 0 ? entries[first].question : nil) }
      dropFirst()
    }
    return nil
  }

  /// Notes that so much more of the first line was written.
  mutating func advance(_ count: Int) {
    guard let (line, question) = next(), count > 0 else { return }
    if let question { places[question.key.conversation] = nil }
    sent += count
    guard sent == line.count else { return }
    sent = 0
    if ahead.isEmpty { dropFirst() } else { ahead.removeFirst() }
  }

  /// The conversation whose question was written in part.
  var begun: ConversationID? {
    guard sent > 0, ahead.isEmpty, first < entries.count else { return nil }
    return entries[first].question?.key.conversation
  }

  /// Leaves nothing secret of the line that was written in part.
  func blankFirst() {
    if first < entries.count { entries[first].line?.blankSecrets(sent: sent) }
  }

  /// Takes back the question of a conversation, if nothing of it was written.
  mutating func remove(_ conversationID: ConversationID) -> SentQuestion? {
    guard let place = places.removeValue(forKey: conversationID) else { return nil }
    let question = entries[place - taken].question
    entries[place - taken] = Entry(line: nil, question: nil)
    lines -= 1
    if entries.count - first > 64, (entries.count - first) / 2 > lines { compact() }
    return question
  }

  /// What is left for another process: the questions of which nothing was written.
  mutating func keepQuestionsOnly() {
    // What was begun may be a line that was put ahead; then no question was.
    let isEntryBegun = sent > 0 && ahead.isEmpty
    ahead = []
    sent = 0
    if isEntryBegun, first < entries.count, entries[first].line != nil { dropFirst() }
    for index in first..<entries.count where entries[index].question == nil { entries[index].line = nil }
    compact()
  }

  /// Gives up everything. Returns the questions of which nothing was written.
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

  /// Closes the gaps.
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
