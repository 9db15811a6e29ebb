import JSONCodec

/// The messages between an engine, its view and its authenticator, in their order.
struct Transcript {
  /// One line of the file that is a step.
  struct Entry {
    /// Counted from 1.
    var line: Int
    var step: Step
  }

  /// One step.
  enum Step {
    /// The engine reads these bytes, which include the line's end, if it has one.
    case input([UInt8])
    /// The engine writes this line; values at some JSON pointers are not compared.
    case output(JSONValue, ignoring: [String])
    /// The engine sends this line to an authenticator; values at some JSON pointers are not compared.
    case ask(JSONValue, ignoring: [String], of: String?)
    /// An authenticator writes these bytes.
    case answer([UInt8], of: String?)
    /// An authenticator has a fault.
    case fault(Fault, of: String?)
    /// The clock advances by so many milliseconds.
    case advance(UInt64)
    /// The engine's input ends.
    case end
    /// The engine is told to end by a signal.
    case terminate
  }

  /// The faults of an authenticator, other than wrong lines.
  enum Fault: String {
    /// The process exits.
    case exit
    /// The process closes its input.
    case closeInput
    /// The process stops reading, so that lines of the engine have to wait.
    case stopReading
    /// The process reads again.
    case resumeReading
    /// The program cannot be started from now on.
    case unavailable
    /// The program can be started again.
    case available
  }

  /// The path as it was given on the command line.
  var path: String
  /// Arguments for the engine.
  var options: [String] = [] { didSet { authenticators = findAuthenticators() } }
  /// Whether there is a step in which the engine's input ends.
  var inputHasEnded = false
  /// The names of the authenticators that the replayer plays. One of them has no name.
  private(set) var authenticators: Set<String?> = [nil]
  /// Whether the transcript goes to the engine's end. An incomplete one is the recording of an engine that was killed.
  var isComplete = true
  var entries: [Entry] = []

  /// A place in a transcript, as editors and compilers write it.
  func place(_ line: Int) -> String { "\(path):\(line)" }
}

/// A transcript that cannot be read, or has steps that no transcript can have.
struct TranscriptError: Error {
  var text: String
}
