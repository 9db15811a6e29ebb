import AuthenticatorKit
import JSONCodec
import LoginProtocol
import SecretMemory

@testable import EngineCore

/// The description in this result of `authenticator/describe`; `nil` if it is invalid.
func readDescription(_ result: String) -> AuthenticatorDescription? {
  withBytes(of: #"{"jsonrpc":"2.0","id":"describe","result":\#(result)}"#) { bytes in
    var document = JSONDocument()
    guard (try? document.parse(bytes)) != nil, let root = document.root,
      case .described(let description) = AuthenticatorReply(document, root, .numbers)
    else { return nil }
    return description
  }
}

/// A link to an authenticator that was not started.
func makeLink() -> AuthenticatorLink {
  AuthenticatorLink(
    AuthenticatorProfile(
      id: AuthenticatorID(index: 0), backend: .command(["check"]), name: AuthenticatorName("check", inTranscripts: nil)),
    maximumLineBytes: 100)
}

extension AuthenticatorLink {
  /// Starts the authenticator if lines wait for it. Returns whether it was started.
  func start(at now: UInt64 = 0) -> Bool {
    guard mayStart(at: now, waitsBetweenStarts: true) else { return false }
    noteStarted()
    return true
  }

  /// Makes the authenticator describe itself with this result.
  func describe(_ result: String) {
    askForDescription(line("describe"))
    _ = describe(readDescription(result))
  }

  /// Sends all waiting lines to the authenticator. Returns their texts.
  @discardableResult
  func sendAll() -> [String] {
    var lines: [String] = []
    _ = requestSend()
    guard beginSending() else { return [] }
    while let (line, start, question) = nextLine() {
      lines.append(String(text(line).dropLast()))
      _ = noteSent(line.count - start, question)
    }
    return lines
  }

  /// Passes in output of the authenticator. Returns the complete lines.
  func say(_ said: String) -> [ReadLine] {
    let bytes = Array(said.utf8)
    read { memory in
      memory.copyBytes(from: bytes)
      return bytes.count
    }
    var lines: [ReadLine] = []
    while let line = nextReply() { lines.append(ReadLine(line)) }
    return lines
  }
}
