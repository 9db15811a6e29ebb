/// Times as options take them.
public enum Seconds {
  /// Milliseconds in seconds, with three decimals or none.
  public static func text(ofMilliseconds milliseconds: UInt64) -> String {
    let fraction = milliseconds % 1000
    guard fraction > 0 else { return "\(milliseconds / 1000)" }
    return "\(milliseconds / 1000)." + String(String(fraction + 1000).dropFirst())
  }
}
