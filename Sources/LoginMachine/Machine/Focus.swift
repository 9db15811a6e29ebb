/// The keyboard focus: on an item, on the primary action, on the dismissal of an alert, or
/// unspecified.
///
/// The focus is stored as one number, which makes sessions small and comparisons fast.
public struct Focus: Equatable, Sendable {
  /// What has the focus.
  public enum Target: Equatable, Sendable {
    /// The item with this index.
    case item(Int)
    /// The primary action, whatever its current role.
    case primary
    /// The action that dismisses the current alert.
    case dismissal
  }

  /// From the highest bit: the revision, the item, the kind of target.
  @usableFromInline let bits: UInt64

  @inlinable static var kindBits: Int { 2 }
  @inlinable static var itemBits: Int { 16 }

  /// An unspecified focus: it stays where it is in the view.
  package static let nowhere = Focus(bits: 0)

  private init(bits: UInt64) { self.bits = bits }

  /// Creates a focus that was set in revision `since`.
  init(_ target: Target, since revision: UInt64) {
    let code: UInt64 =
      switch target {
      case .item(let item): UInt64(truncatingIfNeeded: item & 0xFFFF) << Focus.kindBits | 1
      case .primary: 2
      case .dismissal: 3
      }
    bits = revision << (Focus.kindBits + Focus.itemBits) | code
  }

  /// What has the focus; `nil` if the focus is unspecified.
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

  /// The revision in which the focus was set; 0 if unspecified.
  @inlinable public var since: UInt64 { bits >> (Focus.kindBits + Focus.itemBits) }
}
