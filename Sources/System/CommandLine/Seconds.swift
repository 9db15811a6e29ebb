/// Times as users write them in the values of options.
public enum Seconds {
  /// Milliseconds as seconds, with three decimals or none.
  public static func text(ofMilliseconds milliseconds: UInt64) -> String {
    let fraction = milliseconds % 1000
    guard fraction > 0 else { return "\(milliseconds / 1000)" }
    return "\(milliseconds / 1000)." + String(String(fraction + 1000).dropFirst())
  }
}
