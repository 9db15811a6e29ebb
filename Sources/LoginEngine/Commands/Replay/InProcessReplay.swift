/// Plays transcripts to engines in this process.
enum InProcessReplay {
  /// - Parameter timeout: how long to wait for each line, in milliseconds of simulated time. This
  ///   time passes only when nothing else happens.
  static func play(_ transcript: Transcript, timeout: UInt64) throws(Player.Failure) {
    let authenticators = InProcessAuthenticators()
    let engine = InProcessEngine(transcript, authenticators)
    let player = Player(
      transcript, engine: engine, authenticators: authenticators, timeout: timeout, pace: engine)
    try player.play()
  }
}
