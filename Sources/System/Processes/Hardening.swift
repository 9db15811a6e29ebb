import CSystem

/// The first steps of a process that holds passwords. No step survives `exec`, so every process
/// takes the steps itself.
public enum Hardening {
  /// Takes all the steps: `applySignals` and `forbidDumps`.
  public static func apply() {
    applySignals()
    forbidDumps()
  }

  /// Makes a write to a closed pipe fail with an error instead of a signal, and makes a crash end
  /// the process without a report. Swift's backtracer would print the memory at each register to
  /// standard error. Programs take this step even with `--hardening off`.
  public static func applySignals() {
    csystem_ignore_sigpipe()
    csystem_default_crash_signals()
  }

  /// Disables core files, and access to this process's memory by other processes of the same user.
  /// Tests that look for secrets in memory leave this step out. Returns whether it succeeded.
  @discardableResult
  public static func forbidDumps() -> Bool {
    csystem_forbid_dumps() == 0
  }
}
