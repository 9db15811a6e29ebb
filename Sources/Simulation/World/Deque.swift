/// A queue whose front can be taken at once.
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

  /// Puts an element in front of all others.
  mutating func prepend(_ element: Element) {
    if first > 0 {
      first -= 1
      elements[first] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// Takes out the first one that is meant.
  mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
    guard let index = elements[first...].firstIndex(where: isMeant) else { return nil }
    if index == first { return popFirst() }
    return elements.remove(at: index)
  }
}
