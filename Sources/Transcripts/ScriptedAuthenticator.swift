import EventLoop
import JSONCodec

/// The authenticator of a transcript: processes that the engine starts only pass on what it sends, and what it is answered.
///
/// If the engine starts another one, all that the one before passed on comes first.
final class ScriptedAuthenticator {
  /// Where the processes connect to.
  let name: String
  private let loop: EventLoop
  private let listening: Int32
  private var watch: EventLoop.Watch?
  /// The first is the one that is heard; the others wait for its end.
  private var connections: [Connection] = []
  private var lines: [[UInt8]] = []

  init(_ name: String, loop: EventLoop) throws(SystemError) {
    self.name = name
    self.loop = loop
    listening = try LocalSocket.listen(name)
    watch = loop.watch(listening, .read) { [unowned self] _ in accept() }
  }

  deinit {
    if let watch { loop.unwatch(watch) }
    Descriptor.close(listening)
  }

  /// What the engine said next. Being asked to describe itself is passed over unless that `isExpected`.
  func takeLine(description isExpected: Bool = false) -> [UInt8]? {
    while !lines.isEmpty {
      let line = lines.removeFirst()
      if isExpected || !Self.isDescribe(line) { return line }
    }
    return nil
  }

  private static func isDescribe(_ line: [UInt8]) -> Bool {
    isDescribe((try? JSONValue(parsing: line)) ?? .null)
  }

  /// Whether a line asks an authenticator to describe itself.
  static func isDescribe(_ message: JSONValue) -> Bool { message["method"]?.string == "authenticator/describe" }

  /// Whether all processes have ended.
  var hasEnded: Bool {
    accept()
    return connections.isEmpty
  }

  /// Says something to the engine. Returns whether there is anybody to say it.
  func answer(_ bytes: [UInt8]) -> Bool {
    connections.first?.answer(bytes) ?? false
  }

  /// Lets the process exit. Returns whether there is one.
  func exit() -> Bool {
    connections.first?.exit() ?? false
  }

  /// Whether a process was told to exit and has not yet.
  var isExiting: Bool { connections.first?.isEnding ?? false }

  private func accept() {
    while let descriptor = LocalSocket.accept(listening) {
      connections.append(Connection(descriptor, loop: loop))
      if connections.count == 1 { hearFirst() }
    }
  }

  private func hearFirst() {
    connections.first?.hear { [unowned self] line in
      if let line {
        lines.append(line)
      } else {
        connections.removeFirst()
        hearFirst()
      }
    }
  }
}

/// One process that the engine started.
private final class Connection {
  private let descriptor: Int32
  private let loop: EventLoop
  private let outgoing: OutgoingBytes
  private var lines = LineBuffer(maximumLineBytes: 16 << 20)
  private var watch: EventLoop.Watch?
  private(set) var isEnding = false

  init(_ descriptor: Int32, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
    outgoing = OutgoingBytes(descriptor, loop: loop)
  }

  deinit {
    outgoing.stop()
    if let watch { loop.unwatch(watch) }
    Descriptor.close(descriptor)
  }

  /// Calls `body` with each line, and with `nil` at the end.
  func hear(_ body: @escaping ([UInt8]?) -> Void) {
    watch = loop.watch(descriptor, .read) { [unowned self] _ in
      let fill = lines.fill(from: descriptor)
      while let line = lines.next() {
        switch line {
        case .whole(let bytes), .tooLong(let bytes), .unterminated(let bytes): body(Array(bytes))
        }
      }
      switch fill {
      case .bytes, .wouldBlock: break
      case .endOfFile, .failed: body(nil)
      }
    }
  }

  func answer(_ bytes: [UInt8]) -> Bool {
    guard !isEnding else { return false }
    outgoing.send(bytes)
    return true
  }

  func exit() -> Bool {
    guard !isEnding else { return false }
    isEnding = true
    outgoing.finish { [unowned self] in LocalSocket.endWriting(descriptor) }
    return true
  }
}
