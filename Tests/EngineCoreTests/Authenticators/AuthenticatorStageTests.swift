import Testing

@testable import EngineCore

/// What every event of an authenticator process does in every stage of the process.
@Suite("Every event in every stage of an authenticator")
struct AuthenticatorStageTests {
  private typealias Stage = AuthenticatorLink.Stage

  private static let stages: [Stage] = [
    .stopped, .starting, .running(isInputOpen: true, isInputFull: false),
    .running(isInputOpen: true, isInputFull: true), .running(isInputOpen: false, isInputFull: false),
    .ending(isRunning: true), .ending(isRunning: false),
  ]

  /// A link to an authenticator whose process is in the given stage, with a question that waits to
  /// be sent.
  private func link(in stage: Stage) -> AuthenticatorLink {
    let link = makeLink()
    link.append(line("q1"), asking: key(1))
    switch stage {
    case .stopped: break
    case .starting: _ = link.mayStart(at: 0, waitsBetweenStarts: true)
    case .running(let isInputOpen, let isInputFull):
      _ = link.start()
      if isInputFull { _ = link.noteFull() }
      if !isInputOpen { link.noteInputClosed() }
    case .ending(let isRunning):
      if isRunning { _ = link.start() }
      _ = link.endInput()
    }
    return link
  }

  /// For each event: its results and the next stages, if it happens in each of `stages`.
  private static let table:
    [(name: String, happen: @Sendable (AuthenticatorLink) -> Bool, says: [Bool], leadsTo: [Stage?])] = [
      (
        "mayStart", { $0.mayStart(at: 0, waitsBetweenStarts: true) },
        [true, false, false, false, false, false, false], [.starting, nil, nil, nil, nil, nil, nil]
      ),
      (
        "requestSend", { $0.requestSend() },
        [false, false, true, false, false, false, false], [nil, nil, nil, nil, nil, nil, nil]
      ),
      (
        "beginSending", { $0.beginSending() },
        [false, false, true, true, false, false, false], [nil, nil, nil, nil, nil, nil, nil]
      ),
      (
        "noteSent", { $0.noteSent(1, nil) },
        [false, false, false, true, false, false, false],
        [nil, nil, nil, .running(isInputOpen: true, isInputFull: false), nil, nil, nil]
      ),
      (
        "noteFull", { $0.noteFull() },
        [false, false, true, false, true, false, false],
        [
          nil, nil, .running(isInputOpen: true, isInputFull: true), nil,
          .running(isInputOpen: false, isInputFull: true),
          nil, nil,
        ]
      ),
      (
        "noteInputClosed",
        {
          $0.noteInputClosed(); return $0.isRunning
        },
        [false, false, true, true, true, true, false],
        [
          nil, nil, .running(isInputOpen: false, isInputFull: false), .running(isInputOpen: false, isInputFull: false),
          nil, nil, nil,
        ]
      ),
      (
        "endInput", { $0.endInput() },
        [false, false, true, true, true, false, false],
        [
          .ending(isRunning: false), .ending(isRunning: false), .ending(isRunning: true), .ending(isRunning: true),
          .ending(isRunning: true), nil, nil,
        ]
      ),
      (
        "cancel", { $0.cancel(conversation(1), hasTimedOut: true) { line("cancel") } },
        [false, false, false, false, false, false, false], [nil, nil, nil, nil, nil, nil, nil]
      ),
      (
        "settle",
        {
          $0.settle(key(1), isConversationOpen: true); return $0.hasUnsent
        },
        [true, true, true, true, true, true, true], [nil, nil, nil, nil, nil, nil, nil]
      ),
      (
        "say", { $0.say("word\n") == [.whole("word")] },
        [true, true, true, true, true, true, true], [nil, nil, nil, nil, nil, nil, nil]
      ),
      (
        "judge", { if case .fine = $0.judge(at: 0) { true } else { false } },
        [true, true, true, true, false, true, true], [nil, nil, nil, nil, nil, nil, nil]
      ),
      (
        "noteFailed", { !$0.noteFailed(at: 0).questions.isEmpty },
        [false, false, false, false, false, false, false],
        [nil, .stopped, .stopped, .stopped, .stopped, .ending(isRunning: false), nil]
      ),
    ]

  @Test(
    "every event of an authenticator process leads from every stage to the stage that the table states",
    arguments: table.indices)
  func transitions(row: Int) {
    let (name, happen, says, leadsTo) = Self.table[row]
    for (index, stage) in Self.stages.enumerated() {
      let link = link(in: stage)
      #expect(link.stage == stage, "to begin with")
      #expect(happen(link) == says[index], "\(name) in \(stage)")
      #expect(link.stage == leadsTo[index] ?? stage, "\(name) in \(stage)")
    }
  }

  @Test("the properties of an authenticator's link match the stage of its process")
  func properties() {
    let links = Self.stages.map { link(in: $0) }
    #expect(links.map(\.isRunning) == [false, false, true, true, true, true, false])
    #expect(links.map(\.isStarting) == [false, true, false, false, false, false, false])
    #expect(links.map(\.isEnding) == [false, false, false, false, false, true, true])
    #expect(links.map(\.nextDeadline) == [nil, nil, nil, nil, nil, nil, nil])
  }

  @Test("no two events of an authenticator process, one after the other, make the engine trap")
  func pairs() {
    for stage in Self.stages {
      for first in Self.table {
        for second in Self.table {
          let link = link(in: stage)
          _ = first.happen(link)
          _ = second.happen(link)
          _ = link.sendAll()
          _ = link.noteFailed(at: 5)
          #expect(!link.isRunning, "\(first.name), then \(second.name) in \(stage)")
        }
      }
    }
  }
}
