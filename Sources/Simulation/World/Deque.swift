/// A queue with removal from the front in constant amortised time.
struct Deque<Element> {
  private var elements: [Element] = []
  private var first = 0

  var count: Int { elements.count - first }
  var isEmpty: Bool { first == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    first += 1
    if first > 256, first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  /// Inserts an element at the front.
  mutating func prepend(_ element: Element) {
    if first > 0 {
      first -= 1
      elements[first] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// Removes and returns the first element that satisfies the condition; `nil` if none does.
  mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
    guard let index = elements[first...].firstIndex(where: isMeant) else { return nil }
    if index == first { return popFirst() }
    return elements.remove(at: index)
  }
}
