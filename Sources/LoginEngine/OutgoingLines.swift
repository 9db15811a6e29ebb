import LoginMachine

/// Lines for an authenticator that were not written yet, in their order.
struct OutgoingLines {
  /// A line that was taken back has none any more.
  private struct Entry {
    var line: WipedLine?
    var asking: Asking?
  }

  /// A question that is to be asked, or was.
  struct Asking {
    let question: QuestionKey
    /// How long its authenticator had been silent when it was put.
    let silence: Int
  }

  /// Lines that go out before all others, to a process that has just been started.
  private var ahead: [WipedLine] = []
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

  mutating func append(_ line: WipedLine, _ asking: Asking? = nil) {
    if let asking { places[asking.question.conversationID] = taken + entries.count }
    entries.append(Entry(line: line, asking: asking))
    lines += 1
  }

  /// Puts a line in front, behind others that were put there. Only as long as nothing was written.
  mutating func putAhead(_ line: WipedLine) { ahead.append(line) }

  /// The line to write next, and the question it asks if nothing of it was written yet.
  mutating func next() -> (line: WipedLine, asking: Asking?)? {
    if let line = ahead.first { return (line, nil) }
    while first < entries.count {
      if let line = entries[first].line { return (line, sent == 0 ? entries[first].asking : nil) }
      dropFirst()
    }
    return nil
  }

  /// Notes that so much more of the first line was written.
  mutating func advance(_ count: Int) {
    guard let (line, asking) = next(), count > 0 else { return }
    if let asking { places[asking.question.conversationID] = nil }
    sent += count
    guard sent == line.count else { return }
    sent = 0
    if ahead.isEmpty { dropFirst() } else { ahead.removeFirst() }
  }

  /// The conversation whose question was written in part.
  var begun: ConversationID? {
    guard sent > 0, ahead.isEmpty, first < entries.count else { return nil }
    return entries[first].asking?.question.conversationID
  }

  /// Leaves nothing secret of the line that was written in part.
  func blankFirst() {
    if first < entries.count { entries[first].line?.blankSecrets(sent: sent) }
  }

  /// Takes back the question of a conversation, if nothing of it was written.
  mutating func remove(_ conversationID: ConversationID) -> Asking? {
    guard let place = places.removeValue(forKey: conversationID) else { return nil }
    let asking = entries[place - taken].asking
    entries[place - taken] = Entry(line: nil, asking: nil)
    lines -= 1
    if entries.count - first > 64, (entries.count - first) / 2 > lines { compact() }
    return asking
  }

  /// What is left for another process: the questions of which nothing was written.
  mutating func keepQuestionsOnly() {
    ahead = []
    if sent > 0 {
      sent = 0
      if first < entries.count, entries[first].line != nil { dropFirst() }
    }
    for index in first..<entries.count where entries[index].asking == nil { entries[index].line = nil }
    compact()
  }

  /// Gives up everything. Returns the questions of which nothing was written.
  mutating func removeAll() -> [QuestionKey] {
    let questions = places.values.sorted().compactMap { entries[$0 - taken].asking?.question }
    self = OutgoingLines()
    return questions
  }

  private mutating func dropFirst() {
    if entries[first].line != nil { lines -= 1 }
    entries[first] = Entry(line: nil, asking: nil)
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
      guard let asking = entry.asking, place > 0 || sent == 0 || !ahead.isEmpty else { continue }
      places[asking.question.conversationID] = place
    }
  }
}
