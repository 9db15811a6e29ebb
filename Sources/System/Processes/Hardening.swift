import CSystem

/// What a process that holds passwords does first. Nothing of it survives `exec`, so every process does it for itself.
public enum Hardening {
  /// Both parts.
  public static func apply() {
    applySignals()
    forbidDumps()
  }

  /// Always on: a write to a closed pipe is an error and not death, and a crash ends the process without a report,
  /// because Swift's backtracer prints the memory at each register to standard error.
  public static func applySignals() {
    csystem_ignore_sigpipe()
    csystem_default_crash_signals()
  }

  /// No core files, and no reading of this process's memory by others of the same user. A test that looks for secrets in
  /// memory leaves this part out. Returns whether the system agreed.
  @discardableResult
  public static func forbidDumps() -> Bool {
    csystem_forbid_dumps() == 0
  }
}
