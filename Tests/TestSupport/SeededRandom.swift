import Foundation

/// Random numbers from SplitMix64 (Steele, Lea, Flood 2014). The same seed gives the same numbers.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// The seed in an environment variable, or a random seed if the variable is not set. The seed is
  /// printed, so that a run can be repeated.
  public static func seed(in variable: String) -> UInt64 {
    let seed = ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    print("\(variable)=\(seed)")
    return seed
  }

  /// True with a probability of 1 to `oneIn`.
  public mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

  /// A random element of the choices, which must not be empty.
  public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }
}

/// A fixed and a random seed. Tests that take a seed as argument print it in their name, so a run
/// can be repeated.
public let seeds: [UInt64] = [20_250_607, .random(in: 0..<1_000_000_000_000)]
