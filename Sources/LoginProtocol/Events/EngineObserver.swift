/// An observer that is notified of everything that an engine's core does, at the time at which the
/// core does it. Recorders and tracers are examples.
public protocol EngineObserver: AnyObject {
  /// Called for an event at `time` on the engine's clock.
  ///
  /// Bytes in the event are lent: they are valid only during the call and may contain secrets. The
  /// observer must not keep secret bytes.
  func observe(_ event: EngineEvent, at time: Moment)
}
