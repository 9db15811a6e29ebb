/// One measured figure of the report.
struct Figure {
  /// The limit that the figure's value should not exceed or fall below.
  enum Aim {
    case none
    case atLeast(Double)
    case atMost(Double)
  }

  /// The name of the figure in JSON and tables, which stays the same when the title is reworded.
  let key: String
  let title: String
  let unit: String
  let aim: Aim
  /// The figure's value: the median of its samples.
  let value: Double
  let lowest: Double
  let highest: Double

  /// Makes a figure from several samples: their median, lowest and highest value.
  init(_ key: String, _ title: String, _ unit: String, _ samples: [Double], aim: Aim = .none) {
    self.key = key
    self.title = title
    self.unit = unit
    self.aim = aim
    value = samples.percentile(50)
    lowest = samples.min() ?? 0
    highest = samples.max() ?? 0
  }

  var isReached: Bool? {
    switch aim {
    case .none: nil
    case .atLeast(let limit): value >= limit
    case .atMost(let limit): value <= limit
    }
  }
}

extension [Double] {
  /// The smallest sample that is at least as large as `percent` percent of the samples.
  func percentile(_ percent: Double) -> Double {
    guard !isEmpty else { return 0 }
    let rank = Int((Double(count) * percent / 100).rounded(.up)) - 1
    return sorted()[Swift.max(0, Swift.min(count - 1, rank))]
  }
}

extension Double {
  /// Divides this number by `other`, for ratios. Division by zero gives zero.
  func per(_ other: Double) -> Double { other > 0 ? self / other : 0 }

  /// The number with thousands separators, and with two decimals below a hundred.
  var readable: String {
    guard isFinite, magnitude < 1e15 else { return "?" }
    if magnitude < 100 {
      let hundredths = Int((self * 100).rounded())
      let rest = hundredths.magnitude % 100
      let sign = hundredths < 0 ? "-" : ""
      return "\(sign)\(hundredths.magnitude / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
    let digits = "\(Int(rounded()).magnitude)"
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
