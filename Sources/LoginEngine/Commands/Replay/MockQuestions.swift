import AuthenticatorKit
import JSONCodec

/// The open requests of an engine to its frontend.
struct MockQuestions {
  /// The attempts of the open requests, keyed by the JSON text of each request's id.
  private var waiting: [[UInt8]: UInt64] = [:]
  /// The undecided attempts.
  private var attempts: Set<UInt64> = []

  /// Records a message of the engine.
  mutating func recordEngineMessage(_ message: JSONValue) {
    switch EngineCall(message) {
    case .question(let question, let id):
      waiting[id.text] = question.attempt
      attempts.insert(question.attempt)
    case .cancel(let attempt):
      waiting = waiting.filter { $0.value != attempt }
      attempts.remove(attempt)
    case .describe, .configure, .advance, .unknown, .invalid, .nothing: break
    }
  }

  /// Records a message of the frontend.
  mutating func recordFrontendMessage(_ message: JSONValue) {
    guard message["method"] == nil, let id = message["id"] else { return }
    guard let attempt = waiting.removeValue(forKey: Array(id.text.utf8)) else { return }
    let outcome = message["result"]?.withDocument { try? AuthenticatorAnswer.Outcome($0, of: $1) }
    if outcome != .challenge { attempts.remove(attempt) }
  }

  /// Whether a message answers an open request, or is a notification about an undecided attempt.
  func awaits(_ message: JSONValue) -> Bool {
    guard message["method"] != nil else { return message["id"].map { waiting[Array($0.text.utf8)] != nil } ?? false }
    return message.withDocument { document, root in
      guard case .notification(let said) = AuthenticatorLine(document, root, .names) else { return false }
      return attempts.contains(said.attempt)
    } ?? false
  }
}

extension EngineCall {
  /// Parses a message as a call of the engine.
  init(_ message: JSONValue) { self = message.withDocument { EngineCall($0, $1) } ?? .nothing }
}

extension JSONValue {
  /// Calls `body` with the value as a parsed document.
  func withDocument<Result>(_ body: (borrowing JSONDocument, JSONDocument.Node) -> Result?) -> Result? {
    Array(text.utf8).withUnsafeBytes { bytes in
      var document = JSONDocument()
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return nil }
      return body(document, root)
    }
  }
}
