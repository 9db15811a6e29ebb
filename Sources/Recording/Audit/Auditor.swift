import AuthenticatorKit
import JSONCodec
import LoginMachine
public import LoginProtocol

/// Writes one JSON line for each try: who was let in, and why others were not. Values are in none of them.
public final class Auditor: AttemptObserver {
  private var file: ObservationFile

  /// Opens the file, behind whose contents lines are written.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which is made if there is none.
  ///   - spared: files that are not to be written to.
  ///   - log: is told, once, that the file cannot be written any more.
  /// - Throws: why the file cannot be written, or must not be.
  public init(
    _ path: String, sparing spared: [SparedFile], log: @escaping RecordingLog
  ) throws(ObservationProblem) {
    file = try ObservationFile(path, option: "--audit", existing: .kept, sparing: spared, log: log)
    file.begin()
  }

  /// Whether something could not be written. To be looked at after `finish` as well.
  public var hasFailed: Bool { file.hasFailed }

  /// Closes the file, and removes it if it was made here: nothing is told. Not to be called after anything was.
  public func discard() {
    file.remove()
    file.close()
  }

  /// Writes what is left and closes the file.
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
