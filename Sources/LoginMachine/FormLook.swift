public import LoginForms

/// What a view shows of a form while somebody types into one of its items, as far as that can change: the item's mark, where the session stands, and whether
/// the primary action is enabled.
///
/// A few bits, where a `ViewState` is a projection of everything. A key stroke looks at both sides of itself, and there are many of them.
public struct FormLook: Equatable, Sendable {
  public let phase: Phase.Name
  public let validity: ViewState.Validity
  /// The rules of the item whose messages are shown.
  public let failing: RuleSet
  public let primaryIsEnabled: Bool
}

/// What a key stroke has led from and to.
public struct TypedStep: Equatable, Sendable {
  public let before: FormLook
  public let after: FormLook
}

/// Typing. The methods change the machine or are called as if they did, because it is not copied that way.
extension SessionMachine {
  /// Whether an edit of `item` now can change nothing that a view shows but the item's value and what is in a `FormLook`: the form is open, nothing that is
  /// shown lies over it, the item is on it, and no other item or link depends on the item.
  @inline(__always) public mutating func isTyped(into item: Int) -> Bool {
    guard !isCovered, screen.standsAlone[item], !draft.state(of: item).isHidden, !draft.hasRemarks,
      // Where an edit has all items judged in the open, the first one of a form has done so.
      !marksAll || draft.hasAllMarked
    else { return false }
    switch phase {
    case .initial, .unvalidated, .validated: return true
    case .requestPending, .requestFailed, .requestSucceeded: return false
    }
  }

  /// Types a text into a plain input, as `change` does. Only if `isTyped`.
  public mutating func type(_ text: Span<UInt8>, into item: Int, at utc: UInt64? = nil) -> TypedStep {
    let (options, before) = (flow.options, look(of: item))
    draft.enter(text, into: item, of: screen, marks: options.validation == .live, at: utc)
    return noteTyped(item, before, options)
  }

  /// Puts a switch into another position, as `change` does. Only if `isTyped`.
  public mutating func type(_ isOn: Bool, into item: Int) -> TypedStep {
    let (options, before) = (flow.options, look(of: item))
    draft.set(isOn, at: item, of: screen, marks: options.validation == .live)
    return noteTyped(item, before, options)
  }

  /// Notes that a secret was entered or emptied, as `changeSecret` does. Only if `isTyped`.
  public mutating func typeSecret(isFilled: Bool, failing: RuleSet, into item: Int) -> TypedStep {
    let (options, before) = (flow.options, look(of: item))
    draft.noteSecret(isFilled: isFilled, failing: failing, at: item, of: screen, marks: options.validation == .live)
    return noteTyped(item, before, options)
  }

  /// The primary action submits before and after, and nothing that an edit could end lies over the form.
  @inline(__always) private mutating func noteTyped(
    _ item: Int, _ before: FormLook, _ options: FlowOptions
  ) -> TypedStep {
    phase = options.validation == .live && draft.isValid ? .validated : .unvalidated
    revision += 1
    return TypedStep(before: before, after: look(of: item))
  }

  /// What there is to see of an item into which is typed.
  @inline(__always) private mutating func look(of item: Int) -> FormLook {
    let (state, options, name) = (draft.state(of: item), flow.options, phase.name)
    let isMarked = state.isMarked && options.showsMarks
    let failing = isMarked ? state.failing : RuleSet()
    let isEnabled =
      switch name {
      // A form without anything required can be sent as it is.
      case .initial: options.submit == .always || draft.isValid
      case .unvalidated: options.submit == .always
      case .validated, .requestPending, .requestFailed, .requestSucceeded: true
      }
    return FormLook(
      phase: name, validity: !isMarked ? .unknown : failing.isEmpty ? .valid : .invalid, failing: failing,
      primaryIsEnabled: isEnabled)
  }
}
