package import AccountStore
package import OneTimeCodes
import WebAuthn

/// What a person who is in is asked for before a change is made.
package enum PersonStep: Sendable {
  /// A code, after the password; with the new password, if that is the change, as it is going to be stored.
  case proof(PendingLogin, PreparedPassword? = nil)
  /// The first code of a new secret, which the screen shows.
  case enrolment(PendingLogin, OneTimeSecret)
  /// To keep the new recovery codes, which the screen shows.
  case recoveryCodes(PendingLogin, PreparedCodes)
  /// Another address.
  case newEmail(PendingLogin)
  /// The code that was mailed there.
  case emailCode(PendingEmailChange)
  /// Which of the passkeys is to go. `canAdd`: whether there can be another.
  case passkeys(PendingLogin, [Passkey], canAdd: Bool)
  /// A new passkey, which has to sign the bytes.
  case newPasskey(PasskeyHolder, nonce: [UInt8])

  /// How long the step waits for its answer, in milliseconds.
  var lifetimeMs: Int64 {
    if case .emailCode = self { SignUps.lifetimeMs } else { Conversation.lifetimeMs }
  }

  /// What is said when too many answers were wrong.
  fileprivate var tooManyTries: AccountMessage {
    switch self {
    case .emailCode: .emailCodeTooManyTries
    case .passkeys, .newPasskey: .passkeyTooManyTries
    case .proof, .enrolment, .recoveryCodes, .newEmail: .oneTimeCodeTooManyTries
    }
  }
}

/// The changes that wait for an answer, by the number of the attempt that began each. They are only in memory, limited in number and in time.
/// Used on the loop's thread.
package struct PersonConversations {
  private struct Entry {
    let change: AccountChange
    /// Nil before a worker has looked at the password, and after the end.
    var step: PersonStep?
    var wrongCodes = 0
    /// By `AccountClock.steady`.
    var deadline: Int64
    var isUnderWay = true
    /// The key of the last answer, and what came of it, in case the reply was lost.
    var last: (key: String, outcome: PersonOutcome)?
  }

  /// When there are more, the one that ends first ends.
  private static let maximum = 10_000
  private var table: [UInt64: Entry] = [:]
  private var nextExpiry: Int64 = .max

  package init() {}

  /// An attempt was submitted, and a worker looks at it.
  mutating func begin(_ attempt: UInt64, _ change: AccountChange, now: Int64) {
    expire(now: now)
    if table.count >= Self.maximum, let oldest = table.min(by: { $0.value.deadline < $1.value.deadline })?.key {
      table[oldest] = nil
    }
    table[attempt] = Entry(change: change, deadline: now + Conversation.lifetimeMs)
    nextExpiry = min(nextExpiry, now + Conversation.lifetimeMs)
  }

  mutating func cancelled(_ attempt: UInt64) { table[attempt] = nil }

  /// Whether somebody waits for what comes of an attempt.
  func isWanted(_ attempt: UInt64) -> Bool { table[attempt] != nil }

  enum Finding {
    /// The attempt is none of these.
    case unknown
    case busy
    case ended
    /// The answer was given before.
    case again(PersonOutcome)
    case step(PersonStep, AccountChange)
  }

  mutating func find(_ attempt: UInt64, key: String, now: Int64) -> Finding {
    expire(now: now)
    guard let conversation = table[attempt] else { return .unknown }
    guard !conversation.isUnderWay else { return .busy }
    if let last = conversation.last, last.key == key { return .again(last.outcome) }
    guard let step = conversation.step else { return .ended }
    return .step(step, conversation.change)
  }

  /// A worker begins to check an answer.
  mutating func checkStarted(_ attempt: UInt64) { table[attempt]?.isUnderWay = true }

  /// Another step in place of the present one.
  mutating func replaceStep(_ attempt: UInt64, _ step: PersonStep) { table[attempt]?.step = step }

  /// Applies what a worker has found. Returns what is to be replied; nil if the conversation is over.
  mutating func settle(_ attempt: UInt64, _ outcome: PersonOutcome, key: String?, now: Int64) -> PersonOutcome? {
    guard var conversation = table[attempt] else { return nil }
    conversation.isUnderWay = false
    var outcome = outcome
    switch outcome {
    case .asked(let step), .sent(let step):
      conversation.step = step
      conversation.wrongCodes = 0
    case .refused, .renewed:
      // Addresses are no guesses, and have limits of their own.
      if case .newEmail = conversation.step { break }
      conversation.wrongCodes += 1
      if case .renewed(let step, _) = outcome { conversation.step = step }
      if conversation.wrongCodes >= Conversation.maximumWrongAnswers {
        outcome = .rejected(conversation.step?.tooManyTries ?? .challengeExpired)
        conversation.step = nil
      }
    case .throttled: break
    case .status, .done, .deleted, .rejected: conversation.step = nil
    }
    conversation.deadline = now + (conversation.step?.lifetimeMs ?? Conversation.lifetimeMs)
    if conversation.step == nil, key == nil {
      table[attempt] = nil
    } else {
      if let key { conversation.last = Self.remembers(outcome) ? (key, outcome) : nil }
      table[attempt] = conversation
    }
    return outcome
  }

  /// Whether the same answer must not be carried out twice.
  private static func remembers(_ outcome: PersonOutcome) -> Bool {
    switch outcome {
    case .asked, .sent, .renewed, .done, .deleted: true
    case .status, .rejected, .refused, .throttled: false
    }
  }

  /// The check failed, and nothing was decided. Without a step there is nothing to go on with.
  mutating func checkFailed(_ attempt: UInt64) {
    if table[attempt]?.step == nil { table[attempt] = nil } else { table[attempt]?.isUnderWay = false }
  }

  /// Ends what has waited too long. Returns when to look again; `nil` if nothing waits.
  @discardableResult mutating func expire(now: Int64) -> Int64? {
    guard nextExpiry <= now else { return table.isEmpty ? nil : nextExpiry }
    table = table.filter { $0.value.deadline > now }
    nextExpiry = table.values.map(\.deadline).min() ?? .max
    return table.isEmpty ? nil : nextExpiry
  }
}
