import Accounts

/// All conversations, each under the number of the attempt that started it. The table exists only
/// in memory. It limits how many conversations there are and how long each waits.
///
/// All conversations of a lane wait equally long, so each lane's queue is in the order of their
/// deadlines. The exception is a repeated sign-up, which keeps its first deadline.
struct PendingChallengeTable {
  /// A group of conversations with a common limit on their number.
  enum Lane: Int, CaseIterable {
    /// Logins whose password was right.
    case login
    /// Logins that started with a passkey alone. Anyone can start one, so they have a separate
    /// limit and cannot displace logins whose password was right.
    case stranger
    case signUp
    /// Questions to logged-in users. In the lane `personCode`, they ask for the code that was
    /// mailed to a new address.
    case person, personCode
  }

  /// The conversations of a lane, in the order in which they started to wait. An entry is outdated
  /// if its conversation has ended or has another deadline.
  fileprivate struct Queue {
    var entries: [(attempt: UInt64, deadline: Int64)] = []
    var first = 0
    /// The number of conversations in the lane, without outdated entries.
    var count = 0
  }

  private let maximum: Int
  private var table: [UInt64: Conversation] = [:]
  private var queues = [Queue](repeating: Queue(), count: Lane.allCases.count)
  /// The attempts that wait for the code of a sign-up, by the idempotency keys of their requests.
  private var signUps: [String: UInt64] = [:]

  /// - Parameter maximum: The number of logins that can wait for an answer. If there are more, the
  ///   table ends the oldest ones.
  init(maximum: Int) { self.maximum = maximum }

  var count: Int { table.count }

  subscript(attempt: UInt64) -> Conversation? { table[attempt] }

  /// The attempt that waits for the code of the sign-up with this idempotency key.
  func signUp(key: String) -> UInt64? { signUps[key] }

  /// Changes a conversation without changing its deadline or its lane. Does nothing if there is no
  /// such conversation.
  mutating func update(_ attempt: UInt64, _ change: (inout Conversation) -> Void) {
    guard var conversation = table[attempt] else { return }
    change(&conversation)
    table[attempt] = conversation
  }

  /// Adds a conversation whose attempt a worker is processing. It has no deadline yet.
  mutating func begin(_ attempt: UInt64, _ conversation: Conversation) {
    end(attempt)
    table[attempt] = conversation
  }

  /// Adds a conversation to the lane that belongs to its step. It waits there until its deadline.
  mutating func wait(_ attempt: UInt64, _ conversation: Conversation, until deadline: Int64? = nil, now: Int64) {
    expire(now: now)
    end(attempt)
    var conversation = conversation
    conversation.lane = conversation.step.lane
    conversation.deadline = deadline ?? now + conversation.step.lifetimeMs
    table[attempt] = conversation
    if let key = conversation.signUp?.key { signUps[key] = attempt }
    queues[conversation.step.lane.rawValue].entries.append((attempt, conversation.deadline))
    queues[conversation.step.lane.rawValue].count += 1
    makeRoom(in: conversation.step.lane)
  }

  /// Removes a conversation from the table. All other methods of the table call this one to remove
  /// a conversation.
  @discardableResult mutating func end(_ attempt: UInt64) -> Conversation? {
    guard let conversation = table.removeValue(forKey: attempt) else { return nil }
    if let lane = conversation.lane { queues[lane.rawValue].count -= 1 }
    if let key = conversation.signUp?.key, signUps[key] == attempt { signUps[key] = nil }
    return conversation
  }

  // MARK: Time

  /// Ends conversations whose deadline has passed, so that secrets do not stay in memory. Returns
  /// the next deadline, or nil if no conversation waits.
  @discardableResult mutating func expire(now: Int64) -> Int64? {
    var next: Int64?
    for lane in Lane.allCases {
      while let deadline = queues[lane.rawValue].oldest, deadline <= now { endOldest(of: lane) }
      if let deadline = queues[lane.rawValue].oldest { next = min(next ?? .max, deadline) }
    }
    return next
  }

  private mutating func makeRoom(in lane: Lane) {
    let most = lane.share(of: maximum)
    while queues[lane.rawValue].count > most { endOldest(of: lane) }
    // Without this, the queue would keep the entries of ended conversations until their deadlines.
    if queues[lane.rawValue].waiting > 2 * most {
      queues[lane.rawValue].compact { table[$0.attempt]?.isIn(lane, until: $0.deadline) ?? false }
    }
  }

  private mutating func endOldest(of lane: Lane) {
    guard let entry = queues[lane.rawValue].popFirst() else { return }
    if table[entry.attempt]?.isIn(lane, until: entry.deadline) == true { end(entry.attempt) }
  }
}

extension PendingChallengeTable.Lane {
  /// Returns how many conversations can wait in this lane if at most `maximum` logins can wait.
  fileprivate func share(of maximum: Int) -> Int {
    switch self {
    case .login, .signUp: maximum
    case .stranger: maximum / 4
    case .person, .personCode: maximum / 10
    }
  }
}

extension Conversation {
  fileprivate func isIn(_ lane: PendingChallengeTable.Lane, until deadline: Int64) -> Bool {
    self.lane == lane && self.deadline == deadline
  }
}

extension PendingChallengeTable.Queue {
  fileprivate var waiting: Int { entries.count - first }
  fileprivate var oldest: Int64? { first < entries.count ? entries[first].deadline : nil }

  fileprivate mutating func popFirst() -> (attempt: UInt64, deadline: Int64)? {
    guard first < entries.count else { return nil }
    first += 1
    defer {
      if first > 1_024, first > entries.count / 2 {
        entries.removeFirst(first)
        first = 0
      }
    }
    return entries[first - 1]
  }

  fileprivate mutating func compact(_ isCurrent: ((attempt: UInt64, deadline: Int64)) -> Bool) {
    entries = entries[first...].filter(isCurrent)
    first = 0
  }
}
