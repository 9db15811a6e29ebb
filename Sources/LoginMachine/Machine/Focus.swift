/// Where the keyboard should be: on an item, on the primary action, on the end of an alert, or nowhere in particular.
///
/// One number, so that a session carries and an edit compares no more than that.
public struct Focus: Equatable, Sendable {
  /// What has the keyboard.
  public enum Target: Equatable, Sendable {
    /// The item of this index.
    case item(Int)
    /// The primary action, whatever it is.
    case primary
    /// What ends the alert that is shown.
    case dismissal
  }

  /// The revision in the upper bits, then the item, then the kind of target.
  @usableFromInline let bits: UInt64

  @inlinable static var kindBits: Int { 2 }
  @inlinable static var itemBits: Int { 16 }

  /// The keyboard stays where it is.
  package static let nowhere = Focus(bits: 0)

  private init(bits: UInt64) { self.bits = bits }

  /// `since` is the revision in which the keyboard went there.
  init(_ target: Target, since revision: UInt64) {
    let code: UInt64 =
      switch target {
      case .item(let item): UInt64(truncatingIfNeeded: item & 0xFFFF) << Focus.kindBits | 1
      case .primary: 2
      case .dismissal: 3
      }
    bits = revision << (Focus.kindBits + Focus.itemBits) | code
  }

  /// `nil` for nowhere.
  @inlinable public var target: Target? {
    @inline(__always) get {
      switch bits & 3 {
      case 1: .item(Int(bits >> Focus.kindBits & 0xFFFF))
      case 2: .primary
      case 3: .dismissal
      default: nil
      }
    }
  }

  /// The revision in which the keyboard went there; 0 for nowhere.
  @inlinable public var since: UInt64 { bits >> (Focus.kindBits + Focus.itemBits) }
}
