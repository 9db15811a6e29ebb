extension ViewState {
  /// The state of the screen as a whole, packed into one word so that copies and comparisons are
  /// fast.
  public struct Header: Equatable, Sendable {
    /// The parts of the header, from the lowest bit: the phase, the role of the primary action, the
    /// flags, the language, and the number of the flow's screen, counted from 1.
    @usableFromInline var bits: UInt64 = 0

    /// The flags of a header, by their bits.
    public enum Flag: UInt64, CaseIterable, Sendable {
      case primaryIsEnabled
      /// Whether values can be edited and links can be pressed, except for links that are withheld.
      case isEditable
      case showsActivity
      /// Whether items are ever shown as valid or invalid.
      case showsMarks
      /// Whether the screen has selections with more options than a snapshot shows.
      case hasLongLists
      /// Whether the screen has visibility conditions.
      case isDynamic
      /// Whether the view shows rare state: a challenge, the authenticator's messages about items,
      /// withheld links, an alert or the like, or a former option of a long list.
      case hasRareState
    }

    @inlinable static var partBits: UInt64 { 3 }
    @inlinable static var flagBits: UInt64 { 8 }
    @inlinable static var languageBits: UInt64 { 16 }
    @inlinable static var screenBits: UInt64 { 32 }

    @inlinable public internal(set) subscript(flag: Flag) -> Bool {
      @inline(__always) get { bits >> (Header.flagBits &+ flag.rawValue) & 1 == 1 }
      @inline(__always) set {
        let bit: UInt64 = 1 << (Header.flagBits &+ flag.rawValue)
        bits = newValue ? bits | bit : bits & ~bit
      }
    }

    @inlinable public var phase: Phase.Name {
      @inline(__always) get { Phase.Name(rawValue: UInt8(truncatingIfNeeded: bits & 7)) ?? .initial }
    }

    @inlinable public var primary: SessionMachine.PrimaryRole {
      @inline(__always) get {
        SessionMachine.PrimaryRole(rawValue: UInt8(truncatingIfNeeded: bits >> Header.partBits & 3)) ?? .submit
      }
    }

    @inlinable public var isEditable: Bool { @inline(__always) get { self[.isEditable] } }
    @inlinable public var showsMarks: Bool { @inline(__always) get { self[.showsMarks] } }

    /// The index of the current language in the flow.
    @inlinable public internal(set) var language: UInt16 {
      @inline(__always) get { UInt16(truncatingIfNeeded: bits >> Header.languageBits) }
      set { bits = bits & ~(0xFFFF << Header.languageBits) | UInt64(newValue) << Header.languageBits }
    }

    /// The index of the flow's screen that is shown; `nil` for a challenge, and before anything is
    /// shown.
    @inlinable public internal(set) var flowScreen: Int? {
      @inline(__always) get {
        let number = bits >> Header.screenBits
        return number == 0 ? nil : Int(number) &- 1
      }
      set {
        let number = newValue.map { UInt64($0) + 1 } ?? 0
        bits = bits & ~(0xFFFF_FFFF << Header.screenBits) | number << Header.screenBits
      }
    }

    init() {}

    /// The header for a machine in this phase. It is made as if there were no overlay and no
    /// challenge.
    @inline(__always) init(of machine: inout SessionMachine, in phase: Phase.Name) {
      let part = SessionMachine.PrimaryRole(machine.primaryRole(in: phase))
      let screen = UInt64(truncatingIfNeeded: machine.originIndex &+ 1)
      bits =
        UInt64(phase.rawValue) | UInt64(part.rawValue) << Header.partBits
        | UInt64(machine.language) << Header.languageBits | screen << Header.screenBits
        | Header.flag(.primaryIsEnabled, machine.enablesPrimary(part, in: phase))
        | Header.flag(.isEditable, phase.isOpen)
        | Header.flag(.showsActivity, phase == .requestPending)
        | Header.flag(.showsMarks, machine.flow.options.showsMarks)
        | Header.flag(.hasLongLists, machine.screen.hasLongLists)
        | Header.flag(.isDynamic, machine.screen.isDynamic)
    }

    @inline(__always) private static func flag(_ flag: Flag, _ isSet: Bool) -> UInt64 {
      (isSet ? 1 : 0) << (Header.flagBits &+ flag.rawValue)
    }
  }
}

extension SessionMachine {
  /// Whether a view may show more than a form of the flow, such as a challenge or an alert.
  @inline(__always) mutating func mayHaveRareState(in phase: Phase.Name) -> Bool {
    if isCovered || !draft.remarks.isEmpty || screen.hasRequestLinks { return true }
    switch phase {
    case .initial, .unvalidated, .validated, .requestPending: return false
    case .requestFailed, .requestSucceeded: return true
    }
  }

  /// Whether the primary action is enabled in this role and phase, if there is no overlay.
  @inline(__always) fileprivate mutating func enablesPrimary(_ part: PrimaryRole, in phase: Phase.Name) -> Bool {
    switch phase {
    // A form without required items can be sent unchanged.
    case .initial: flow.options.submit == .always || draft.isValid
    case .unvalidated: flow.options.submit == .always
    case .validated: true
    case .requestPending: part == .cancel
    case .requestFailed: draft.isValid || repeatsWithoutValues
    case .requestSucceeded: part == .again
    }
  }
}
