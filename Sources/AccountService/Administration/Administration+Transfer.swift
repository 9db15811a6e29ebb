import Accounts
import SecretMemory
import System

/// The commands that export and import accounts as lines of JSON.
extension Administration {
  func exportAccounts(_ store: AccountStore) throws(AccountStoreError) -> Int32 {
    var last: Int64 = 0
    while true {
      let page = try store.exportedAccounts(after: last, limit: Self.batch)
      guard let end = page.last?.id else { return 0 }
      for account in page {
        if let stored = account.attributes, Attributes.text(stored: stored) == nil {
          Console.reportError("The attributes of the account \(account.id ?? 0) cannot be read, and are left out.")
        }
        guard Console.print(TransferLine(account).text) else { return fail("The accounts could not be written.") }
      }
      last = end
    }
  }

  /// The number of accounts that are read or written in one transaction.
  private static var batch: Int { 500 }
  private static var maximumLineBytes: Int { 1 << 16 }

  /// Imports accounts from standard input, one account per line. A line that cannot be imported is
  /// reported with its number, and the import continues with the next line.
  func importAccounts(_ store: AccountStore) throws(AccountStoreError) -> Int32 {
    var (counts, number) = (ImportCounts(), 0)
    var batch: [(line: Int, account: TransferredAccount)] = []
    var lines = LineBuffer(maximumLineBytes: Self.maximumLineBytes)
    var isAtEnd = false
    let progress = ProgressLine("lines")
    while !isAtEnd {
      switch lines.fill(from: 0) {
      case .bytes, .wouldBlock: break
      case .endOfFile: isAtEnd = true
      case .failed(let error): return fail("The accounts could not be read after line \(number): \(error).")
      }
      while let line = lines.next() ?? (isAtEnd ? lines.nextAtEnd() : nil) {
        number += 1
        if let account = account(of: line, number, &counts, progress) { batch.append((number, account)) }
        if batch.count == Self.batch { try importBatch(&batch, store, &counts, progress) }
      }
    }
    try importBatch(&batch, store, &counts, progress)
    progress.clear()
    Console.reportError(counts.text)
    return counts.refused == 0 ? 0 : 1
  }

  private struct ImportCounts {
    var (imported, alreadyThere, refused) = (0, 0, 0)

    var text: String { "\(imported) imported, \(alreadyThere) already there, \(refused) refused." }
  }

  private func account(
    of line: LineBuffer.Line, _ number: Int, _ counts: inout ImportCounts, _ progress: ProgressLine
  ) -> TransferredAccount? {
    do throws(TransferLine.Problem) {
      switch line {
      case .whole(let bytes), .unterminated(let bytes):
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        return try TransferLine(parsing: bytes).account
      case .tooLong: throw TransferLine.Problem("The line is longer than \(Self.maximumLineBytes) bytes.")
      }
    } catch {
      counts.refused += 1
      progress.clear()
      Console.reportError("line \(number): \(error.text)")
      return nil
    }
  }

  private func importBatch(
    _ batch: inout [(line: Int, account: TransferredAccount)], _ store: AccountStore, _ counts: inout ImportCounts,
    _ progress: ProgressLine
  ) throws(AccountStoreError) {
    guard let last = batch.last else { return }
    let outcomes = try store.importAccounts(batch.map(\.account), now: AccountClock(isManual: false).now)
    for (entry, outcome) in zip(batch, outcomes) {
      switch outcome {
      case .imported: counts.imported += 1
      case .alreadyThere: counts.alreadyThere += 1
      case .refused, .unusableHash, .unusablePepper, .unusableRecoveryCode, .unusableSecret:
        counts.refused += 1
        progress.clear()
        Console.reportError("line \(entry.line): \(Self.text(outcome))")
      }
    }
    batch = []
    progress.show("up to line \(last.line): \(counts.text)")
  }

  private static func text(_ outcome: ImportOutcome) -> String {
    switch outcome {
    case .imported, .alreadyThere: ""
    case .refused(let refused): refused.map(text).joined(separator: " ")
    case .unusableHash(.unknown):
      "Passwords cannot be checked with a hash of this kind. Supported are yescrypt, bcrypt, SHA-crypt and PBKDF2 (SHA-256, SHA-512). Leave passwordHash out: a mailed code then sets a password."
    case .unusableHash(.malformed): "The password's hash is malformed."
    case .unusableHash(.tooExpensive): "Checking a password with this hash would take too long."
    case .unusablePepper:
      "The password's hash uses a pepper that these accounts do not have. Import with --pepper and the file of the export."
    case .unusableRecoveryCode: "The recovery codes are not those of an export."
    case .unusableSecret:
      "The key file cannot decrypt the secret of the one-time codes. Copy the key file of the export first."
    }
  }
}
