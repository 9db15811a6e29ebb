public import JSONCodec

extension JSONValue {
  /// The names of the factors in the member `proofs`, without their times.
  public var provenFactors: [String]? { self["proofs"]?.array?.compactMap { $0["factor"]?.string } }

  /// The text in which the time of each proof is replaced by 0.
  public var undatedText: String { text.replacing(/"at":\d+/, with: #""at":0"#) }
}
