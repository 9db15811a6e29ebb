import JSONCodec

/// What is said between an engine, its view and its authenticator, in the order in which it is said.
struct Transcript {
  /// One line of the file that does something.
  struct Entry {
    /// Counted from 1.
    var line: Int
    var step: Step
  }

  /// What one line of a transcript says.
  enum Step {
    /// The engine reads these bytes; a line's end included, if it has one.
    case input([UInt8])
    /// The engine writes this line, but for what stands at some JSON pointers.
    case output(JSONValue, ignoring: [String])
    /// The engine sends this line to an authenticator, but for what stands at some JSON pointers.
    case ask(JSONValue, ignoring: [String], of: String?)
    /// An authenticator writes these bytes.
    case answer([UInt8], of: String?)
    /// Something goes wrong with an authenticator.
    case fault(Fault, of: String?)
    /// The clock moves on by so many milliseconds.
    case advance(UInt64)
    /// The engine's input ends.
    case end
    /// The engine is asked to end by a signal.
    case terminate
  }

  /// What can go wrong with an authenticator, but for what it says.
  enum Fault: String {
    /// It exits.
    case exit
    /// It takes no more questions.
    case closeInput
    /// From now on it reads nothing, so that what the engine has to say to it waits.
    case stopReading
    /// Now it reads on.
    case resumeReading
    /// From now on it cannot be started.
    case unavailable
    /// Now it can.
    case available
  }

  /// As it was named on the command line.
  var path: String
  /// Arguments for the engine.
  var options: [String] = [] { didSet { authenticators = findAuthenticators() } }
  /// Whether there is a step in which the engine's input ends.
  var inputHasEnded = false
  /// What it calls the authenticators that the replayer plays; one has no name.
  private(set) var authenticators: Set<String?> = [nil]
  /// Whether it goes to the engine's end. One that does not is the recording of an engine that was killed.
  var isComplete = true
  var entries: [Entry] = []

  /// A place in a transcript, as editors and compilers write it.
  func place(_ line: Int) -> String { "\(path):\(line)" }
}

/// A transcript that cannot be read, or says what no transcript can say.
struct TranscriptError: Error {
  var text: String
}
