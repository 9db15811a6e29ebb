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
    /// The engine sends this line to its authenticator, but for what stands at some JSON pointers.
    case ask(JSONValue, ignoring: [String])
    /// The authenticator writes these bytes.
    case answer([UInt8])
    /// Something goes wrong with the authenticator.
    case fault(Fault)
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
    /// From now on it cannot be started.
    case unavailable
    /// Now it can.
    case available
  }

  /// Whether the authenticator has to be one that can be taken away.
  var usesMissingAuthenticator: Bool {
    entries.contains { if case .fault(.unavailable) = $0.step { true } else { false } }
  }

  /// As it was named on the command line.
  var path: String
  /// Arguments for the engine.
  var options: [String] = []
  var entries: [Entry] = []

  /// Whether the options say who decides all that nobody else does, so that the replayer's own authenticator has nothing to do.
  var namesAuthenticator: Bool {
    zip(options, options.dropFirst()).contains { option, value in
      guard option == "--authenticator" else { return false }
      guard let equals = value.firstIndex(of: "=") else { return true }
      let which = value[..<equals]
      return which == "*" || !which.allSatisfy { $0.isLetter || $0.isNumber || "_-./*".contains($0) }
    }
  }

  /// A place in a transcript, as editors and compilers write it.
  func place(_ line: Int) -> String { "\(path):\(line)" }
}

/// A transcript that cannot be read, or says what no transcript can say.
struct TranscriptError: Error {
  var text: String
}
