/// An observer is told what an engine's core does while the core does it: a recorder, a tracer.
public protocol EngineObserver: AnyObject {
  /// Something happened at `time`, which is the engine's own time.
  ///
  /// Bytes in the event are lent: they are valid during the call only, and may hold secrets. What the observer keeps of
  /// them must not be secret.
  func observe(_ event: EngineEvent, at time: Moment)
}
