/// SplitMix64 (Steele, Lea, Flood 2014): the same seed gives the same numbers on every computer.
struct SimulationRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 up to but not including `bound`.
  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % max(bound, 1) }

  /// Returns `true` with a probability of one in `oneIn`.
  mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

  /// Returns `true` with a probability of `share` percent.
  mutating func percent(_ share: Int) -> Bool { below(100) < share }

  /// A random element of `choices`, which must not be empty.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }
}
