import JSONCodec

/// A transcript: the messages between an engine, its view and its authenticators, in order.
struct Transcript {
  /// A step and its line in the file.
  struct Entry {
    /// The number of the line in the file, counted from 1.
    var line: Int
    var step: Step
  }

  /// One step.
  enum Step {
    /// The engine reads these bytes, including the newline if there is one.
    case input([UInt8])
    /// The engine writes this line. Values at the ignored JSON pointers are not compared.
    case output(JSONValue, ignoring: [String])
    /// The engine sends this line to an authenticator. Values at the ignored JSON pointers are not
    /// compared.
    case ask(JSONValue, ignoring: [String], of: String?)
    /// An authenticator writes these bytes.
    case answer([UInt8], of: String?)
    /// A fault is applied to an authenticator.
    case fault(Fault, of: String?)
    /// The clock advances by this many milliseconds.
    case advance(UInt64)
    /// The engine's input ends.
    case end
    /// The engine receives a signal that asks it to stop.
    case terminate
  }

  /// The faults of an authenticator, other than invalid lines.
  enum Fault: String {
    /// The process exits.
    case exit
    /// The process closes its input.
    case closeInput
    /// The process stops reading, so that the engine's lines have to wait.
    case stopReading
    /// The process reads again.
    case resumeReading
    /// The program cannot be started from now on.
    case unavailable
    /// The program can be started again.
    case available
  }

  /// The path of the transcript as it was given on the command line.
  var path: String
  /// The options with which the engine is started.
  var options: [String] = [] { didSet { authenticators = findAuthenticators() } }
  /// Whether the last step ended the engine's input.
  var inputHasEnded = false
  /// The names of the authenticators that the replayer plays. One of them has no name.
  private(set) var authenticators: Set<String?> = [nil]
  /// Whether the transcript reaches the engine's exit. An incomplete one is the recording of an
  /// engine that was killed.
  var isComplete = true
  var entries: [Entry] = []

  /// A location in the transcript, in the format of editors and compilers.
  func place(_ line: Int) -> String { "\(path):\(line)" }
}

/// The reason why a transcript cannot be read or contains an invalid step.
struct TranscriptError: Error {
  var text: String
}
