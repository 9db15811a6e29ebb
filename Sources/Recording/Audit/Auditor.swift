import AuthenticatorKit
import JSONCodec
import LoginMachine
public import LoginProtocol

/// Writes the audit log: one JSON line per authentication attempt, with its outcome and reason but
/// without any values.
public final class Auditor: AttemptObserver {
  private var file: ObservationFile

  /// Opens the audit log. Lines are appended to its existing content.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which is created if it does not exist.
  ///   - spared: files that must not be written.
  ///   - log: gets one message when the file cannot be written any more.
  /// - Throws: `ObservationProblem` if the file cannot or must not be written.
  public init(
    _ path: String, sparing spared: [ProtectedFile], log: @escaping RecordingLog
  ) throws(ObservationProblem) {
    file = try ObservationFile(path, option: "--audit", existing: .kept, sparing: spared, log: log)
    file.begin()
  }

  /// Whether a write to the audit log failed. Check it again after `finish`.
  public var hasFailed: Bool { file.hasFailed }

  /// Closes the audit log, and removes it if `init` created it. Call only before the first attempt
  /// is logged.
  public func discard() {
    file.remove()
    file.close()
  }

  /// Writes the lines that are still buffered and closes the audit log.
  public func finish() {
    file.drain()
    file.close()
  }

  public func observe(_ result: Attempt, at time: Moment) {
    var line = ByteBuffer()
    line.append(#"{"time":""#)
    line.append(UTCTime.text(time.utc))
    line.append(#"","session":"#)
    result.session.withUnsafeBytes { line.appendJSONString($0) }
    line.append(#","flow":"#)
    line.appendJSONString(result.flow)
    line.append(#","request":"#)
    line.appendJSONString(result.request)
    line.append(#","attempt":"#)
    line.append(decimal: result.attempt.number)
    line.append(#","outcome":"#)
    line.appendJSONString(result.outcome.rawValue)
    if let code = result.code {
      line.append(#","code":"#)
      line.appendJSONString(code)
    }
    if let principal = result.principal {
      line.append(#","principal":"#)
      line.appendJSONString(principal)
    }
    line.append(proofs: result.proofs)
    if let context = result.context {
      line.append(#","context":"#)
      line.append(context)
    }
    line.append("}\n")
    file.append(line.array())
  }
}
