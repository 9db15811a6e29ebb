extension Unmanaged {
  /// Lends the object to `body` without retaining it. Something else has to keep the object until `body` returns.
  ///
  /// The one place that uses the standard library's underscored method. With `takeUnretainedValue` an edit costs 200 instructions
  /// more, a twentieth.
  @inline(__always) func lend<R>(_ body: (Instance) -> R) -> R { _withUnsafeGuaranteedRef(body) }
}
