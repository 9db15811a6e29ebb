extension Unmanaged {
  /// Lends the object to `body` without retaining it. Something else has to keep the object alive
  /// until `body` returns.
  ///
  /// This is the only use of the standard library's method `_withUnsafeGuaranteedRef`. With
  /// `takeUnretainedValue` instead, an edit would take 200 instructions more, which is 5 % of its
  /// instructions.
  @inline(__always) func lend<R>(_ body: (Instance) -> R) -> R { _withUnsafeGuaranteedRef(body) }
}
